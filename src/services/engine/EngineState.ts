// The engine with everything around it: bots, prices, backlog, orders, and `settle`, which stores and sends what was
// decided. Only one fiber at a time may use it, because a bot must not change while its steps are being stored.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type { StartingBalances } from "../../domain/Bot.ts"
import type { FillModel } from "../../domain/fills/FillModel.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import { unlistedIn } from "../../domain/market/VenueList.ts"
import type { Partition } from "../../domain/Partition.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { Ticker } from "../../domain/Ticker.ts"
import type { AlertPatience } from "../../trading/AlertPatience.ts"
import { Venues } from "../feeds/Venues.ts"
import { Markets } from "../Markets.ts"
import { Performance } from "../Performance.ts"
import { Backlog } from "./alerts/Backlog.ts"
import * as Breath from "./Breath.ts"
import { Decisions } from "./Decisions.ts"
import { contextOf, type Prices } from "./decide/Context.ts"
import { OutcomeQuota } from "./decide/OutcomeQuota.ts"
import * as Engine from "./Engine.ts"
import { EngineLimits } from "./EngineLimits.ts"
import * as Enlistment from "./Enlistment.ts"
import { forget } from "./Forgetting.ts"
import * as HaltWatch from "./HaltWatch.ts"
import * as OrderSender from "./orders/OrderSender.ts"
import { OrdersInFlight } from "./orders/OrdersInFlight.ts"
import { LastPrices } from "./prices/LastPrices.ts"
import { NeededMarkets } from "./prices/NeededMarkets.ts"
import { Room } from "./Room.ts"
import { type BotEntry, Roster } from "./Roster.ts"
import { Share } from "./Share.ts"
import { JudgedCursors } from "./store/JudgedCursors.ts"
import * as Recovery from "./store/Recovery.ts"
import * as Reload from "./store/Reload.ts"
import * as Settling from "./store/Settling.ts"

/** `paper`: starting balances of new strategies. `paperFills`: how their fills are made nearer to life, if they are. `patience`: how long held alerts wait. */
export interface Options {
  readonly paper: StartingBalances
  readonly paperFills?: FillModel | undefined
  readonly patience: AlertPatience
  /** Strategies that the operator sets aside at the start (`without`) and takes back (`with`). */
  readonly without?: ReadonlyArray<number>
  readonly with?: ReadonlyArray<number>
  /** Whether the engine begins without partitions: `EnginePartitions` gives it some. Without it, it takes all. */
  readonly isShared?: boolean
}

/** The state in memory. It starts without partitions, and so without bots: `Startup.begin` enlists those of some. */
const opened = Effect.fnUntraced(function* ({ paper, paperFills, patience }: Options) {
  const { catalogue } = yield* Markets
  const performance = yield* Performance
  const { own } = yield* Decisions
  const limits = yield* EngineLimits
  const quota = new OutcomeQuota(limits.outcomesPerDay)
  const backlog = new Backlog(0, new Room(limits))
  const cursors = new JudgedCursors(backlog)
  const share = new Share()
  const needs = new NeededMarkets()
  const roster = new Roster(needs)
  const marks = new LastPrices()
  const orders = new OrdersInFlight()
  const again = ({ strategy }: BotEntry) => backlog.defer(strategy)
  const engine = Engine.make({ roster, orders, performance, patience, paper, quota, again })
  /** Builds contexts for this moment, with these prices. */
  const presentBy = (quoteAt: (id: MarketId, now: number) => Ticker | undefined) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const known = yield* catalogue
      const prices: Prices = { quote: (id: MarketId) => quoteAt(id, now), feed: marketKey }
      return (bot: BotEntry) => contextOf(bot, { roster, catalogue: known, prices, now, own, paperFills })
    })
  /** With fresh prices only. */
  const present = presentBy((id, now) => marks.fresh(id, now))
  /** With the last candle's close too, in a replay: what a person asks about there need not wait for a candle. */
  const presentOrClosed = presentBy((id, now) => marks.fresh(id, now) ?? marks.close(id))
  const blank = Enlistment.blankOf(paper, performance)
  return {
    backlog,
    blank,
    catalogue,
    cursors,
    engine,
    marks,
    needs,
    orders,
    own,
    paperFills,
    present,
    presentBy,
    presentOrClosed,
    quota,
    roster,
    share
  }
})

/** Opens the engine's state. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const memory = yield* opened(options)
  const { cursors, engine, present, roster } = memory
  const breath = Breath.make()
  const scope = yield* Effect.scope
  const sender = yield* OrderSender.make({
    engine,
    present,
    scope,
    lastScope: yield* Scope.fork(scope, ExecutionStrategy.sequential),
    breath,
    isEnlisted: (bot) => Option.contains(roster.get(bot.strategy.id), bot)
  })
  const reload = yield* Reload.make(memory)
  const taken = (lost: ReadonlySet<Partition>) =>
    Effect.zipRight(
      Effect.sync(() => forget(memory, lost)),
      Effect.logWarning(`another server has taken over ${lost.size} partitions: their bots run there now`)
    )
  const { abandon, settle } = yield* Settling.make({
    ...{ engine, cursors, reload, sender, present, breath },
    forget: taken
  })
  const { changed, applyHalts, isHalted } = yield* HaltWatch.make(roster, engine, present, settle)
  const venues = yield* Venues
  const enlistment = Enlistment.make({ ...memory, periods: engine.periods, isHalted })
  return {
    ...memory,
    ...enlistment,
    recovery: yield* Recovery.make,
    scope,
    breath,
    settle,
    abandon,
    applyHalts,
    halted: changed,
    takeIn: sender.takeIn,
    answers: sender.answers,
    isAwaited: sender.isAwaited,
    /**
     * The venues of a strategy that this server does not list. None for a bot with real money: its exchange is one that
     * every server knows, and its positions need their exits.
     */
    unlisted: ({ id, settings }: Strategy): ReadonlyArray<string> =>
      Option.exists(roster.get(id), ({ record }) => record.state.live !== undefined)
        ? []
        : unlistedIn(venues, settings),
    /** Whether an order of this strategy waits to be sent. */
    isSending: (id: Strategy["id"]): boolean =>
      Option.exists(roster.get(id), (bot) => engine.outbox.isSending(bot)),
    /** The id of the last alert up to which every alert is judged. */
    cursor: () => cursors.lowest
  }
})

export type EngineState = Effect.Effect.Success<ReturnType<typeof make>>
