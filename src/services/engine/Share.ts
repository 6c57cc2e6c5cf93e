// The partitions whose bots an engine runs, which may change while it runs. A server that is alone runs all of them.
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import { type Partition, partitionOf } from "../../domain/Partition.ts"
import * as ChangeSignal from "../records/ChangeSignal.ts"
import { StorageUnavailable } from "../records/StorageUnavailable.ts"

/** Why another engine has to be asked; nothing was begun. */
export const ELSEWHERE = "another process runs the bots of this account"

/** The partitions that an engine has. */
export class Share {
  #partitions: ReadonlySet<Partition> = new Set()
  readonly #bell = ChangeSignal.ofChanges()

  /** The last alert in the journal when partitions were last added: up to it, other engines may have judged. */
  #begunAt = 0

  get begunAt(): number {
    return this.#begunAt
  }

  /** Those that the engine has now: another set after each change, and a set never changes. */
  get partitions(): ReadonlySet<Partition> {
    return this.#partitions
  }

  /** The same, for the one who waits for `changed`. */
  heard(): ReadonlySet<Partition> {
    this.#bell.reading()
    return this.#partitions
  }

  /** Waits until the share may have changed since `heard` was called. There is one listener. */
  get changed(): ChangeSignal.Changes["rings"] {
    return this.#bell.rings
  }

  get isEmpty(): boolean {
    return this.#partitions.size === 0
  }

  /** Whether the engine runs the bots of an account. */
  has(account: AccountId): boolean {
    return this.#partitions.has(partitionOf(account))
  }

  /** Dies with `StorageUnavailable` for an account whose bots another engine runs. */
  own(account: AccountId): Effect.Effect<void> {
    return Effect.suspend(() =>
      this.has(account) ? Effect.void : Effect.die(new StorageUnavailable({ reason: ELSEWHERE }))
    )
  }

  /** Those among some that the engine has. */
  among(some: Iterable<Partition>): ReadonlySet<Partition> {
    return new Set([...some].filter((partition) => this.#partitions.has(partition)))
  }

  /** Adds partitions; `last` is the last alert in the journal after their former owner stored its last commit. */
  add(some: Iterable<Partition>, last: number): void {
    this.#begunAt = Math.max(this.#begunAt, last)
    this.#partitions = new Set([...this.#partitions, ...some])
    this.#bell.changed()
  }

  remove(some: Iterable<Partition>): void {
    const gone = new Set(some)
    this.#partitions = new Set([...this.#partitions].filter((partition) => !gone.has(partition)))
    this.#bell.changed()
  }
}
