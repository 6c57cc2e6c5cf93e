// Closed candles made of what the feed gives the engine: the candles of a replay or of a script, or minutes of quotes. They
// are the only candles of a server that streams from no exchange.
import * as Effect from "effect/Effect"
import { between } from "../../domain/candles/CandleRange.ts"
import { columned, section } from "../../domain/candles/CandleRowReader.ts"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import { joined, NONE } from "../../trading/candles/Bars.ts"
import { type Bar, type Bars, barAt } from "../../trading/indicators/Plan.ts"
import { rowsOf } from "../../trading/signalRule/RuleCandles.ts"
import { seriesKey } from "../feeds/CandleStore.ts"
import type { Quote } from "../Tickers.ts"
import { type CandleNews, type CandleSource, HistoryFailed } from "./ClosedCandles.ts"

const MINUTE_MS = 60_000
/** Candles that are kept of a market, and markets of which any are kept. */
const MAX_ROWS = 200_000
const MAX_MARKETS = 1_000

/** The candles of one market so far, in columns that grow. */
class Rows {
  #columns = columned(64)
  #length = 0
  /** The smallest distance between two candles (ms). */
  spacing = Number.POSITIVE_INFINITY

  get last(): number {
    return this.#length === 0 ? Number.NEGATIVE_INFINITY : (this.#columns.at[this.#length - 1] ?? 0)
  }

