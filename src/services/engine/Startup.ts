// Start-up is recovery: it loads the bots, the held alerts and the orders whose end is unknown, and asks the exchanges
// about those orders. No order is ever sent again.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { type Partition, partitionOf, partitions } from "../../domain/Partition.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import { Journal } from "../Journal.ts"
import { type Beginning, Portfolio } from "../Portfolio.ts"
import { dayOf } from "../records/Results.ts"
import { StrategyStore } from "../StrategyStore.ts"
import { breathe } from "./Breath.ts"
import type * as EngineState from "./EngineState.ts"
import * as OrderInquiry from "./orders/OrderInquiry.ts"
import { type BotEntry, isAside } from "./Roster.ts"
import * as FigureRebuild from "./store/FigureRebuild.ts"
import type { Turns } from "./Turns.ts"

/** A strategy by its id. */
type Strategies = ReadonlyMap<number, Strategy>

/** Everything that is stored of partitions. */
interface Stored extends Beginning {
  readonly partitions: ReadonlySet<Partition>
  readonly strategies: Strategies
  /** The last alert: whatever is in the journal after it was judged by nobody else. */
  readonly last: number
  /** When the outcomes were counted (ms), and how many the accounts have on that UTC day. */
  readonly at: number
  readonly outcomes: ReadonlyMap<AccountId, number>
}

/**
 * Makes the reading of what was stored of partitions that no other engine runs any more. It asks `goOn` after each answer,
 * and ends where that fails. Run it in a turn, or before there are any.
 */
export const reading = Effect.gen(function* () {
  const portfolio = yield* Portfolio
  const journal = yield* Journal
  const store = yield* StrategyStore

  return Effect.fnUntraced(function* <E>(
    partitions: ReadonlySet<Partition>,
    goOn: Effect.Effect<void, E>
  ): Effect.fn.Return<Stored, E> {
    const stored = yield* portfolio.begin(partitions)
    yield* goOn
    const last = yield* journal.last
    yield* goOn
    const strategies: Strategies = new Map((yield* store.within(partitions)).map((it) => [it.id, it]))
    yield* goOn
    const at = yield* Clock.currentTimeMillis
    const counts = yield* portfolio.outcomesOn(dayOf(at))
    yield* goOn
    const outcomes = new Map([...counts].filter(([account]) => partitions.has(partitionOf(account))))
    return { ...stored, partitions, strategies, last, outcomes, at }
  })
})

/** Makes the beginning with what was read, in the same turn; returns the strategies and bots. */
export const beginning = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  options: EngineState.Options
) {
  const { cursors, enlist, orders, quota, recovery, roster, share } = engineState

  return Effect.fnUntraced(function* (stored: Stored) {
    const { strategies } = stored
    quota.begin(stored.at, stored.outcomes)
    cursors.begin(stored.cursors)
    share.add(stored.partitions, stored.last)
    for (const record of stored.bots) {
      const strategy = strategies.get(record.strategy)
      if (strategy !== undefined) enlist(strategy, record)
    }
    for (const { held, strategy } of yield* recovery.waiting(stored.waiting))
      Option.map(roster.get(strategy), (bot) => bot.held.add(held))
    for (const { fills, order, status } of yield* recovery.unsettled(stored.unsettled))
      orders.recall(order, status, fills)
    yield* admit(engineState, strategies, options)
    yield* list(engineState, [...strategies.values()])
    const bots = [...strategies.keys()].flatMap((id) => Option.toArray(roster.get(StrategyId.make(id))))
    yield* look(engineState, bots)
    return { strategies, bots }
  })
})

/** Begins with all partitions, before anything else runs; returns all strategies. */
export const load = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  turns: Turns,
  options: EngineState.Options
) {
  const { with: back = [], without = [] } = options
  const [read, begin] = [yield* reading, yield* beginning(engineState, options)]
  const { bots, strategies } = yield* Effect.flatMap(read(new Set(partitions), Effect.void), begin)
  for (const id of [...without, ...back])
    if (!strategies.has(id)) yield* Effect.logWarning(`there is no strategy ${id} to start with or without`)
  yield* reconcile(engineState, turns)
  // After the orders, which matter more. No loop runs yet, so this is alone with the bots.
  yield* Effect.flatMap(FigureRebuild.make(engineState), (rebuild) => rebuild(bots))
  yield* engineState.settle()
  return strategies
})

/** Gives bots their place in the indexes, and lets them find out what they have to watch. */
const look = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  bots: ReadonlyArray<BotEntry>
) {
  const { adoption, faults, periods } = engineState.engine
  const contextFor = yield* engineState.present
  for (const [place, bot] of bots.entries()) {
    engineState.roster.reindex(bot)
    const context = contextFor(bot)
    faults.attempt(bot, () => {
      // A bot that a restore disarmed may be flat already: then it goes back on paper.
      periods.backToPaper(bot, context.now)
      adoption.updateWatch(bot, context)
    })
    if (place % COMPANY === COMPANY - 1) yield* breathe
  }
  yield* engineState.settle()
})

/** Bots that are loaded before the event loop gets a turn. */
const COMPANY = 256

/** Sets aside and takes back the strategies that the operator names, before any bot looks at a price. */
const admit = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  strategies: Strategies,
  { with: back = [], without = [] }: EngineState.Options
) {
  const now = yield* Clock.currentTimeMillis
  const contextFor = yield* engineState.present
  for (const id of [...without, ...back]) {
    const strategy = strategies.get(id)
    if (strategy !== undefined) {
      const bot = engineState.botOf(strategy, now)
      if (without.includes(id)) engineState.engine.adoption.setAside(bot, contextFor(bot), "operator")
      else engineState.engine.aside.readmit(bot, contextFor(bot))
    }
  }
  const aside = [...engineState.roster.all()]
    .filter((bot) => isAside(bot) && bot.record.state.unlisted !== true)
    .map(({ strategy }) => strategy.id)
  if (aside.length > 0)
    yield* Effect.logWarning(`strategies set aside until they have new settings: ${aside.join(", ")}`)
})

/** Sets aside the strategies with venues that this server does not list, and takes back those that it lists again. */
const list = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  strategies: ReadonlyArray<Strategy>
) {
  const { adoption, aside } = engineState.engine
  const now = yield* Clock.currentTimeMillis
  const contextFor = yield* engineState.present
  const found = new Map<string, Array<Strategy["id"]>>()
  for (const strategy of strategies) {
    const unlisted = engineState.unlisted(strategy)
    if (unlisted.length === 0) {
      const bot = Option.getOrUndefined(engineState.roster.get(strategy.id))
      if (bot?.record.state.unlisted === true) aside.readmit(bot, contextFor(bot))
      continue
    }
    const bot = engineState.botOf(strategy, now)
    adoption.setAside(bot, contextFor(bot), { unlisted })
    const names = unlisted.join(" and ")
    found.set(names, [...(found.get(names) ?? []), strategy.id])
  }
  for (const [names, ids] of found)
    yield* Effect.logWarning(
      `this server does not list ${names}, so strategies do nothing: ${ids.join(", ")}`
    )
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
