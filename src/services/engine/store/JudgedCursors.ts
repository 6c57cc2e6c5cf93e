// The cursors up to which the journal is judged, one for each partition of the accounts: a restart reads on from there.
import type { Partition } from "../../../domain/Partition.ts"
import type { Cursors } from "../../Portfolio.ts"
import type { Backlog } from "../alerts/Backlog.ts"

/** The cursors on disk of the partitions that the engine has, beside those that the backlog has reached. */
export class JudgedCursors {
  readonly #stored = new Map<Partition, number>()
  readonly #backlog: Backlog

  constructor(backlog: Backlog) {
    this.#backlog = backlog
  }

  /** The cursors that have moved since they were stored: of these partitions, or of all that the engine has. */
  moved(some: Iterable<Partition> = this.#stored.keys()): Cursors {
    const behind = this.#backlog.behind()
    const cursors = new Map<Partition, number>()
    for (const partition of some) {
      const stored = this.#stored.get(partition)
      const cursor = behind.get(partition) ?? this.#backlog.frontOf(partition)
      if (stored !== undefined && cursor > stored) cursors.set(partition, cursor)
    }
    return cursors
  }

  /** Adds partitions that are judged up to these cursors. */
  begin(cursors: Cursors): void {
    this.stored(cursors)
    this.#backlog.begin(cursors)
  }

  /** Drops partitions, with what they have left to judge. */
  end(some: ReadonlySet<Partition>): void {
    for (const partition of some) this.#stored.delete(partition)
    this.#backlog.end(some)
  }

  stored(cursors: Cursors): void {
    for (const [partition, cursor] of cursors) this.#stored.set(partition, cursor)
  }

  /** The id of the last alert up to which every alert is judged. */
  get lowest(): number {
    return Math.min(this.#backlog.front, ...this.#backlog.behind().values())
  }
}
