// Closed candles of exchanges as they come: of the streamed trades at the close, compared with the exchange's own candle
// before a rule looks at it. One that comes too late is a correction.

import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import { isKnownExchange, type MarketId } from "../../domain/Market.ts"
import { PageFailed } from "../../services/feeds/CandlePages.ts"
import { until as untilTime } from "../../services/internal/Waiting.ts"
import type { CandleNews, CandleSource } from "../../services/rules/ClosedCandles.ts"
import type { Bar } from "../../trading/indicators/Plan.ts"
import type { Trade } from "../tape/Reels.ts"
import { PageQuestions } from "./PageQuestions.ts"
import { make as makeTurns, type Within } from "./PageTurns.ts"
import * as PastCandles from "./PastCandles.ts"
import { StreamedCandles } from "./StreamedCandles.ts"

const MINUTE_MS = 60_000
/** When after a close candles are built of trades, and until when the exchange's own candle is awaited (ms). */
const BUILT_MS = 1_000
const AWAITED_MS = 3_500
/** How long after that an exchange is asked again for a candle of which nothing is known (ms). */
const LATE_MS = 15_000
/** How often the process shows that it was not suspended (ms). */
const BEAT_MS = 4_000
/** News that are taken at a time. */
const MOST_NEWS = 1_000

/** Counts since the start: candles that the exchange has otherwise, in time and too late. */
export interface LiveFigures {
  differed: number
  corrected: number
}

/** Makes the source, with what the streams and the thread tell it. */
export const make = Effect.gen(function* () {
  const clock = yield* Effect.clock
  const scope = yield* Effect.scope
  const now = () => clock.unsafeCurrentTimeMillis()
  const streams = new StreamedCandles(now())
  const questions = new PageQuestions()
  const within = yield* makeTurns
  const queue = yield* Queue.unbounded<CandleNews>()
  const figures: LiveFigures = { differed: 0, corrected: 0 }
  /** Open while a series is followed. */
  const followed = yield* Effect.makeLatch()
  let all: ReadonlyArray<CandleSeries> = []

  const check = checking({ queue, within, questions, streams, figures })
  /** Waits for the next minute, and looks at all series that closed with it. */
  const minute = Effect.gen(function* () {
    yield* followed.await
    const close = (Math.floor(now() / MINUTE_MS) + 1) * MINUTE_MS
    yield* untilTime(close + BUILT_MS)
    streams.alive(now())
    // A machine that slept has missed the closes before: the candles between are fetched.
    const last = Math.floor((now() - BUILT_MS) / MINUTE_MS) * MINUTE_MS
    streams.build(last)
    const due = all.filter(({ timeframe }) => hasClosed(millisOf(timeframe), close, last))
    // Where there are too many to compare all, others are compared with each close.
    const first = due.length === 0 ? 0 : (last / MINUTE_MS) % due.length
    const turned = [...due.slice(first), ...due.slice(0, first)]
    yield* Effect.forEach(turned, (series) => Effect.forkIn(check(series, last), scope), { discard: true })
  })
  yield* Effect.forkScoped(Effect.forever(minute))
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.zipRight(
        followed.await,
        Effect.delay(
          Effect.sync(() => streams.alive(now())),
          BEAT_MS
        )
      )
    )
  )

  const source: CandleSource = {
    follow: (series) =>
      Effect.sync(() => {
        all = series
        streams.follow(series, now())
        if (series.length > 0) followed.unsafeOpen()
        else followed.unsafeClose()
      }),
    next: Effect.map(Queue.takeBetween(queue, 1, MOST_NEWS), Chunk.toReadonlyArray),
    history: PastCandles.make(questions.ask, within)
  }
  return {
    source,
    figures,
    questions,
    traded: (market: MarketId, trade: Trade) => streams.traded(market, trade, now()),
    whole: (markets: Iterable<MarketId>) => streams.whole(markets, now()),
    broken: (markets: Iterable<MarketId>) => streams.broken(markets)
  }
})

/** Closed candles, and the way in for streams. */
export type LiveCandles = Effect.Effect.Success<typeof make>

/** Whether a candle of a span closed after one minute's end before, and up to a time (ms). */
const hasClosed = (span: number, close: number, last: number): boolean =>
  Math.floor(last / span) > Math.floor((close - MINUTE_MS) / span)

