// Work that only the owner of a partition may do: its lease is looked at before the work, and again before the answer. A
// node that lost the partition in between does not answer, because it may have worked on old state.
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type { AccountId } from "../domain/Account.ts"
import { type Partition, partitionOf } from "../domain/Partition.ts"
import type { EnginePartitions } from "../services/engine/EnginePartitions.ts"
import { ELSEWHERE } from "../services/engine/Share.ts"
import { StorageUnavailable } from "../services/records/StorageUnavailable.ts"
import { NotOwner } from "./BotsRpcs.ts"
import type { PartitionLease } from "./PartitionLease.ts"

const LOST =
  "the node lost the partition of this account while it worked: see what was done before you ask again"

/** What tells whether this node owns a partition: it has the lease, and its engine runs the bots. */
export interface Owner {
  readonly lease: Pick<typeof PartitionLease.Service, "isHeld" | "keeping">
  readonly engine: Pick<typeof EnginePartitions.Service, "held">
}

/** The partitions of these accounts. */
export const partitionsOf = (accounts: Iterable<AccountId>): ReadonlySet<Partition> =>
  new Set(Array.from(accounts, partitionOf))

/** Whether this node owns all of these partitions. */
export const owns = ({ engine, lease }: Owner, some: ReadonlySet<Partition>): Effect.Effect<boolean> =>
  Effect.flatMap(engine.held, (held) =>
    [...some].every((partition) => held.has(partition)) ? holds(lease, some) : Effect.succeed(false)
  )

/** Reads for accounts whose partitions this node owns from the beginning to the end of it; else `NotOwner`. */
export const reading = <A, E>(
  owner: Owner,
  accounts: Iterable<AccountId>,
  read: Effect.Effect<A, E>
): Effect.Effect<A, E | NotOwner> =>
  Effect.suspend(() => {
    const some = partitionsOf(accounts)
    return within(owner, some, read, () =>
      Effect.if(owns(owner, some), { onTrue: () => Effect.void, onFalse: () => new NotOwner() })
    )
  })

/**
 * Changes something for an account whose partition this node owns. `NotOwner` where it has not begun. Where the lease was
 * lost meanwhile, what was done is not known: that is a defect like storage that is away.
 */
export const changing = <A, E>(
  owner: Owner,
  account: AccountId,
  change: Effect.Effect<A, E>
): Effect.Effect<A, E | NotOwner> =>
  Effect.flatMap(owner.lease.keeping(partitionOf(account)), (isKept) =>
    within(owner, partitionsOf([account]), change, () =>
      // The work still counts where the engine has released the partition in good order since.
      isKept() ? Effect.void : Effect.die(new StorageUnavailable({ reason: LOST, advice: LOST }))
    )
  )

/** Runs work of the owner; `check` fails where the partitions were lost meanwhile, however the work ended. */
const within = <A, E>(
  owner: Owner,
  some: ReadonlySet<Partition>,
  work: Effect.Effect<A, E>,
  check: () => Effect.Effect<void, NotOwner>
): Effect.Effect<A, E | NotOwner> =>
  Effect.gen(function* () {
    if (!(yield* owns(owner, some))) return yield* new NotOwner()
    const exit = yield* Effect.exit(work)
    if (exit._tag === "Failure" && isElsewhere(exit.cause)) return yield* new NotOwner()
    yield* check()
    return yield* exit
  })

/** The engine had released the partition before the work's turn came: nothing was begun. */
const isElsewhere = (cause: Cause.Cause<unknown>): boolean =>
  Chunk.some(
    Cause.defects(cause),
    (defect) => defect instanceof StorageUnavailable && defect.reason === ELSEWHERE
  )

const holds = (lease: Owner["lease"], some: Iterable<Partition>): Effect.Effect<boolean> =>
  Effect.every(some, (partition) => lease.isHeld(partition))
