import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import type { Order } from "../../domain/Order.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { Exchange } from "../Exchange.ts"
import { Portfolio } from "../Portfolio.ts"
import { StrategyStore } from "../StrategyStore.ts"
import { asked, takenBack } from "./Asking.ts"
import type * as Desks from "./Desk.ts"
import { Pace } from "./Pace.ts"
import { isAside } from "./Roster.ts"
import type { Sending } from "./Sending.ts"

/**
 * Takes up the work where the last run left it: bots, alerts that wait, orders whose end is not known. Gives all
 * strategies as they were then.
 */
export const load = Effect.fnUntraced(function* (desk: Desks.Desk, turn: Turn, options: Desks.Options) {
  const portfolio = yield* Portfolio
  const all = yield* (yield* StrategyStore).all
  const strategies = new Map(all.map((strategy) => [strategy.id, strategy]))
  for (const record of yield* portfolio.bots) {
    const strategy = strategies.get(record.strategy)
    if (strategy !== undefined) desk.enlist(strategy, record)
  }
  for (const { held, strategy } of yield* desk.recall.waiting()) {
    Option.map(desk.roster.get(strategy), (bot) => bot.held.add(held))
  }
  for (const { fills, order, status } of yield* desk.recall.unsettled())
    desk.orders.recall(order, status, fills)
  yield* admit(desk, strategies, options)
  const contextFor = yield* desk.present
  for (const bot of desk.roster.all()) {
    desk.roster.reindex(bot)
    const context = contextFor(bot)
    desk.engine.safely(bot, () => {
      // Who was disarmed by a restore, with nothing open, has nothing to leave.
      desk.engine.goHome(bot, context)
      desk.engine.look(bot, context)
    })
  }
  yield* desk.settle()
  yield* reconcile(desk, turn)
  return all
})

/** Sets aside and takes back whom the operator names: before any bot looks at anything. */
const admit = Effect.fnUntraced(function* (
  desk: Desks.Desk,
  strategies: ReadonlyMap<number, Strategy>,
  { with: back = [], without = [] }: Desks.Options
) {
  const now = yield* Clock.currentTimeMillis
  const contextFor = yield* desk.present
  for (const id of [...without, ...back]) {
    const strategy = strategies.get(id)
    if (strategy === undefined)
      yield* Effect.logWarning(`there is no strategy ${id} to start with or without`)
    else {
      const bot = desk.botOf(strategy, now)
      if (without.includes(id)) desk.engine.setAside(bot, contextFor(bot), "operator")
      else desk.engine.readmit(bot, contextFor(bot))
    }
  }
  const aside = [...desk.roster.all()].filter(isAside).map(({ strategy }) => strategy.id)
  if (aside.length > 0)
    yield* Effect.logWarning(
      `set aside, and without events until they have new settings: strategies ${aside.join(", ")}`
    )
})

/** Lets requests be answered between two pieces of a long work. */
export const breathe = Effect.sleep(0)

/** For how long a start waits for what exchanges know of orders in flight: the rest is asked about while we run. */
const REPORT_MS = 10_000

/** What became of the orders under way while nobody was there: asked, taken in, and told. */
const reconcile = Effect.fnUntraced(function* (desk: Desks.Desk, turn: Turn) {
  const before = yield* underWay(desk)
  if (before.length === 0) return
  const { whole } = yield* inquiry(desk, turn)
  yield* Effect.timeoutOption(whole, REPORT_MS)
  const left = new Set((yield* underWay(desk)).map(({ ticket }) => ticket.order.id))
  for (const { bot, ticket } of before) {
    const { exchange, id, live, pair, quantity, side, type } = ticket.order
    if (live === undefined) continue
    const what = `order ${id} of strategy ${bot.strategy.id} (${type}: ${side} ${Decimal.toText(quantity)} ${pair} on ${exchange})`
    const isResting = type === "stop" && left.has(id)
    yield* Effect.logInfo(
      `${what}: ${isResting ? "rests at the exchange" : left.has(id) ? "not known yet, asked about further" : "settled"}`
    )
  }
  // What was decided on since is not of the last run.
  const unsettled = before.filter(({ ticket }) => left.has(ticket.order.id)).length
  yield* Effect.logInfo(
    `orders in flight at the last end: ${before.length - unsettled} settled, ${unsettled} asked about further`
  )
})

