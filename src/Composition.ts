// The use cases and the engine of every server, over ports that are still to be chosen: records in memory or in SQLite,
// a simulated or the real world. Memory.ts and Server.ts choose them.
import * as Layer from "effect/Layer"
import type { Accounts } from "./services/Accounts.ts"
import { Alerts } from "./services/Alerts.ts"
import { Arming } from "./services/Arming.ts"
import type { Backtester } from "./services/Backtester.ts"
import type { Backups } from "./services/Backups.ts"
import type { Bots } from "./services/Bots.ts"
import type { Copies } from "./services/directory/Copies.ts"
import { Copying } from "./services/directory/Copying.ts"
import * as CopyNews from "./services/directory/CopyNews.ts"
import type { Directory } from "./services/directory/Directory.ts"
import { PublicPages } from "./services/directory/PublicPages.ts"
import type { Events } from "./services/Events.ts"
import type { Exchange } from "./services/Exchange.ts"
import type { ExchangeAccounts } from "./services/ExchangeAccounts.ts"
import * as EngineLayer from "./services/engine/EngineLayer.ts"
import type { EnginePartitions } from "./services/engine/EnginePartitions.ts"
import type { Options as BotOptions } from "./services/engine/EngineState.ts"
import type { EquityHistory } from "./services/equity/EquityHistory.ts"
import { StrategyFigures } from "./services/equity/StrategyFigures.ts"
import type { Candles } from "./services/feeds/Candles.ts"
import { Charts } from "./services/feeds/Charts.ts"
import { Refusals } from "./services/health/Refusals.ts"
import type { Storage } from "./services/health/Storage.ts"
import type { Idempotency } from "./services/Idempotency.ts"
import type { Journal } from "./services/Journal.ts"
import type { Markets } from "./services/Markets.ts"
import * as CommandRunner from "./services/money/CommandRunner.ts"
import type { Commands } from "./services/money/Commands.ts"
import { ExchangeDesk } from "./services/money/ExchangeDesk.ts"
import type { Halts } from "./services/money/Halts.ts"
import type { Orders } from "./services/money/Orders.ts"
import type { Wallets } from "./services/money/Wallets.ts"
import { type Options as NotificationOptions, Notifications } from "./services/Notifications.ts"
import type { Chats } from "./services/notify/Chats.ts"
import type { Outbound } from "./services/notify/Outbound.ts"
import type { Targets } from "./services/notify/Targets.ts"
import { Performance } from "./services/Performance.ts"
import type { Portfolio } from "./services/Portfolio.ts"
import { RateLimits, type Rates } from "./services/RateLimits.ts"
import { Overview } from "./services/records/Overview.ts"
import type { Results } from "./services/records/Results.ts"
import type { SignInCodes } from "./services/records/SignInCodes.ts"
import { StrategyBatch } from "./services/records/StrategyBatch.ts"
import { StrategyPages } from "./services/records/StrategyPages.ts"
import type { Trades } from "./services/records/Trades.ts"
import type { WhatIfTries } from "./services/records/WhatIfTries.ts"
import type { ActiveRules } from "./services/rules/ActiveRules.ts"
import * as FedTickers from "./services/rules/FedTickers.ts"
import { RuleDesk } from "./services/rules/RuleDesk.ts"
import * as RuleRunner from "./services/rules/RuleRunner.ts"
import type { RuleWitnesses } from "./services/rules/RuleWitnesses.ts"
import type { Sessions } from "./services/Sessions.ts"
import type { Signals } from "./services/Signals.ts"
import { Strategies } from "./services/Strategies.ts"
import type { StrategyStore } from "./services/StrategyStore.ts"
import type { Tickers } from "./services/Tickers.ts"
import type { Timeline } from "./services/Timeline.ts"
import { Tokens } from "./services/Tokens.ts"
import { Validation } from "./services/Validation.ts"

