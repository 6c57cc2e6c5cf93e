import * as Layer from "effect/Layer"
import { STARTING_BALANCES } from "./domain/Bot.ts"
import { MAX_PAIRS } from "./domain/Strategy.ts"
import { Accounts } from "./services/Accounts.ts"
import { Alerts } from "./services/Alerts.ts"
import { Arming } from "./services/Arming.ts"
import { Backtester } from "./services/Backtester.ts"
import { Backups } from "./services/Backups.ts"
import { Boards } from "./services/Boards.ts"
import { Bots } from "./services/Bots.ts"
import { Candles } from "./services/Candles.ts"
import { Charts } from "./services/Charts.ts"
import { Events } from "./services/Events.ts"
import { Exchange } from "./services/Exchange.ts"
import { ExchangeAccounts } from "./services/ExchangeAccounts.ts"
import { ExchangeDesk } from "./services/ExchangeDesk.ts"
import type { Options as BotOptions } from "./services/engine/Desk.ts"
import { Halts } from "./services/Halts.ts"
import { Idempotency } from "./services/Idempotency.ts"
import { Journal } from "./services/Journal.ts"
import * as Mandated from "./services/Mandated.ts"
import { Mandates } from "./services/Mandates.ts"
import { Markets } from "./services/Markets.ts"
import { MemoryState } from "./services/MemoryState.ts"
import { Notifications } from "./services/Notifications.ts"
import { Orders } from "./services/Orders.ts"
import { Outbound } from "./services/Outbound.ts"
import { Overview } from "./services/Overview.ts"
import { Performance } from "./services/Performance.ts"
import { Portfolio } from "./services/Portfolio.ts"
import * as PriceFeed from "./services/PriceFeed.ts"
import { RateLimits, type Rates } from "./services/RateLimits.ts"
import { Refusals } from "./services/Refusals.ts"
import { Results } from "./services/Results.ts"
import { Sessions } from "./services/Sessions.ts"
import { Signals } from "./services/Signals.ts"
import { Storage } from "./services/Storage.ts"
import { Strategies } from "./services/Strategies.ts"
import { StrategyStore } from "./services/StrategyStore.ts"
import { Targets } from "./services/Targets.ts"
import { Timeline } from "./services/Timeline.ts"
import { Tokens } from "./services/Tokens.ts"
import { Trades } from "./services/Trades.ts"
import { Validation } from "./services/Validation.ts"
import { Wallets } from "./services/Wallets.ts"
import { DEFAULT_PATIENCE } from "./trading/Routing.ts"

/** What may be set of a server in memory; what is left out is as in the real one. */
export interface Options extends Partial<BotOptions> {
  readonly maxPairs?: number
  readonly rates?: Rates
}

/** What stands on no other port. */
const stores = Layer.mergeAll(
  Accounts.layerMemory,
  Signals.layerMemory,
  Backups.layerMemory,
  StrategyStore.layerMemory,
  Markets.layerMemory,
  Timeline.layerMemory,
  Idempotency.layerMemory,
  Portfolio.layerMemory,
  Orders.layerMemory,
  Halts.layerMemory,
  Mandates.layerMemory,
  Targets.layerMemory,
  Trades.layerMemory,
  Storage.layerMemory,
  ExchangeAccounts.layerMemory,
  Journal.layerMemory
).pipe(Layer.provideMerge(MemoryState.layer))

/** What is read from other ports: from accounts, and from the journal. */
const readings = Layer.mergeAll(Sessions.layerMemory, Events.layerMemory, Results.layerMemory)

/** Every port in memory, agreeing with each other. */
export const ports = Layer.provideMerge(readings, stores)

/** The ports beneath which nothing of ours lies: prices by hand, paper trading, no candles, nothing is posted. */
const outside = ({ rates = { crud: 2, alert: 30 } }: Options) =>
  Layer.mergeAll(
    Validation.layer,
    Performance.layer,
    Exchange.layerPaper,
    Wallets.layerMemory(),
    RateLimits.layerMemory(rates),
    PriceFeed.layer("published by hand"),
    Candles.layerNone,
    Outbound.layerNone
  )

/** What users do, and the bots, on ports that are still to be given. */
const useCases = ({ maxPairs = MAX_PAIRS, paper = STARTING_BALANCES }: Options) =>
  Layer.mergeAll(Boards.layer({ paper }), Charts.layer({ paper }), Overview.layer({ paper })).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Strategies.layer({ maxPairs, paper }),
        Alerts.layer,
        Tokens.layer,
        Backtester.layerMemory,
        Refusals.layer,
        Notifications.layer({ allowPrivate: false, telegramUrl: "https://api.telegram.org" })
      )
    )
  )

const bots = ({ paper = STARTING_BALANCES, patience = DEFAULT_PATIENCE }: Options) =>
  Bots.layer({ paper, patience })

/**
 * The whole server but its listener, in memory: signals, strategies, alerts and paper bots on prices that you publish
 * through `PriceFeed`. Runs on Bun, on Node and in browsers, and under a test clock.
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
export const layer = (options: Options = {}) => layerWith(Layer.empty, options)

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
export const layerWith = <Own, E, Beneath>(own: Layer.Layer<Own, E, Beneath>, options: Options = {}) =>
  useCases(options).pipe(
    Layer.provideMerge(Layer.mergeAll(ExchangeDesk.layer, Mandated.layer)),
    Layer.provideMerge(Arming.layer()),
    Layer.provideMerge(bots(options)),
    // Above what reads other ports, to take its place too, and beneath it, to be what is read: it is built once.
    Layer.provideMerge(own),
    Layer.provideMerge(readings),
    Layer.provideMerge(own),
    Layer.provideMerge(outside(options)),
    Layer.provideMerge(stores)
  )
