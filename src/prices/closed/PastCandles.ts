// Past candles of exchanges for rules, page by page: in the rule's timeframe, or joined from a shorter one where an exchange
// has no candles of that.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { descriptors } from "../../ccxt/descriptors.ts"
import { columned, section } from "../../domain/candles/CandleRowReader.ts"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { millisOf, type Timeframe } from "../../domain/candles/Timeframe.ts"
import { isKnownExchange, type KnownExchange } from "../../domain/Market.ts"
import type { PageFailed } from "../../services/feeds/CandlePages.ts"
import { fetchWindow } from "../../services/feeds/CandleWindow.ts"
import { HistoryFailed, type ReadHistory } from "../../services/rules/ClosedCandles.ts"
import { joined } from "../../trading/candles/Bars.ts"
import type { Bar, Bars } from "../../trading/indicators/Plan.ts"
import type { AskPage } from "./PageQuestions.ts"
import type { Urgency, Within } from "./PageTurns.ts"

/** How long after its close an exchange surely has a candle (ms). */
const SETTLED_MS = 2_000
/** How long after its close a candle that is missing is looked for again: then there is none (ms). */
const LATE_MS = 20_000
/** How often a page is asked for again, and the first pause, which doubles (ms). */
const TRIES = 4
const PAUSE_MS = 1_000
/** The longest pause of an exchange that is waited for here (ms). */
const MOST_PAUSE_MS = 60_000
/** At most so many candles are awaited by a rule that works already. */
const FEW = 60

/** The longest timeframe of which an exchange has candles, and of which the wanted one is made. */
export const baseOf = (exchange: KnownExchange, timeframe: Timeframe): Timeframe => {
  const span = millisOf(timeframe)
  const fitting = descriptors[exchange].candles.timeframes.filter((it) => span % millisOf(it) === 0)
  return fitting.reduce<Timeframe>((longest, it) => (millisOf(it) > millisOf(longest) ? it : longest), "1m")
}

/** Makes the reader of past candles. */
export const make = (ask: AskPage, within: Within): ReadHistory => {
  /** Asks until a page comes; a pause that the exchange wants is waited for. */
  const page = (exchange: KnownExchange, urgency: Urgency) => {
    const attempt = (series: CandleSeries, from: number, until: number, tries: number): Page =>
      Effect.catchAll(within(exchange, urgency)(ask(series, from, until)), (failed) => {
        const { kind, pauseMs } = failed
        if (kind === "lasting" || tries >= TRIES || pauseMs > MOST_PAUSE_MS) return Effect.fail(failed)
        const again = Effect.suspend(() => attempt(series, from, until, tries + 1))
        return Effect.zipRight(Effect.sleep(Math.max(pauseMs, PAUSE_MS * 2 ** tries)), again)
      })
    return (series: CandleSeries, from: number, until: number) => attempt(series, from, until, 0)
  }

  const read = Effect.fnUntraced(function* (
    exchange: KnownExchange,
    series: CandleSeries,
    from: number,
    until: number
  ) {
    const base = { ...series, timeframe: baseOf(exchange, series.timeframe) }
    const span = millisOf(base.timeframe)
    const { newest, rows } = descriptors[exchange].candles
    const settled = until + SETTLED_MS - (yield* Clock.currentTimeMillis)
    if (settled > 0) yield* Effect.sleep(settled)
    const now = yield* Clock.currentTimeMillis
    const reach = newest === undefined ? from : Math.floor(now / span) * span - newest * span
    const longer = millisOf(series.timeframe)
    const begin = Math.max(from, Math.ceil(reach / longer) * longer)
    const ask = page(exchange, (until - from) / longer <= FEW ? "missing" : "past")
    const width = rows[series.kind] * span
    const fetched = Effect.fnUntraced(function* (since: number, found: Growing) {
      for (let start = since; start < until; start += width) {
        const window = { from: start, until: Math.min(start + width, until) }
        for (const bar of yield* fetchWindow(window, span, (gap) => ask(base, gap.from, gap.until)))
          found.add(bar)
      }
      return found
    })
    const found = yield* fetched(begin, new Growing())
    const late = until + LATE_MS - (yield* Clock.currentTimeMillis)
    if (found.last < until - span && late > 0) {
      yield* Effect.sleep(late)
      yield* fetched(Math.max(begin, found.last + span), found)
    }
    return span === longer ? found.bars : joinedBars(found.bars, longer)
  })

  return (series, from, until) =>
    isKnownExchange(series.exchange)
      ? Effect.mapError(
          read(series.exchange, series, from, until),
          ({ kind, reason }) =>
            new HistoryFailed({
              reason: `${series.exchange}: ${reason}`,
              isLasting: kind === "lasting"
            })
        )
      : new HistoryFailed({ reason: `${series.exchange} has no candles here`, isLasting: true })
}

type Page = Effect.Effect<ReadonlyArray<Bar>, PageFailed>

const joinedBars = (bars: Bars, span: number): Bars => {
  const rows = joined(bars, span)
  return { ...rows, volume: rows.volume ?? new Float64Array(rows.length) }
}

/** Candles in columns that grow. */
class Growing {
  #columns = columned(256)
  #length = 0

  get bars(): Bars {
    return {
      ...section(this.#columns, 0, this.#length),
      volume: this.#columns.volume.subarray(0, this.#length)
    }
  }

  get last(): number {
    return this.#length === 0 ? Number.NEGATIVE_INFINITY : (this.#columns.at[this.#length - 1] ?? 0)
  }

  add({ at, close, high, low, open, volume }: Bar): void {
    if (this.#length === this.#columns.at.length) {
      const larger = columned(2 * this.#length)
      for (const name of ["at", "open", "high", "low", "close", "volume"] as const)
        larger[name].set(this.#columns[name])
      this.#columns = larger
    }
    const row = this.#length++
    this.#columns.at[row] = at
    this.#columns.open[row] = open
    this.#columns.high[row] = high
    this.#columns.low[row] = low
    this.#columns.close[row] = close
    this.#columns.volume[row] = volume
  }
}
