// The whole server without a listener, composed from in-memory layers. It imports nothing of SQLite, the exchanges or
// Bun, so it runs on Node and in a browser.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Composition from "./Composition.ts"
import { STARTING_BALANCES } from "./domain/Bot.ts"
import { MAX_PAIRS } from "./domain/Strategy.ts"
import { Accounts } from "./services/Accounts.ts"
import type { Backtester } from "./services/Backtester.ts"
import { Backups } from "./services/Backups.ts"
import * as MemoryBacktester from "./services/backtest/MemoryBacktester.ts"
import { Copies } from "./services/directory/Copies.ts"
import { Directory } from "./services/directory/Directory.ts"
import { Events } from "./services/Events.ts"
import { Exchange } from "./services/Exchange.ts"
import { ExchangeAccounts } from "./services/ExchangeAccounts.ts"
import type { Options as BotOptions } from "./services/engine/EngineState.ts"
import { EquityHistory } from "./services/equity/EquityHistory.ts"
import * as EquitySampler from "./services/equity/EquitySampler.ts"
import { Candles } from "./services/feeds/Candles.ts"
import * as MemoryMarkets from "./services/feeds/MemoryMarkets.ts"
import { Storage } from "./services/health/Storage.ts"
import { Idempotency } from "./services/Idempotency.ts"
import { Journal } from "./services/Journal.ts"
import { Commands } from "./services/money/Commands.ts"
import { Halts } from "./services/money/Halts.ts"
import { Orders } from "./services/money/Orders.ts"
import { Wallets } from "./services/money/Wallets.ts"
import { Chats } from "./services/notify/Chats.ts"
import { Outbound } from "./services/notify/Outbound.ts"
import { Targets } from "./services/notify/Targets.ts"
import { Portfolio } from "./services/Portfolio.ts"
import * as PriceFeed from "./services/PriceFeed.ts"
import type { Rates } from "./services/RateLimits.ts"
import { MemoryState } from "./services/records/MemoryState.ts"
import { Results } from "./services/records/Results.ts"
import { SignInCodes } from "./services/records/SignInCodes.ts"
import { Trades } from "./services/records/Trades.ts"
import { WhatIfTries } from "./services/records/WhatIfTries.ts"
import { ActiveRules } from "./services/rules/ActiveRules.ts"
import { RuleWitnesses } from "./services/rules/RuleWitnesses.ts"
import { Sessions } from "./services/Sessions.ts"
import { Signals } from "./services/Signals.ts"
import { StrategyStore } from "./services/StrategyStore.ts"
import { Timeline } from "./services/Timeline.ts"
import { DEFAULT_PATIENCE } from "./trading/AlertPatience.ts"

/** Options of a server in memory; each default is the real server's. */
export interface Options extends Partial<BotOptions> {
  readonly maxPairs?: number
  readonly rates?: Rates
  /**
   * Whether equity is sampled each minute, as the real server does, for figures that are marked to the market. Left out
   * it is not: then nothing has a timer, and a test clock moves a year within milliseconds.
   */
  readonly sampleEquity?: boolean
}

/** Stores that need no other port. */
const stores = Layer.mergeAll(
  Accounts.layerMemory,
  Signals.layerMemory,
  ActiveRules.layerMemory,
  RuleWitnesses.layerMemory,
  SignInCodes.layerMemory,
  WhatIfTries.layerMemory,
  Backups.layerMemory,
  StrategyStore.layerMemory,
  Directory.layerMemory,
  Copies.layerMemory,
  MemoryMarkets.layer,
  Timeline.layerMemory,
  Idempotency.layerMemory,
  Portfolio.layerMemory,
  EquityHistory.layerMemory,
  Orders.layerMemory,
  Halts.layerMemory,
  Commands.layerMemory,
  Targets.layerMemory,
  Chats.layerMemory,
  Trades.layerMemory,
  Storage.layerMemory,
  ExchangeAccounts.layerMemory,
  Journal.layerMemory
).pipe(Layer.provideMerge(MemoryState.layer))

/** Ports that read from the stores. */
const readings = Layer.mergeAll(Sessions.layerMemory, Events.layerMemory, Results.layerMemory)

