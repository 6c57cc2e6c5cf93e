// The engine's state and its commits: `settle` stores steps, sends their orders and takes in the reports, until nothing
// is left to do. Only one fiber at a time may use it, because a bot must not change while its steps are being stored. A
// crash before the commit loses no alert, since the journal is read again; a crash after it leaves orders that are looked
// up by id.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { StartingBalances } from "../../domain/Bot.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import type { Order } from "../../domain/Order.ts"
import { type Partition, partitionOf, partitions } from "../../domain/Partition.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { onPaper } from "../../trading/Arming.ts"
import { start } from "../../trading/Bot.ts"
import type { Patience } from "../../trading/Patience.ts"
import { Exchange } from "../Exchange.ts"
import { Markets } from "../Markets.ts"
import { Performance } from "../Performance.ts"
import { type BotRecord, type Cursors, Portfolio, type Step } from "../Portfolio.ts"
import { dayOf } from "../records/Results.ts"
import { Backlog } from "./alerts/Backlog.ts"
import * as Breath from "./Breath.ts"
import { type ContextFor, contextOf, type Prices } from "./Context.ts"
import * as Engine from "./Engine.ts"
import { EngineLimits } from "./EngineLimits.ts"
import * as HaltWatch from "./HaltWatch.ts"
import * as Observer from "./Observer.ts"
import { OrderLoopGuard } from "./OrderLoopGuard.ts"
import { OutcomeQuota } from "./OutcomeQuota.ts"
import * as OrderSender from "./orders/OrderSender.ts"
import { Orders } from "./orders/Orders.ts"
import type { OutgoingOrder } from "./orders/OutgoingOrder.ts"
import { LastPrices } from "./prices/LastPrices.ts"
import { NeededMarkets } from "./prices/NeededMarkets.ts"
import * as Recovery from "./Recovery.ts"
import { Room } from "./Room.ts"
import { type BotEntry, fresh, Roster } from "./Roster.ts"
import * as Store from "./Store.ts"

/** `paper`: starting balances of new strategies. `patience`: how long held alerts wait. */
export interface Options {
  readonly paper: StartingBalances
  readonly patience: Patience
  /** Strategies that the operator sets aside at the start (`without`) and takes back (`with`). */
  readonly without?: ReadonlyArray<number>
  readonly with?: ReadonlyArray<number>
}

/** Steps that are being committed. */
interface Storing {
  readonly fiber: Fiber.Fiber<Store.Refused>
  readonly steps: ReadonlyArray<Step>
  readonly sendings: ReadonlyArray<OutgoingOrder>
  readonly cancels: ReadonlyArray<OutgoingOrder<Order>>
  readonly cursors: Cursors
  /** When the commit began, on the clock of the meters. */
  readonly startedAt: number
}

