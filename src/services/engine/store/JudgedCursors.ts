// The cursors up to which the journal is judged, one for each partition of the accounts: a restart reads on from there.
import { type Partition, partitions } from "../../../domain/Partition.ts"
import type { Cursors } from "../../Portfolio.ts"
import type { Backlog } from "../alerts/Backlog.ts"

/** The cursors on disk, beside those that the backlog has reached. */
export class JudgedCursors {
  readonly #stored: Map<Partition, number>
  readonly #backlog: Backlog

  constructor(stored: Cursors, backlog: Backlog) {
    this.#stored = new Map(stored)
    this.#backlog = backlog
  }

  /** The cursors of these partitions that have moved since they were stored. */
  moved(some: Iterable<Partition> = partitions): Cursors {
    const behind = this.#backlog.behind()
    const cursors = new Map<Partition, number>()
    for (const partition of some) {
      const cursor = behind.get(partition) ?? this.#backlog.front
      if (cursor > (this.#stored.get(partition) ?? 0)) cursors.set(partition, cursor)
    }
    return cursors
  }

  stored(cursors: Cursors): void {
    for (const [partition, cursor] of cursors) this.#stored.set(partition, cursor)
  }

  /** The id of the last alert up to which every alert is judged. */
  get lowest(): number {
    return Math.min(this.#backlog.front, ...this.#backlog.behind().values())
  }
}