/** One at a time: whoever has its turn may let the bots decide. */
export type Turn = <A>(self: Effect.Effect<A>) => Effect.Effect<A>

/** Orders of which the end is not known: in flight, or resting at an exchange. */
const underWay = (desk: Desks.Desk): Effect.Effect<ReadonlyArray<Asked>> =>
  Effect.map(desk.present, (contextFor) =>
    [...desk.roster.all()].flatMap((bot) =>
      Object.values(isAside(bot) ? {} : bot.record.state.slots).flatMap(({ order, stop, stopEnding }) =>
        [order, stop].flatMap((it) =>
          it === undefined || desk.isAwaited(it.id)
            ? []
            : [
                {
                  bot,
                  ticket: { order: it, fees: contextFor(bot).fees(it), at: it.at },
                  isResting: it === stop && stopEnding !== true,
                  isEnding: it === stop && stopEnding === true
                }
              ]
        )
      )
    )
  )

interface Asked extends Sending<Order> {
  /** A stop may rest for weeks: it is asked about less often. */
  readonly isResting: boolean
  /** It is to be taken back, and nobody has said that it was. */
  readonly isEnding: boolean
}

/** The most orders of an account that are asked about at a time. */
const ASKED_AT_ONCE = 8

/**
 * Orders under way are asked about, never sent again. What is said of each is taken in and stored in a `turn`; so is the
 * list of them taken, when all that was decided is sent or on its way. One that is to end is asked to once more: that
 * is harmless. An account whose exchange is slow to answer holds up no other's. To be made once, and run again and again.
 */
export const inquiry = Effect.fnUntraced(function* (desk: Desks.Desk, turn: Turn) {
  const exchange = yield* Exchange
  const pace = new Pace()

  const due = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const all = yield* turn(underWay(desk))
    pace.keep(new Set(all.map(nameOf)))
    return all.filter((it) => pace.isDue(nameOf(it), it.isResting, now))
  })

  const ask = (sending: Asked) =>
    Effect.flatMap(
      asked(
        sending.isEnding ? takenBack(exchange, sending.ticket) : exchange.lookup(sending.ticket),
        sending.ticket.order.id,
        desk.scope
      ),
      (said) => turn(Effect.zipRight(desk.takeIn(sending, said), desk.settle()))
    )

  /** Accounts whose orders are being asked about. */
  const busy = new Set<number>()
  const ofAccount = (account: number, all: ReadonlyArray<Asked>) =>
    Effect.suspend(() => {
      if (busy.has(account)) return Effect.void
      busy.add(account)
      return Effect.forEach(all, ask, { concurrency: ASKED_AT_ONCE, discard: true }).pipe(
        Effect.ensuring(Effect.sync(() => busy.delete(account)))
      )
    })
  const rounds = Effect.map(due, (all) =>
    [...new Set(all.map(accountOf))].map((account) =>
      ofAccount(
        account,
        all.filter((it) => accountOf(it) === account)
      )
    )
  )

  return {
    /** Ends when all have been asked about. */
    whole: Effect.flatMap(rounds, (all) => Effect.all(all, { concurrency: "unbounded", discard: true })),
    /** Does not wait for answers. */
    begun: Effect.flatMap(rounds, (all) =>
      Effect.forEach(all, (round) => Effect.forkIn(Effect.catchAllCause(round, stumbled), desk.scope), {
        discard: true
      })
    )
  }
})

/** What is asked of an order: that it is to end is asked as if nothing had been. */
const nameOf = ({ isEnding, isResting, ticket }: Asked): string =>
  `${ticket.order.id}${isResting ? " rests" : isEnding ? " is to end" : ""}`

/** Paper orders are nobody's. */
const accountOf = ({ ticket }: Asked): number => ticket.order.live?.account ?? 0

const stumbled = (cause: Cause.Cause<never>) =>
  Cause.isInterruptedOnly(cause)
    ? Effect.void
    : Effect.logError("the engine stumbled while it asked about orders, and goes on", cause)
