// Start-up is recovery: it loads the bots, the held alerts and the orders whose end is unknown, and asks the exchanges
// about those orders. No order is ever sent again.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { Portfolio } from "../Portfolio.ts"
import { StrategyStore } from "../StrategyStore.ts"
import type * as EngineState from "./EngineState.ts"
import * as OrderInquiry from "./orders/OrderInquiry.ts"
import { isAside } from "./Roster.ts"
import * as FigureRebuild from "./store/FigureRebuild.ts"
import type { Turns } from "./Turns.ts"

/** Loads everything that the last run stored, and returns all strategies as of then. */
export const load = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  turns: Turns,
  options: EngineState.Options
) {
  const portfolio = yield* Portfolio
  const all = yield* (yield* StrategyStore).all
  const strategies = new Map(all.map((strategy) => [strategy.id, strategy]))
  for (const record of yield* portfolio.bots) {
    const strategy = strategies.get(record.strategy)
    if (strategy !== undefined) engineState.enlist(strategy, record)
  }
  for (const { held, strategy } of yield* engineState.recovery.waiting()) {
    Option.map(engineState.roster.get(strategy), (bot) => bot.held.add(held))
  }
  for (const { fills, order, status } of yield* engineState.recovery.unsettled())
    engineState.orders.recall(order, status, fills)
  yield* admit(engineState, strategies, options)
  const contextFor = yield* engineState.present
  for (const bot of engineState.roster.all()) {
    engineState.roster.reindex(bot)
    const context = contextFor(bot)
    engineState.engine.faults.attempt(bot, () => {
      // A bot that a restore disarmed may be flat already: then it goes back on paper.
      engineState.engine.periods.backToPaper(bot, context.now)
      engineState.engine.adoption.updateWatch(bot, context)
    })
  }
  yield* engineState.settle()
  yield* reconcile(engineState, turns)
  // After the orders, which matter more. No loop runs yet, so this is alone with the bots.
  yield* FigureRebuild.run(engineState)
  yield* engineState.settle()
  return all
})

/** Sets aside and takes back the strategies that the operator names, before any bot looks at a price. */
const admit = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  strategies: ReadonlyMap<number, Strategy>,
  { with: back = [], without = [] }: EngineState.Options
) {
  const now = yield* Clock.currentTimeMillis
  const contextFor = yield* engineState.present
  for (const id of [...without, ...back]) {
    const strategy = strategies.get(id)
    if (strategy === undefined)
      yield* Effect.logWarning(`there is no strategy ${id} to start with or without`)
    else {
      const bot = engineState.botOf(strategy, now)
      if (without.includes(id)) engineState.engine.adoption.setAside(bot, contextFor(bot), "operator")
      else engineState.engine.aside.readmit(bot, contextFor(bot))
    }
  }
  const aside = [...engineState.roster.all()].filter(isAside).map(({ strategy }) => strategy.id)
  if (aside.length > 0)
    yield* Effect.logWarning(`strategies set aside until they have new settings: ${aside.join(", ")}`)
})

/**
 * How long the start waits for exchanges to report on open orders (ms); the rest is asked about while the server runs.
 */
const REPORT_MS = 10_000

/** Asks about the orders that were open at the last shutdown, and logs what became of each. */
const reconcile = Effect.fnUntraced(function* (engineState: EngineState.EngineState, turns: Turns) {
  const before = yield* OrderInquiry.underWay(engineState)
  if (before.length === 0) return
  const { whole } = yield* OrderInquiry.make(engineState, turns)
  yield* Effect.timeoutOption(whole, REPORT_MS)
  const left = new Set((yield* OrderInquiry.underWay(engineState)).map(({ ticket }) => ticket.order.id))
  for (const { bot, ticket } of before) {
    const { exchange, id, live, pair, quantity, side, type } = ticket.order
    if (live === undefined) continue
    const what = `order ${id} of strategy ${bot.strategy.id} (${type}: ${side} ${Decimal.toText(quantity)} ${pair} on ${exchange})`
    const isResting = type === "stop" && left.has(id)
    const open = isResting ? "rests at the exchange" : "not known yet, still being asked about"
    yield* Effect.logInfo(`${what}: ${left.has(id) ? open : "settled"}`)
  }
  // Orders decided since the start do not count: they are not of the last run.
  const unsettled = before.filter(({ ticket }) => left.has(ticket.order.id)).length
  yield* Effect.logInfo(
    `orders in flight at the last shutdown: ${before.length - unsettled} settled, ${unsettled} still being asked about`
  )
})
