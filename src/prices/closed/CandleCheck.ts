// The comparison of a candle that has closed with the exchange's own, before a rule looks at it. One that comes too late is a
// correction.
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Queue from "effect/Queue"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import { isKnownExchange } from "../../domain/Market.ts"
import { PageFailed } from "../../services/feeds/CandlePages.ts"
import type { CandleNews } from "../../services/rules/ClosedCandles.ts"
import type { Bar } from "../../trading/indicators/Plan.ts"
import type { PageQuestions } from "./PageQuestions.ts"
import type { Within } from "./PageTurns.ts"
import * as PastCandles from "./PastCandles.ts"
import type { StreamedCandles } from "./StreamedCandles.ts"

/** How long the exchange's own candle is awaited (ms): a rule looks within 5 s of the close. */
const AWAITED_MS = 2_500
/** How long after that an exchange is asked again for a candle of which nothing is known (ms). */
const LATE_MS = 15_000

/** Counts since the start: candles that the exchange has otherwise, in time and too late. */
export interface LiveFigures {
  differed: number
  corrected: number
}

interface Checking {
  readonly queue: Queue.Queue<CandleNews>
  readonly within: Within
  readonly questions: PageQuestions
  readonly streams: StreamedCandles
  readonly figures: LiveFigures
}

/** Makes the question to an exchange for its own candle: none where it has none, or cannot be asked in time. */
const asking = ({ questions, within }: Pick<Checking, "questions" | "within">) => {
  const ask = (series: CandleSeries, close: number) => {
    const { exchange } = series
    if (!isKnownExchange(exchange)) return Effect.fail(UNKNOWN)
    const base = { ...series, timeframe: PastCandles.baseOf(exchange, series.timeframe) }
    return Effect.map(
      within(exchange, "check")(questions.ask(base, close - millisOf(series.timeframe), close)),
      (rows): Own => ownOf(rows, millisOf(base.timeframe), close)
    )
  }
  return (series: CandleSeries, close: number) =>
    Effect.timeoutTo(Effect.option(ask(series, close)), {
      duration: millisOf(series.timeframe) / 2,
      onSuccess: Option.getOrUndefined,
      onTimeout: (): Own | undefined => undefined
    })
}

/** Makes the check of the candle of a series that closed last, at or before a time (ms). */
export const make = ({ figures, queue, streams, ...others }: Checking) => {
  const own = asking(others)
  const tell = ({ close, series, span }: Closing, bar: Bar | undefined, isFinal: boolean) =>
    queue.offer({
      ...{ _tag: "Closed", series, from: close - span, until: close },
      ...{ bars: bar === undefined ? [] : [bar], isFinal }
    })
  /** Looks once more for a candle of which nothing is known: an exchange may be late with it. */
  const askLater = (closing: Closing) =>
    Effect.flatMap(Effect.delay(own(closing.series, closing.close), LATE_MS), (exact) =>
      exact === undefined ? queue.offer(lost(closing)) : tell(closing, exact.soFar, true)
    )

  /** Without a trade nobody waits for the candle, and some exchanges have one all the same. */
  const untraded = (closing: Closing, exact: Own | undefined, isSure: boolean) => {
    if (exact?.bar !== undefined) return tell(closing, exact.bar, true)
    if (isSure) return tell(closing, exact?.soFar, true)
    return exact === undefined ? queue.offer(lost(closing)) : askLater(closing)
  }

  /** The exchange's own candle is looked at if it comes in time, else the one of trades, which may be corrected. */
  const traded = Effect.fnUntraced(function* (
    closing: Closing,
    bar: Bar,
    reply: Fiber.Fiber<Own | undefined>
  ) {
    const found = yield* Effect.timeoutOption(Fiber.join(reply), AWAITED_MS)
    const exact = Option.getOrUndefined(found)?.bar
    if (exact !== undefined) {
      if (differs(bar, exact)) figures.differed++
      return yield* tell(closing, exact, true)
    }
    yield* tell(closing, bar, Option.isSome(found))
    if (Option.isSome(found)) return
    const late = (yield* Fiber.join(reply))?.bar
    if (late === undefined || !differs(bar, late)) return
    figures.corrected++
    yield* Effect.logWarning(lateText(closing))
    yield* queue.offer({ _tag: "Corrected", series: closing.series, bar: late })
  })

  return Effect.fnUntraced(function* (series: CandleSeries, last: number) {
    const span = millisOf(series.timeframe)
    const close = Math.floor(last / span) * span
    const closing: Closing = { series, span, close }
    const streamed = streams.known(series, close)
    const reply = yield* Effect.fork(own(series, close))
    if (streamed?.bar !== undefined) return yield* traded(closing, streamed.bar, reply)
    yield* untraded(closing, yield* Fiber.join(reply), streamed !== undefined)
  })
}

/** A candle of a series that closed at a time (ms). */
interface Closing {
  readonly series: CandleSeries
  readonly span: number
  readonly close: number
}

/**
 * What an exchange has of a candle: the whole of it, or what it has so far, where the last of the shorter ones that make it is
 * missing. None where there was no trade, or where it is late.
 */
interface Own {
  readonly bar: Bar | undefined
  readonly soFar: Bar | undefined
}

const UNKNOWN = new PageFailed({ reason: "it has no candles here", pauseMs: 0, kind: "lasting" })

/** Nothing is known but that a candle has closed: whoever looks at it fetches it. */
const lost = ({ close, series }: Closing): CandleNews => ({
  ...{ _tag: "Closed", series, from: close, until: close, bars: [], isFinal: true }
})

const lateText = ({ close, series: { exchange, pair, timeframe } }: Closing): string =>
  `the ${timeframe} candle of ${pair} at ${exchange} that closed at ${DateTime.formatIso(DateTime.unsafeMake(close))} is another one there; rules had looked at it already, and what they raised stands`

/** The candle that shorter ones make. */
const ownOf = (rows: ReadonlyArray<Bar>, span: number, close: number): Own => {
  const [first] = rows
  const soFar =
    first &&
    rows.slice(1).reduce(
      (bar, row) => ({
        at: bar.at,
        open: bar.open,
        high: Math.max(bar.high, row.high),
        low: Math.min(bar.low, row.low),
        close: row.close,
        volume: bar.volume + row.volume
      }),
      first
    )
  return { bar: rows.at(-1)?.at === close - span ? soFar : undefined, soFar }
}

/** Volumes are sums, which differ in their last digits. */
const VOLUME_TOLERANCE = 1e-9

const differs = (one: Bar, other: Bar): boolean =>
  one.open !== other.open ||
  one.high !== other.high ||
  one.low !== other.low ||
  one.close !== other.close ||
  Math.abs(one.volume - other.volume) > VOLUME_TOLERANCE * Math.max(one.volume, other.volume)
