// Finds the node that owns a partition and has it answer, and says what is known of a request that got no answer. Nothing that
// may have begun is asked for again.
import * as RpcClientError from "@effect/rpc/RpcClientError"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Partition } from "../domain/Partition.ts"
import type { EnginePartitions } from "../services/engine/EnginePartitions.ts"
import { StorageUnavailable } from "../services/records/StorageUnavailable.ts"
import { NotOwner } from "./BotsRpcs.ts"
import * as NodeBots from "./NodeBots.ts"
import { owns } from "./Ownership.ts"
import type { NodeAddress, PartitionLease } from "./PartitionLease.ts"

/** The pause before the owner is looked up again, where nobody is it or the one that was asked is not. */
const AGAIN = "100 millis"
/** How much longer a request may take, once a node that was asked has answered that it does not run the bots any more. */
const MOVING = "2 seconds"
const NOBODY = "no node runs the bots of this account now"
const BUSY = "this node runs the bots of this account, and they have not answered in time"
const SILENT = "the node that runs the bots of this account does not answer"
const BROKEN = "the connection to the node that runs the bots of this account broke"
const AGAIN_LATER = "the bots of this account cannot be reached now; try again"
const UNKNOWN = "the bots of this account did not answer in time: see what was done before you ask again"

/** Finds the procedures of a node. */
export type Nodes = (address: NodeAddress) => Effect.Effect<NodeBots.Client, never, Scope.Scope>

/** What this node owns, and who owns the rest. */
export interface Owners {
  readonly lease: typeof PartitionLease.Service
  readonly engine: Pick<typeof EnginePartitions.Service, "held">
}

/** A request to the owner's procedures. */
export type Remote<A, E> = (
  client: NodeBots.Client
) => Effect.Effect<A, E | NotOwner | StorageUnavailable | RpcClientError.RpcClientError>

/** Makes what has the owner of a partition answer, here or there, within a limit of time. */
export const routing =
  ({ engine, lease }: Owners, nodes: Nodes, limit: DurationInput) =>
  <A, E>(
    partition: Partition,
    here: Effect.Effect<A, E | NotOwner>,
    there: Remote<A, E>
  ): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      let reason = NOBODY
      let isBegun = false
      let hasMoved = false
      const begin = (who: string) => {
        reason = who
        isBegun = true
      }
      const notBegun = (why: string) => {
        reason = why
        isBegun = false
        return new NotOwner()
      }
      const once = Effect.gen(function* () {
        if (yield* owns({ engine, lease }, new Set([partition]))) {
          begin(BUSY)
          return yield* here
        }
        const address = yield* lease.ownerOf(partition)
        if (Option.isNone(address)) return yield* notBegun(NOBODY)
        begin(SILENT)
        return yield* request(nodes(address.value), there, notBegun)
      })
      const insistent: Effect.Effect<A, E> = Effect.catchIf(once, isNotOwner, () => {
        // The node that was asked does not run the bots: another one has taken them, or is about to.
        if (isBegun) {
          hasMoved = true
          notBegun(NOBODY)
        }
        return Effect.zipRight(
          Effect.sleep(AGAIN),
          Effect.suspend(() => insistent)
        )
      })
      const late = Effect.suspend(() =>
        Effect.die(new StorageUnavailable({ reason, advice: isBegun ? UNKNOWN : AGAIN_LATER }))
      )
      const longer = Effect.when(Effect.sleep(MOVING), () => hasMoved)
      const limited = Effect.zipRight(Effect.zipRight(Effect.sleep(limit), longer), late)
      return Effect.raceFirst(insistent, limited)
    })

/**
 * Asks a node. What has certainly not begun there is `NotOwner`; whatever else went wrong passes, like storage that is away.
 */
const request = <A, E>(
  node: ReturnType<Nodes>,
  there: Remote<A, E>,
  notBegun: (why: string) => NotOwner
): Effect.Effect<A, E | NotOwner> =>
  Effect.flatMap(node, there).pipe(
    Effect.scoped,
    Effect.catchIf(isStorageUnavailable, (away) => Effect.die(away)),
    Effect.catchIf(isClientError, (error) => {
      const why = NodeBots.whyNotBegun(error)
      return why === undefined
        ? Effect.die(new StorageUnavailable({ reason: BROKEN, advice: UNKNOWN }))
        : notBegun(why)
    })
  )

const isNotOwner = (error: unknown): error is NotOwner => error instanceof NotOwner
const isStorageUnavailable = (error: unknown): error is StorageUnavailable =>
  error instanceof StorageUnavailable
const isClientError = (error: unknown): error is RpcClientError.RpcClientError =>
  error instanceof RpcClientError.RpcClientError