/** Opens the state: reads the journal's cursors, and starts without bots (`Start.load` enlists them). */
export const make = Effect.fnUntraced(function* ({ paper, patience }: Options) {
  const portfolio = yield* Portfolio
  const markets = yield* Markets
  const performance = yield* Performance
  const store = yield* Store.make
  const observer = yield* Observer.make
  const recall = yield* Recovery.make
  const ambient = yield* Effect.context<never>()
  const scope = yield* Effect.scope

  const stored = new Map(yield* portfolio.cursors)
  const limits = yield* EngineLimits
  const backlog = new Backlog(Math.min(...stored.values()), new Room(limits))
  const begunAt = yield* Clock.currentTimeMillis
  const quota = new OutcomeQuota(limits.outcomesPerDay, begunAt, yield* portfolio.outcomesOn(dayOf(begunAt)))
  const needs = new NeededMarkets()
  const roster = new Roster(needs)
  const marks = new LastPrices()
  const orders = new Orders()
  const again = ({ strategy }: BotEntry) => backlog.defer(strategy)
  const engine = Engine.make(roster, orders, performance, patience, paper, quota, again)
  let storing: Storing | undefined
  const breath = Breath.make()
  /** Builds contexts for this moment, with fresh prices only. */
  const present = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const catalogue = yield* markets.catalogue
    const prices: Prices = { quote: (id: MarketId) => marks.fresh(id, now), feed: marketKey }
    return (bot: BotEntry) => contextOf(bot, roster, catalogue, prices, now)
  })

  const counter = OrderSender.make(
    yield* Exchange,
    engine,
    present,
    scope,
    yield* Queue.unbounded<OrderSender.Answer>(),
    breath
  )

  /** The cursors of these partitions that have moved since they were stored. */
  const moved = (some: Iterable<Partition>): Cursors => {
    const behind = backlog.behind()
    const cursors = new Map<Partition, number>()
    for (const partition of some) {
      const cursor = behind.get(partition) ?? backlog.front
      if (cursor > (stored.get(partition) ?? 0)) cursors.set(partition, cursor)
    }
    return cursors
  }

  /** Starts a commit of all steps so far, if there is anything to commit. */
  const handOver = Effect.fnUntraced(function* (withCursors: boolean) {
    const { cancels, faults, sendings, setAside, steps } = engine.take()
    for (const { bot, cause } of faults) {
      yield* Effect.logError(`the bot of strategy ${bot.strategy.id} could not decide`, Cause.die(cause))
    }
    for (const { strategy } of setAside) {
      yield* Effect.logError(
        `the bot of strategy ${strategy.id} made too many decisions on one event, and is set aside: it does nothing until the strategy has new settings`
      )
    }
    const cursors = moved(
      withCursors ? partitions : new Set(steps.map(({ account }) => partitionOf(account)))
    )
    if (steps.length === 0 && cursors.size === 0) return
    const startedAt = observer.now()
    // A daemon fiber, outside of any transaction: where the waiter is interrupted, the commit goes on and the next
    // waiter joins it.
    const fiber = yield* store(steps, cursors).pipe(
      Effect.mapInputContext((_: Context.Context<never>) => ambient),
      Effect.interruptible,
      Effect.forkDaemon
    )
    storing = { fiber, steps, sendings, cancels, cursors, startedAt }
  })

  /**
   * Stores the steps so far, sends their orders, takes in the reports, and repeats until nothing is left to do now. A
   * cursor that moved past alerts which concerned nobody is stored only with `withCursors`: it is not worth a commit of
   * its own.
   */
  const settle = Effect.fnUntraced(function* (contextFor?: ContextFor, withCursors = false) {
    const rounds = new OrderLoopGuard()
    for (;;) {
      if (storing === undefined && engine.isIdle() && !(withCursors && moved(partitions).size > 0)) return
      const doing = yield* Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          if (storing === undefined) yield* handOver(withCursors)
          if (storing === undefined) return false
          const { cancels, cursors, fiber, sendings, startedAt, steps } = storing
          const refused = yield* restore(Fiber.join(fiber))
          const stepsOf = (id: Strategy["id"]) => steps.filter(({ bot }) => bot.strategy === id)
          yield* Effect.forEach(refused, (id) => reload(id, stepsOf(id)), { discard: true })
          if (refused.size === 0) keptOnce.clear()
          storing = undefined
          if (contextFor === undefined) yield* breath.pause
          if (refused.size === 0) for (const [partition, cursor] of cursors) stored.set(partition, cursor)
          yield* observer.stored(steps, refused, startedAt)
          for (const bot of rounds.after(steps, sendings)) engine.setAside(bot, (yield* present)(bot))
          const isStored = ({ bot }: OutgoingOrder<Order>) => !refused.has(bot.strategy.id)
          yield* counter.send(sendings.filter(isStored), cancels.filter(isStored), contextFor)
          return true
        })
      )
      if (!doing) return
    }
  })

  const heeding = yield* HaltWatch.make(roster, engine, present, settle)

  /** Stops trying to store: for the shutdown with a disk that does not come back. */
  const abandon = Effect.suspend(() => (storing === undefined ? Effect.void : Fiber.interrupt(storing.fiber)))

  /**
   * Alerts that are held a second time because their answer was refused by the store; cleared once nothing is refused.
   */
  const keptOnce = new Set<string>()

  /**
   * Puts a bot back to its state on disk after the store refused its steps for good. Alerts that it had answered are
   * held and judged again, once: if that is refused too, they are dropped.
   */
  const reload = Effect.fnUntraced(function* (id: Strategy["id"], steps: ReadonlyArray<Step>) {
    for (const { outcomes } of steps) for (const { account, at } of outcomes) quota.add(account, at, -1)
    const bot = Option.getOrUndefined(roster.get(id))
    if (bot === undefined) return
    for (const { order, stop } of Object.values(bot.record.state.slots)) {
      if (order !== undefined) orders.forget(order.id)
      if (stop !== undefined) orders.forget(stop.id)
    }
    const kept = yield* recall.waiting(id)
    const known = new Set(kept.map(({ held }) => held.alert.id))
    const lost = steps
      .flatMap(({ outcomes, waits }) => [
        ...outcomes.map(({ alertId }) => alertId),
        ...waits.map(({ alert }) => alert)
      ])
      .filter((alert) => !known.has(alert) && !keptOnce.has(`${alert}:${id}`))
    const record = yield* portfolio.bot(id)
    if (record === undefined && lost.length === 0) return roster.delete(id)
    bot.record = record ?? blank(bot.strategy)
    if (record === undefined) engine.open(bot, yield* Clock.currentTimeMillis)
    for (const { fills, order, status } of yield* recall.unsettled(id)) orders.recall(order, status, fills)
    for (const { alert } of [...bot.held]) if (!known.has(alert.id)) bot.held.drop(alert.id)
    for (const { held } of kept) bot.held.add(held)
    const context = (yield* present)(bot)
    for (const alert of yield* recall.alerts(lost)) {
      keptOnce.add(`${alert.id}:${id}`)
      engine.safely(bot, () => engine.hold(bot, alert, context))
    }
    roster.reindex(bot)
    engine.safely(bot, () => engine.look(bot, context))
  })

  /** The strategy's bot; a new one where it has none yet. */
  const botOf = (strategy: Strategy, now: number): BotEntry =>
    Option.getOrElse(roster.get(strategy.id), () => {
      const bot = enlist(strategy, blank(strategy))
      engine.open(bot, now)
      return bot
    })

  const enlist = (strategy: Strategy, record: BotRecord): BotEntry => {
    const bot = fresh(strategy, record)
    bot.halted = heeding.isHalted(strategy)
    roster.put(bot)
    return bot
  }

  /** A copy of the strategy's bot for trials, outside of the roster. */
  const copyOf = (strategy: Strategy): BotEntry => {
    const bot = Option.getOrUndefined(roster.get(strategy.id))
    if (bot === undefined) return { ...fresh(strategy, blank(strategy)), halted: heeding.isHalted(strategy) }
    roster.bringUp(bot)
    const copy = { ...fresh(bot.strategy, bot.record), halted: bot.halted }
    for (const held of bot.held) copy.held.add(held)
    return copy
  }

  const blank = ({ createdAt, id, settings }: Strategy): BotRecord => ({
    strategy: id,
    state: start(settings.quote, paper[settings.quote]),
    tally: performance.begin(paper[settings.quote], createdAt * 1000),
    step: 0
  })

  /** Starts a new period in another quote currency. The bot must be flat. */
  const restart = (bot: BotEntry, now: number): void => {
    const { quote } = bot.strategy.settings
    engine.begin(bot, onPaper(bot.record.state, paper[quote], quote), now)
  }

  return {
    /** Whether an order of this strategy waits to be sent. */
    isSending: (id: Strategy["id"]): boolean => Option.exists(roster.get(id), engine.isSending),
    needs,
    roster,
    marks,
    orders,
    recall,
    scope,
    breath,
    engine,
    present,
    settle,
    abandon,
    botOf,
    copyOf,
    enlist,
    restart,
    heed: heeding.heed,
    halted: heeding.changed,
    takeIn: counter.takeIn,
    answers: counter.answers,
    isAwaited: counter.isAwaited,
    catalogue: markets.catalogue,
    backlog,
    quota,
    /** The id of the last alert up to which every alert is judged. */
    cursor: () => Math.min(backlog.front, ...backlog.behind().values())
  }
})

export type EngineState = Effect.Effect.Success<ReturnType<typeof make>>