interface Checking {
  readonly queue: Queue.Queue<CandleNews>
  readonly within: Within
  readonly questions: PageQuestions
  readonly streams: StreamedCandles
  readonly figures: LiveFigures
}

/** Makes the check of one candle that has closed. */
const checking = ({ figures, queue, questions, streams, within }: Checking) => {
  /** What the exchange has of a candle; fails where it cannot be asked. */
  const ask = (series: CandleSeries, close: number) => {
    const { exchange } = series
    if (!isKnownExchange(exchange)) return Effect.fail(UNKNOWN)
    const base = { ...series, timeframe: PastCandles.baseOf(exchange, series.timeframe) }
    return Effect.map(
      within(exchange, "check")(questions.ask(base, close - millisOf(series.timeframe), close)),
      (rows): Own => ownOf(rows, millisOf(base.timeframe), close)
    )
  }
  /** The exchange's own candle: none where it has none, or cannot be asked in time. */
  const own = (series: CandleSeries, close: number) =>
    Effect.timeoutTo(Effect.option(ask(series, close)), {
      duration: millisOf(series.timeframe) / 2,
      onSuccess: Option.getOrUndefined,
      onTimeout: (): Own | undefined => undefined
    })

  return Effect.fnUntraced(function* (series: CandleSeries, last: number) {
    const span = millisOf(series.timeframe)
    const close = Math.floor(last / span) * span
    const tell = (bar: Bar | undefined, isFinal: boolean) =>
      queue.offer({
        ...{ _tag: "Closed", series, from: close - span, until: close },
        ...{ bars: bar === undefined ? [] : [bar], isFinal }
      })
    const streamed = streams.known(series, close)
    const asking = yield* Effect.fork(own(series, close))
    // Without a trade nobody waits for the candle, and some exchanges have one all the same.
    const found = yield* streamed?.bar === undefined
      ? Effect.map(Fiber.join(asking), Option.some)
      : Effect.timeoutOption(Fiber.join(asking), AWAITED_MS - BUILT_MS)
    const exact = Option.getOrUndefined(found)
    if (streamed?.bar === undefined) {
      if (exact?.bar !== undefined) return yield* tell(exact.bar, true)
      if (streamed !== undefined) return yield* tell(exact?.soFar, true)
      return yield* exact === undefined ? queue.offer(lost(series, close)) : later(series, close, tell)
    }
    if (exact?.bar !== undefined) {
      if (differs(streamed.bar, exact.bar)) figures.differed++
      return yield* tell(exact.bar, true)
    }
    yield* tell(streamed.bar, Option.isSome(found))
    if (Option.isSome(found)) return
    const late = (yield* Fiber.join(asking))?.bar
    if (late === undefined || !differs(streamed.bar, late)) return
    figures.corrected++
    yield* Effect.logWarning(lateText(series, close))
    yield* queue.offer({ _tag: "Corrected", series, bar: late })
  })

  /** Looks once more for a candle of which nothing is known: an exchange may be late with it. */
  function later(series: CandleSeries, close: number, tell: Tell) {
    return Effect.zipRight(
      Effect.sleep(LATE_MS),
      Effect.flatMap(own(series, close), (exact) =>
        exact === undefined ? queue.offer(lost(series, close)) : tell(exact.soFar, true)
      )
    )
  }
}

/**
 * What an exchange has of a candle: the whole of it, or what it has so far, where the last of the shorter ones that make it is
 * missing. None where there was no trade, or where it is late.
 */
interface Own {
  readonly bar: Bar | undefined
  readonly soFar: Bar | undefined
}
type Tell = (bar: Bar | undefined, isFinal: boolean) => Effect.Effect<unknown>

const UNKNOWN = new PageFailed({ reason: "it has no candles here", pauseMs: 0, kind: "lasting" })

/** Nothing is known but that a candle has closed: whoever looks at it fetches it. */
const lost = (series: CandleSeries, close: number): CandleNews => ({
  ...{ _tag: "Closed", series, from: close, until: close, bars: [], isFinal: true }
})

const lateText = ({ exchange, pair, timeframe }: CandleSeries, close: number): string =>
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
