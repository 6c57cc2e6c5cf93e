// A whole server without a listener, and accounts that use it.
import { Clock, Effect, Option } from "effect"
import type { AccountId, Identity } from "../../src/domain/Account.ts"
import type { AlertType, Extras } from "../../src/domain/Alert.ts"
import { type ExchangeName, type MarketKind, Pair } from "../../src/domain/Market.ts"
import type { StrategyPatch } from "../../src/domain/requests/StrategyDraft.ts"
import { SignalId } from "../../src/domain/Signal.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import { ofLast } from "../../src/domain/Ticker.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Bots } from "../../src/services/Bots.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { PriceFeed } from "../../src/services/PriceFeed.ts"
import { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { PriceEvent } from "../../src/services/Tickers.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import * as Fixtures from "../../src/testing/Fixtures.ts"
import { lineOfSlot, lineOfTrade } from "../../src/testing/StrategyHandle.ts"
import { aSignal, sender } from "../services/ports.ts"

export type Body = StrategyPatch

export const request = Fixtures.strategyRequest

export const aStrategy = (account: AccountId, changes: Body = {}) =>
  Effect.flatMap(Strategies, (strategies) =>
    Effect.map(strategies.create(account, request(changes)), (view) => StrategyId.make(view.strategy_id))
  )

/** Somebody with a public signal and a strategy that follows it. */
export const user = (name: string, changes: Body = {}) =>
  Effect.gen(function* () {
    const identity = yield* sender(name)
    const signal = yield* (yield* Signals).create(identity.account, aSignal({ public: true }))
    const strategy = yield* aStrategy(identity.account, { signal_id: signal.id, ...changes })
    return { identity, account: identity.account, signal: signal.id, strategy }
  })

export const ann = (changes: Body = {}) => user("ann", changes)

export interface Saying extends Extras {
  readonly pair?: string
  readonly tp?: number
  readonly sl?: number
  readonly closePercent?: number
  readonly reverse?: boolean
}

const instructionOf = (signal: number, type: AlertType, { pair = "BTC/USDT", sl, tp, ...extras }: Saying) => {
  const [coin = "", quoteCurrency = ""] = pair.split("/")
  const targets = { tp: Option.fromNullable(tp), sl: Option.fromNullable(sl) }
  return { signalId: SignalId.make(signal), coin, quoteCurrency, type, ...targets, ...extras }
}

/** Stores an alert and does not wait for outcomes. */
export const send = (from: Identity, signal: number, type: AlertType, saying: Saying = {}) =>
  Effect.flatMap(Alerts, (alerts) =>
    Effect.map(alerts.receive(from, instructionOf(signal, type, saying), {}), ({ id }) => id)
  )

/** The preview of an alert. */
export const preview = (from: Identity, signal: number, type: AlertType, saying: Saying = {}) =>
  Effect.flatMap(Alerts, (alerts) => alerts.preview(from, instructionOf(signal, type, saying)))

/** Stores an alert and waits for its outcomes. */
export const say = (from: Identity, signal: number, type: AlertType, saying: Saying = {}) =>
  Effect.zipLeft(send(from, signal, type, saying), caughtUp)

export const caughtUp = Effect.flatMap(Bots, (bots) => bots.caughtUp)

export const update = (account: AccountId, strategy: number, changes: Body) =>
  Effect.flatMap(Strategies, (strategies) => strategies.update(account, strategy, changes))

export const remove = (account: AccountId, strategy: number) =>
  Effect.flatMap(Strategies, (strategies) => strategies.remove(account, strategy))

export interface At {
  readonly pair?: string
  readonly kind?: MarketKind
  readonly exchange?: ExchangeName
}

/** Publishes a price. */
export const quote = (price: number, { exchange = "binance", kind = "spot", pair = "BTC/USDT" }: At = {}) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const market = { exchange, pair: Pair.make(pair), kind }
    const ticker = ofLast(price, now)
    yield* (yield* PriceFeed).publish([PriceEvent.Quoted({ market, ticker })])
  })

/** The reasons of an alert's outcomes, sorted by strategy. */
export const became = (account: AccountId, alert: number) =>
  Effect.flatMap(Alerts, (alerts) =>
    Effect.map(alerts.get(account, alert), ({ outcomes }) => outcomes.map(({ reason }) => reason))
  )

export const tradesOf = (strategy: StrategyId) =>
  Effect.flatMap(Portfolio, (portfolio) =>
    Effect.map(portfolio.trades(strategy, { limit: 500 }), (rows) => rows.map(({ trade }) => trade).reverse())
  )

export const botOf = (strategy: StrategyId) =>
  Effect.flatMap(Portfolio, (portfolio) => portfolio.bot(strategy))

export const waitingIds = Effect.flatMap(Portfolio, (portfolio) =>
  Effect.map(portfolio.waiting, (rows) => rows.map(({ alert }) => Number(alert)))
)

/** The rules of a strategy's timeline entries, oldest first. */
export const rulesOf = (account: AccountId, strategy: number) =>
  Effect.flatMap(Timeline, (timeline) =>
    Effect.map(timeline.list(account, strategy, { limit: 500 }), (rows) =>
      rows.map(({ rule }) => rule).reverse()
    )
  )

export const told = lineOfTrade

/** A bot's positions, one line for each slot. */
export const holds = (strategy: StrategyId) =>
  Effect.map(botOf(strategy), (bot) => Object.values(bot?.state.slots ?? {}).map(lineOfSlot))

export type User = Effect.Effect.Success<ReturnType<typeof ann>>

export const alertOf = (account: AccountId, alert: number) =>
  Effect.flatMap(Alerts, (alerts) => Effect.map(alerts.get(account, alert), (judged) => judged.alert))