/** `maxPairs`: of a strategy. `closed`: why no strategy may trade with real money here; absent where it may. */
export interface Options extends BotOptions, NotificationOptions {
  readonly maxPairs: number
  readonly closed?: string
}

/** Ports that keep records. */
export type Records =
  | Accounts
  | ActiveRules
  | Backups
  | Chats
  | Commands
  | Copies
  | Directory
  | EquityHistory
  | Events
  | ExchangeAccounts
  | Halts
  | Idempotency
  | Journal
  | Markets
  | Orders
  | Portfolio
  | Results
  | RuleWitnesses
  | Sessions
  | Signals
  | SignInCodes
  | Storage
  | StrategyStore
  | Targets
  | Timeline
  | Trades
  | WhatIfTries

/** Prices, now and in the past. */
export type Prices = Candles | Tickers

/** Ports that trade, post and compute, and rules that an embedder may replace. */
export type Means = Backtester | Exchange | Outbound | Performance | RateLimits | Validation | Wallets

/** All ports beneath the use cases. */
export type Ports = Means | Prices | Records

/** The use cases. */
export type UseCases =
  | Alerts
  | Arming
  | Bots
  | Charts
  | Copying
  | EnginePartitions
  | ExchangeDesk
  | Notifications
  | Overview
  | PublicPages
  | Refusals
  | RuleDesk
  | Strategies
  | StrategyBatch
  | StrategyFigures
  | StrategyPages
  | Tokens

/** The rules, figures and rates of every server. */
export const rules = (rates: Rates) =>
  Layer.mergeAll(Validation.layer, Performance.layer, RateLimits.layerMemory(rates))

/**
 * What takes the place of the bots and of arming on one of several nodes, each over those of this process. `Needs` are
 * services beside the ports.
 */
export interface Routes<Needs> {
  readonly bots: Layer.Layer<Bots, never, Bots | EnginePartitions | Needs>
  readonly arming: Layer.Layer<Arming, never, Arming | EnginePartitions | Needs>
}

/** The use cases over ports, all of which stay visible. */
export const over = <Others, E, R>(
  ports: Layer.Layer<Ports | Others, E, R>,
  options: Options,
  routes?: Routes<Ports | Others>
): Layer.Layer<UseCases | Ports | Others, E, R> =>
  Layer.merge(ports, Layer.provide(useCases(options, routes), ports))

/** The use cases, with the engine and the runner of commands beneath them. */
const useCases = <Others>(
  options: Options,
  routes: Routes<Ports | Others> | undefined
): Layer.Layer<UseCases, never, Ports | Others> =>
  Layer.mergeAll(
    StrategyPages.layer(options),
    StrategyFigures.layer(options),
    Copying.layer(options),
    CopyNews.layer,
    Charts.layer(options),
    Overview.layer(options)
  ).pipe(
    (others) => Layer.provideMerge(PublicPages.layer(options), others),
    Layer.provideMerge(
      Layer.mergeAll(
        Strategies.layer(options),
        Alerts.layer,
        Tokens.layer,
        Refusals.layer,
        Notifications.layer(options)
      )
    ),
    Layer.provideMerge(Layer.merge(ExchangeDesk.layer, CommandRunner.layer)),
    Layer.provideMerge(StrategyBatch.layer(options)),
    Layer.provideMerge(armingBy(options, routes)),
    Layer.merge(RuleRunner.layer),
    Layer.provideMerge(engineBy(options, routes)),
    Layer.provide(FedTickers.layer),
    Layer.provideMerge(options.isShared === true ? RuleDesk.layerShared : RuleDesk.layer)
  )

const engineBy = <Others>(options: Options, routes: Routes<Ports | Others> | undefined) => {
  const own = EngineLayer.layer(options)
  return routes === undefined ? own : Layer.provideMerge(routes.bots, own)
}

const armingBy = <Others>(options: Options, routes: Routes<Ports | Others> | undefined) => {
  const own = Arming.layer(options)
  return routes === undefined ? own : Layer.provideMerge(routes.arming, own)
}
