// Stores what the engine has decided, sends its orders and takes in the reports, until nothing is left to do. A crash
// before the commit loses no alert, since the journal is read again; a crash after it leaves orders that are looked up
// by id.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { AccountId } from "../../../domain/Account.ts"
import type { Order } from "../../../domain/Order.ts"
import { type Partition, partitionOf } from "../../../domain/Partition.ts"
import type { Breath } from "../Breath.ts"
import type { ContextFor } from "../decide/Context.ts"
import type { Engine } from "../Engine.ts"
import type { OrderSender } from "../orders/OrderSender.ts"
import type { OutgoingOrder } from "../orders/OutgoingOrder.ts"
import type { Refused } from "./CommitRetry.ts"
import * as Commits from "./Commits.ts"
import type { JudgedCursors } from "./JudgedCursors.ts"
import * as Observer from "./Observer.ts"
import { OrderLoopGuard } from "./OrderLoopGuard.ts"
import type { Reload } from "./Reload.ts"

interface Parts {
  readonly engine: Engine
  readonly cursors: JudgedCursors
  readonly reload: Reload
  readonly sender: OrderSender
  readonly present: Effect.Effect<ContextFor>
  readonly breath: Breath
  /** Forgets partitions that another process has taken over. */
  readonly forget: (lost: ReadonlySet<Partition>) => Effect.Effect<void>
}

/** Makes `settle` and `abandon`. */
export const make = Effect.fnUntraced(function* (parts: Parts) {
  const { breath, cursors, engine, forget, present, reload, sender } = parts
  const observer = yield* Observer.make
  const begin = yield* Commits.make(engine, cursors, observer.now)
  let storing: Commits.Commit | undefined

  /** Follows up on a commit that has ended, and sends the orders of what is on disk. */
  const send = Effect.fnUntraced(function* (
    commit: Commits.Commit,
    refused: Refused,
    rounds: OrderLoopGuard,
    contextFor: ContextFor | undefined
  ) {
    const { cancels, sendings, steps } = commit
    if (contextFor === undefined) yield* breath.pause
    if (refused.size === 0) cursors.stored(commit.cursors)
    yield* observer.stored(steps, refused, commit.startedAt)
    for (const bot of rounds.after(steps, sendings)) engine.adoption.setAside(bot, (yield* present)(bot))
    const isStored = ({ bot }: OutgoingOrder<Order>) => !refused.has(bot.strategy.id)
    yield* sender.send(sendings.filter(isStored), cancels.filter(isStored), {
      contextFor,
      within: observer.within
    })
  })

  /** Commits, and sends; false where there was nothing to commit. */
  const round = (rounds: OrderLoopGuard, contextFor: ContextFor | undefined, withCursors: boolean) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const commit = storing ?? (yield* begin(withCursors))
        if (commit === undefined) return false
        storing = commit
        const { lost, refused } = yield* restore(Fiber.join(commit.fiber))
        yield* reload(commit.steps, refused)
        storing = undefined
        if (lost.size > 0) yield* forget(lost)
        yield* send(without(commit, lost), refused, rounds, contextFor)
        return true
      })
    )

  /**
   * Stores the steps so far, sends their orders, takes in the reports, and repeats until nothing is left to do now. A
   * cursor that moved past alerts which concerned nobody is stored only with `withCursors`: it is not worth a commit of
   * its own.
   */
  const settle = Effect.fnUntraced(function* (contextFor?: ContextFor, withCursors = false) {
    const rounds = new OrderLoopGuard()
    while (storing !== undefined || !engine.isIdle() || (withCursors && cursors.moved().size > 0))
      if (!(yield* round(rounds, contextFor, withCursors))) return
  })

  /** Stops trying to store: for the shutdown with a disk that does not come back. */
  const abandon = Effect.suspend(() => (storing === undefined ? Effect.void : Fiber.interrupt(storing.fiber)))

  return { settle, abandon }
})

/** A commit without partitions that another process has taken over: their orders are that one's. */
const without = (commit: Commits.Commit, lost: ReadonlySet<Partition>): Commits.Commit => {
  if (lost.size === 0) return commit
  const isOurs = (account: AccountId) => !lost.has(partitionOf(account))
  const isOurOrder = ({ bot }: OutgoingOrder<Order>) => isOurs(bot.strategy.account)
  return {
    ...commit,
    steps: commit.steps.filter(({ account }) => isOurs(account)),
    sendings: commit.sendings.filter(isOurOrder),
    cancels: commit.cancels.filter(isOurOrder),
    cursors: new Map([...commit.cursors].filter(([partition]) => !lost.has(partition)))
  }
}