/** All records in memory, over one shared state. */
export const ports = Layer.provideMerge(readings, stores)

/** The outside world: prices published by hand, paper trading, no candles, no posting. */
const outside = (rates: Rates) =>
  Layer.mergeAll(
    Composition.rules(rates),
    Exchange.layerPaper,
    Wallets.layerMemory(),
    PriceFeed.layer("published by hand"),
    Candles.layerNone,
    Outbound.layerNone
  )

/** The services of a server in memory. */
export type Services = Composition.UseCases | Composition.Ports | MemoryState | PriceFeed.PriceFeed

/** The services that a layer of your own may use. */
export type Beneath = Exclude<Services, Composition.UseCases | Readings>
type Readings = Layer.Layer.Success<typeof readings> | Backtester

/**
 * The whole server but its listener, in memory: signals, strategies, alerts and paper bots on prices that you publish
 * through `PriceFeed`. Runs on Bun, on Node and in browsers, and under a test clock: without anything to wait for it has
 * no timer, so `TestClock.adjust("1 day")` or a year takes milliseconds, and deadlines are met at their exact time.
 *
 * In one graph of layers there is one server: without options it is the same layer at every call; with options, make it
 * once and use that value wherever it is needed. A second one in the graph is refused with an error that says so.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Account, Memory, Signals } from "signalbox"
 *
 * const me = Account.AccountId.make(1)
 * const mine = Effect.flatMap(Signals, (signals) => signals.list(me, {}))
 * Effect.runPromise(Effect.provide(mine, Memory.layer({ maxPairs: 20 })))
 * ```
 */
export const layer = (options?: Options): Layer.Layer<Services> =>
  options === undefined ? usual : layerWith(Layer.empty, options)

/**
 * The same with layers of yours in the place of ours: a port's storage, an exchange, `Validation.with(rule)`,
 * `Performance.with(figures)`. They may be built on the services that they replace, as on all others that are kept in
 * memory or stand for the world outside.
 *
 * @example
 * ```ts
 * import { Exchange, Memory } from "signalbox"
 *
 * const server = Memory.layerWith(Exchange.layerPaper)
 * ```
 */
export const layerWith = <Own, E, Needs>(
  own: Layer.Layer<Own, E, Needs>,
  options: Options = {}
): Layer.Layer<Own | Services, E, Exclude<Needs, Beneath>> => {
  const { maxPairs = MAX_PAIRS, paper = STARTING_BALANCES, patience = DEFAULT_PATIENCE } = options
  const { rates = { crud: 2, alert: 30 }, sampleEquity = false } = options
  const beneath: Layer.Layer<Beneath> = Layer.provideMerge(outside(rates), stores)
  const replaced = Layer.provideMerge(own, beneath)
  const read: Layer.Layer<Beneath, E, Exclude<Needs, Beneath>> = replaced
  // `own` is beneath the readings, so that they read from it, and beside them, to replace them. Effect builds it once.
  const ports = Layer.merge(Layer.provide(Layer.merge(readings, MemoryBacktester.layer), read), replaced)
  const server = Composition.over(ports, { ...options, ...NOTIFYING, maxPairs, paper, patience })
  const services: Layer.Layer<Own | Services, E, Exclude<Needs, Beneath>> = server
  const sampled = sampleEquity ? Layer.merge(server, Layer.provide(EquitySampler.layer, services)) : server
  return Layer.provideMerge(sampled, Layer.provide(Layer.scopedDiscard(claim), MemoryState.layer))
}

const NOTIFYING = { allowPrivate: false, telegramUrl: "https://api.telegram.org" }

const claimed = new WeakSet<typeof MemoryState.Service>()

/** Takes the records for one server. A graph builds them once, and two engines would act on each alert twice. */
const claim = Effect.flatMap(MemoryState, (state) =>
  claimed.has(state)
    ? Effect.dieMessage(
        "Memory.layer is twice in one graph, with records that two servers would share: make the layer once and use that value in both places"
      )
    : Effect.acquireRelease(
        Effect.sync(() => claimed.add(state)),
        () => Effect.sync(() => claimed.delete(state))
      )
)

const usual = layerWith(Layer.empty)
