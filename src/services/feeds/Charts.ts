// The use case of charts: equity curves, prices with fills, and lists of trades, of the caller's own strategies.
// Everything is bounded: curves are thinned, fills capped, downloads streamed.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { AccountId } from "../../domain/Account.ts"
import { type StartingBalances, startingBalanceOf } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { MarketId, QuoteCurrency } from "../../domain/Market.ts"
import type { Strategy, StrategyNotFound } from "../../domain/Strategy.ts"
import { type Curve, curveOf, type Results, thinned } from "../../trading/backtest/Thinning.ts"
import { Bots } from "../Bots.ts"
import type { TradeRow } from "../Portfolio.ts"
import { type Mark, type Some, type Stretch, Trades } from "../records/Trades.ts"
import { StrategyStore } from "../StrategyStore.ts"
import { Candles, type Charted } from "./Candles.ts"

/** The most fills on one chart, and its default range (ms). */
export const MAX_MARKS = 500
const USUAL_SPAN_MS = 1000 * 60_000
/** Trades of a download read at a time. */
const TRADES_AT_A_TIME = 1000

/** An equity curve, and the indexes of its points to draw. */
export interface Drawn {
  readonly currency: QuoteCurrency
  readonly starting: Decimal.Decimal
  readonly curve: Curve
  readonly places: ReadonlyArray<number>
}

/** A market and a range of time (ms, both ends inclusive); an absent end is chosen. */
export interface ChartQuery {
  readonly market: MarketId
  readonly from: number | undefined
  readonly to: number | undefined
  readonly points: number
}

/** Charts and trades of the caller's own strategies; another's is `StrategyNotFound`. */
export class Charts extends Context.Tag("signalbox/services/feeds/Charts")<
  Charts,
  {
    /** Succeeds where the strategy exists and is the caller's. */
    readonly known: (account: AccountId, id: number) => Effect.Effect<void, StrategyNotFound>
    /** Computes the equity after each closed trade of the current period, thinned to at most so many points. */
    readonly equity: (
      account: AccountId,
      id: number,
      points: number
    ) => Effect.Effect<Drawn, StrategyNotFound>
    /** Reads a market's candles with the strategy's fills of the current period. */
    readonly prices: (
      account: AccountId,
      id: number,
      query: ChartQuery
    ) => Effect.Effect<{ readonly candles: Charted; readonly marks: Some<Mark> }, StrategyNotFound>
    readonly trades: (
      account: AccountId,
      id: number,
      stretch: Stretch
    ) => Effect.Effect<Some<TradeRow>, StrategyNotFound>
    /** Streams all trades, oldest first: few are in memory at a time. */
    readonly everyTrade: (
      account: AccountId,
      id: number
    ) => Effect.Effect<Stream.Stream<ReadonlyArray<TradeRow>>, StrategyNotFound>
  }
>() {
  static readonly layer = (options: { readonly paper: StartingBalances }) =>
    Layer.effect(Charts, make(options))
}

const make = Effect.fnUntraced(function* ({ paper }: { readonly paper: StartingBalances }) {
  const store = yield* StrategyStore
  const bots = yield* Bots
  const trades = yield* Trades
  const candles = yield* Candles

  /** The bot's current period and its tally. */
  const present = (strategy: Strategy) =>
    Effect.map(bots.standings([strategy]), (all) => {
      const { period = 1, tally } = all.get(strategy.id) ?? {}
      return { period, tally }
    })

  const equity = Effect.fn("Charts.equity")(function* (account: AccountId, id: number, points: number) {
    const strategy = yield* store.get(account, id)
    const { period } = yield* present(strategy)
    const results = yield* trades.results(strategy.id, period)
    // Read last: bots are ahead of the disk, so the tally counts every trade read above.
    const { tally } = yield* present(strategy)
    const currency = strategy.settings.quote
    const starting = tally?.starting ?? startingBalanceOf(paper, currency)
    const curve = curveOf(latest(results, tally?.count), Decimal.toNumber(starting))
    return { currency, starting, curve, places: thinned(curve, points) }
  })

  const prices = Effect.fn("Charts.prices")(function* (account: AccountId, id: number, query: ChartQuery) {
    const strategy = yield* store.get(account, id)
    const { market, points } = query
    const to = query.to ?? (yield* Clock.currentTimeMillis)
    // As many minutes start in the default range as are drawn by default.
    const from = query.from ?? to - USUAL_SPAN_MS + 1
    const range = { from, until: to + 1 }
    const { period, tally } = yield* present(strategy)
    // Fills of earlier periods are left out: a period is either on paper or with real money.
    const began = period === 1 ? from : (tally?.createdAt ?? from)
    return {
      candles: yield* candles.range(market, { ...range, points }),
      marks: yield* trades.marks(strategy.id, market, {
        ...range,
        from: Math.max(from, began),
        limit: MAX_MARKS
      })
    }
  })

  const page = Effect.fn("Charts.trades")(function* (account: AccountId, id: number, stretch: Stretch) {
    const strategy = yield* store.get(account, id)
    return yield* trades.page(strategy.id, stretch)
  })

  const everyTrade = Effect.fn("Charts.everyTrade")(function* (account: AccountId, id: number) {
    const strategy = yield* store.get(account, id)
    return Stream.paginateEffect(0, (after) =>
      Effect.map(trades.after(strategy.id, after, TRADES_AT_A_TIME), (rows) => {
        const last = rows.length < TRADES_AT_A_TIME ? undefined : rows.at(-1)
        return [rows, Option.map(Option.fromNullable(last), ({ id }) => id)] as const
      })
    )
  })

  const known = (account: AccountId, id: number) => Effect.asVoid(store.get(account, id))

  return { known, equity, prices, trades: page, everyTrade }
})

/** The results of the current period: a new period starts with a change of currency. */
const latest = (results: Results, count = results.at.length): Results => {
  const before = Math.max(0, results.at.length - count)
  return before === 0 ? results : { at: results.at.subarray(before), pnl: results.pnl.subarray(before) }
}
