// Candles of streamed trades, of every series that rules look at. A candle is known only if its market's stream was whole
// from its beginning to its end; minutes are built once for all series of a market.

import type { ExactCandle } from "../../domain/candles/CandleRowWriter.ts"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import * as CandleBuilder from "../../trading/candles/CandleBuilder.ts"
import type { Bar } from "../../trading/indicators/Plan.ts"
import { GRACE_MILLIS, type Trade } from "../tape/Reels.ts"

/** A trade further ahead of our clock than this has a wrong time, and a process away for longer has missed trades (ms). */
const AHEAD_MS = 300_000
const AWAY_MS = 12_000

/** A series with its candle under way: the sum of its whole minutes so far. */
interface UnderWay {
  readonly series: CandleSeries
  readonly span: number
  bar: { readonly begin: number; readonly exact: ExactCandle } | undefined
}

/** A market. `wholeFrom` is the first minute (ms) from which on every trade has come; infinite where none is sure. */
interface Stream {
  wholeFrom: number
  builder: CandleBuilder.CandleBuilder | undefined
  /** Minutes that began earlier are built. */
  built: number
  series: ReadonlyArray<UnderWay>
}

/** The streams of all markets. Times in ms: `now` by our clock, those of trades by the exchange's. */
export class StreamedCandles {
  readonly #streams = new Map<string, Stream>()
  #beat: number

  constructor(now: number) {
    this.#beat = now
  }

  /** Builds candles of these series from now on. One that is followed anew begins with the next minute. */
  follow(all: ReadonlyArray<CandleSeries>, now: number): void {
    const byMarket = Map.groupBy(all, marketKey)
    for (const key of byMarket.keys()) if (!this.#streams.has(key)) this.#streams.set(key, blank())
    for (const [key, stream] of this.#streams) {
      const wanted = byMarket.get(key) ?? []
      const isNew = stream.builder === undefined && wanted.length > 0
      if (isNew && Number.isFinite(stream.wholeFrom)) {
        stream.builder = CandleBuilder.make()
        stream.wholeFrom = Math.max(stream.wholeFrom, nextMinute(now))
      }
      if (wanted.length === 0) stream.builder = undefined
      stream.series = wanted.map(
        (series) =>
          stream.series.find(({ series: { timeframe } }) => timeframe === series.timeframe) ?? {
            ...{ series, span: millisOf(series.timeframe), bar: undefined }
          }
      )
    }
  }

  traded(market: MarketId, { amount, at, price }: Trade, now: number): void {
    const stream = this.#streams.get(marketKey(market))
    if (stream?.builder === undefined || !(price > 0 && amount > 0) || !Number.isFinite(price + amount))
      return
    if (!(at >= stream.wholeFrom && at >= stream.built && at - now <= AHEAD_MS)) return
    stream.builder.add(price, amount, at)
  }

  /** From now on every trade of these markets arrives. */
  whole(markets: Iterable<MarketId>, now: number): void {
    for (const market of markets) {
      const stream = this.#streams.get(marketKey(market)) ?? blank()
      this.#streams.set(marketKey(market), stream)
      if (Number.isFinite(stream.wholeFrom)) continue
      stream.wholeFrom = nextMinute(now)
      if (stream.series.length > 0) stream.builder = CandleBuilder.make()
    }
  }

  /** Trades of these markets may be missing. */
  broken(markets: Iterable<MarketId>): void {
    for (const market of markets) {
      const stream = this.#streams.get(marketKey(market))
      if (stream === undefined) continue
      stream.wholeFrom = Number.POSITIVE_INFINITY
      stream.builder = undefined
      for (const one of stream.series) one.bar = undefined
    }
  }

  /** Call every few seconds: after a gap, when the process was suspended, trades are missing. */
  alive(now: number): void {
    const isAway = now - this.#beat > AWAY_MS
    this.#beat = now
    if (!isAway) return
    for (const stream of this.#streams.values()) {
      if (!Number.isFinite(stream.wholeFrom)) continue
      stream.wholeFrom = nextMinute(now)
      if (stream.builder !== undefined) stream.builder = CandleBuilder.make()
      for (const one of stream.series) one.bar = undefined
    }
  }

  /** Ends all minutes up to a time (ms); trades that come later for them are dropped. */
  build(until: number): void {
    for (const stream of this.#streams.values()) {
      stream.built = Math.max(stream.built, until)
      for (const minute of stream.builder?.take(until) ?? [])
        for (const one of stream.series) include(one, minute)
    }
  }

  /**
   * What is surely known of the candle of a series that closed at a time (ms), after `build`: the candle, or that there was
   * no trade. Undefined where trades may be missing.
   */
  known(series: CandleSeries, close: number): { readonly bar: Bar | undefined } | undefined {
    const stream = this.#streams.get(marketKey(series))
    const found = stream?.series.find(({ series: { timeframe } }) => timeframe === series.timeframe)
    if (stream?.builder === undefined || found === undefined) return undefined
    const begin = close - found.span
    if (stream.wholeFrom > begin) return undefined
    if (found.bar?.begin !== begin) return { bar: undefined }
    const { exact } = found.bar
    return { bar: { ...exact, at: begin, volume: Decimal.toNumber(exact.volume) } }
  }
}

const blank = (): Stream => ({
  wholeFrom: Number.POSITIVE_INFINITY,
  builder: undefined,
  built: 0,
  series: []
})

/** The first minute that a stream sees from its beginning, which is whole from a time on. */
const nextMinute = (now: number): number =>
  CandleBuilder.minuteOf(now + GRACE_MILLIS - 1) + CandleBuilder.MINUTE_MILLIS

/** Adds a minute to the candle under way. */
const include = (one: UnderWay, minute: ExactCandle): void => {
  const begin = Math.floor(minute.at / one.span) * one.span
  const before = one.bar?.begin === begin ? one.bar.exact : undefined
  one.bar = { begin, exact: before === undefined ? minute : joined(before, minute) }
}

const joined = (first: ExactCandle, later: ExactCandle): ExactCandle => ({
  at: first.at,
  open: first.open,
  high: Math.max(first.high, later.high),
  low: Math.min(first.low, later.low),
  close: later.close,
  volume: Decimal.add(first.volume, later.volume)
})
