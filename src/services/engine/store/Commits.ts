// Begins commits: takes what the engine has decided, and stores it with the cursors that have moved.
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { partitionOf } from "../../../domain/Partition.ts"
import type { Cursors } from "../../Portfolio.ts"
import type { Yielded } from "../decide/Outbox.ts"
import type { Engine } from "../Engine.ts"
import * as CommitRetry from "./CommitRetry.ts"
import type { JudgedCursors } from "./JudgedCursors.ts"

/** Steps that are being committed, with the orders to send afterwards. */
export interface Commit extends Omit<Yielded, "overrun"> {
  readonly fiber: Fiber.Fiber<CommitRetry.LeftOut>
  readonly cursors: Cursors
  /** When the commit began, on the clock of the meters. */
  readonly startedAt: number
}

/** Makes the beginning of a commit of all that was decided so far; undefined where there is nothing to commit. */
export const make = Effect.fnUntraced(function* (engine: Engine, cursors: JudgedCursors, now: () => number) {
  const store = yield* CommitRetry.make
  const ambient = yield* Effect.context<never>()

  return Effect.fnUntraced(function* (withCursors: boolean) {
    const { cancels, overrun, sendings, steps } = engine.outbox.take()
    for (const { bot, cause } of engine.faults.take()) {
      yield* Effect.logError(`the bot of strategy ${bot.strategy.id} could not decide`, Cause.die(cause))
    }
    for (const { strategy } of overrun) {
      yield* Effect.logError(
        `the bot of strategy ${strategy.id} made too many decisions on one event, and is set aside: it does nothing until the strategy has new settings`
      )
    }
    const moved = cursors.moved(
      withCursors ? undefined : new Set(steps.map(({ account }) => partitionOf(account)))
    )
    if (steps.length === 0 && moved.size === 0) return undefined
    const startedAt = now()
    // A daemon fiber, outside of any transaction: where the waiter is interrupted, the commit goes on and the next
    // waiter joins it.
    const fiber = yield* store(steps, moved).pipe(
      Effect.mapInputContext((_: Context.Context<never>) => ambient),
      Effect.interruptible,
      Effect.forkDaemon
    )
    return { fiber, steps, sendings, cancels, cursors: moved, startedAt } satisfies Commit
  })
})