  get all(): Bars {
    return rowsOf(
      { ...section(this.#columns, 0, this.#length), volume: this.#columns.volume },
      0,
      this.#length
    )
  }

  add({ at, close, high, low, open, volume }: Bar): void {
    if (at <= this.last) return
    if (this.#length > 0) this.spacing = Math.min(this.spacing, at - this.last)
    if (this.#length === this.#columns.at.length) this.#grow()
    const row = this.#length++
    const columns = this.#columns
    columns.at[row] = at
    columns.open[row] = open
    columns.high[row] = high
    columns.low[row] = low
    columns.close[row] = close
    columns.volume[row] = volume
  }

  /** Makes room; at the bound the older half is dropped. */
  #grow(): void {
    const from = this.#length < MAX_ROWS ? 0 : this.#length >> 1
    const kept = this.#length - from
    const larger = columned(Math.min(2 * this.#length, MAX_ROWS))
    for (const name of ["at", "open", "high", "low", "close", "volume"] as const)
      larger[name].set(this.#columns[name].subarray(from, this.#length))
    this.#columns = larger
    this.#length = kept
  }
}

/** A followed series, and up to which close its candles were given (ms). */
interface Followed {
  readonly series: CandleSeries
  givenUntil: number | undefined
}

/** The candles of all markets of a feed. */
export class FedCandles {
  readonly #rows = new Map<string, Rows>()
  readonly #minutes = new Map<string, { readonly market: MarketId; bar: Bar }>()
  #followed: ReadonlyMap<string, Followed> = new Map()
  /** Open while a minute of quotes is under way. */
  readonly #underWay = Effect.unsafeMakeLatch()

  /** Whether nobody looks at candles. */
  get isIdle(): boolean {
    return this.#followed.size === 0
  }

  /** Takes in a closed candle, which prices a pair's spot market and perpetual alike. */
  candle(market: Pick<MarketId, "exchange" | "pair">, candle: Bar): void {
    this.#rowsOf({ ...market, kind: "spot" })?.add(candle)
    this.#rowsOf({ ...market, kind: "swap" })?.add(candle)
  }

  /** Takes in a quote; minutes are made of last prices, and have no volume. */
  quote({ market, ticker: { at, last } }: Quote): void {
    const key = marketKey(market)
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS
    const known = this.#minutes.get(key)
    if (known !== undefined && minute < known.bar.at) return
    if (known === undefined || minute > known.bar.at) {
      if (known !== undefined) this.#end(known)
      this.#minutes.set(key, {
        market,
        bar: { at: minute, open: last, high: last, low: last, close: last, volume: 0 }
      })
      this.#underWay.unsafeOpen()
      return
    }
    const { bar } = known
    known.bar = { ...bar, high: Math.max(bar.high, last), low: Math.min(bar.low, last), close: last }
  }

  /** Waits until a minute of quotes is under way, and gives its end (ms). */
  readonly minuteEnd: Effect.Effect<number> = Effect.map(
    this.#underWay.await,
    () => Math.min(...Array.from(this.#minutes.values(), ({ bar }) => bar.at)) + MINUTE_MS
  )

  /** The candles that have closed at a time (ms), of series that were followed before. */
  closedBy(time: number): ReadonlyArray<CandleNews> {
    for (const [key, minute] of this.#minutes)
      if (minute.bar.at + MINUTE_MS <= time) {
        this.#end(minute)
        this.#minutes.delete(key)
      }
    if (this.#minutes.size === 0) this.#underWay.unsafeClose()
    return this.#news(() => time)
  }

  /** The candles that are complete, because the next one of the feed can only be later. */
  complete(): ReadonlyArray<CandleNews> {
    return this.#news(({ last, spacing }) => last + (Number.isFinite(spacing) ? spacing : 0))
  }

  /** The feed as a source. Its news come from `closedBy` and `complete`. */
  readonly source: CandleSource = {
    follow: (series) =>
      Effect.sync(() => {
        const before = this.#followed
        this.#followed = new Map(
          series.map((one) => [
            seriesKey(one),
            before.get(seriesKey(one)) ?? { series: one, givenUntil: undefined }
          ])
        )
      }),
    next: Effect.never,
    history: (series, from, until) =>
      Effect.suspend(() => {
        const rows = this.#rows.get(marketKey(series))
        const span = millisOf(series.timeframe)
        if (rows !== undefined && !fits(rows, span))
          return new HistoryFailed({ reason: `no candles of ${series.timeframe} come`, isLasting: false })
        return Effect.succeed(rows === undefined ? EMPTY : wholes(rows.all, span, from, until))
      })
  }

  #news(timeOf: (rows: Rows) => number): ReadonlyArray<CandleNews> {
    const news: Array<CandleNews> = []
    for (const followed of this.#followed.values()) {
      const { series, givenUntil } = followed
      const rows = this.#rows.get(marketKey(series))
      const span = millisOf(series.timeframe)
      if (rows === undefined || !fits(rows, span)) continue
      const until = Math.floor(timeOf(rows) / span) * span
      if (givenUntil !== undefined && until <= givenUntil) continue
      followed.givenUntil = until
      const bars = givenUntil === undefined ? EMPTY : wholes(rows.all, span, givenUntil, until)
      news.push({
        _tag: "Closed",
        series,
        from: givenUntil ?? until,
        until,
        bars: barsOf(bars),
        isFinal: true
      })
    }
    return news
  }

  #end({ bar, market }: { readonly market: MarketId; readonly bar: Bar }): void {
    this.#rowsOf(market)?.add(bar)
  }

  #rowsOf(market: MarketId): Rows | undefined {
    const key = marketKey(market)
    const known = this.#rows.get(key)
    if (known !== undefined || this.#rows.size >= MAX_MARKETS) return known
    const rows = new Rows()
    this.#rows.set(key, rows)
    return rows
  }
}

const EMPTY: Bars = { ...NONE, volume: new Float64Array(0) }

const fits = ({ spacing }: Rows, span: number): boolean =>
  !Number.isFinite(spacing) || (spacing <= span && span % spacing === 0)

/** Candles of a span that opened in a range. The first of all is left out if its beginning is missing. */
const wholes = (all: Bars, span: number, from: number, until: number): Bars => {
  const [first = 0] = all.at
  const begin = all.length > 0 && first % span !== 0 ? Math.floor(first / span) * span + span : from
  const rows = joined(between(all, Math.max(from, begin), until), span)
  return { ...rows, volume: rows.volume ?? new Float64Array(rows.length) }
}

const barsOf = (bars: Bars): ReadonlyArray<Bar> =>
  Array.from({ length: bars.length }, (_, row) => barAt(bars, row))
