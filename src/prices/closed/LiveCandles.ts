// Closed candles of exchanges as they come: of the streamed trades at the close, compared with the exchange's own candle
// before a rule looks at it. One that comes too late is a correction.

import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import { isKnownExchange, type MarketId } from "../../domain/Market.ts"
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
    yield* Effect.forEach(due, (series) => Effect.forkIn(check(series, last), scope), { discard: true })
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
  /** The exchange's own candle; none if it does not have it, or cannot be asked. */
  const own = Effect.fnUntraced(
    function* (series: CandleSeries, close: number) {
      const { exchange } = series
      if (!isKnownExchange(exchange)) return Option.none<Bar>()
      const base = { ...series, timeframe: PastCandles.baseOf(exchange, series.timeframe) }
      const rows = yield* within(
        exchange,
        "check"
      )(questions.ask(base, close - millisOf(series.timeframe), close))
      return wholeOf(rows, millisOf(base.timeframe), close)
    },
    Effect.option,
    Effect.map(Option.flatten)
  )

  return Effect.fnUntraced(function* (series: CandleSeries, last: number) {
    const span = millisOf(series.timeframe)
    const close = Math.floor(last / span) * span
    const streamed = streams.candle(series, close)
    const closed = (bar: Bar | undefined, isFinal: boolean): CandleNews => ({
      _tag: "Closed",
      series,
      from: bar === undefined ? close : close - span,
      until: close,
      bars: bar === undefined ? [] : [bar],
      isFinal
    })
    const asking = yield* Effect.fork(Effect.timeoutOption(own(series, close), span / 2))
    const inTime = yield* Effect.timeoutOption(asking.await, AWAITED_MS - BUILT_MS)
    const found = Option.flatMap(inTime, (exit) => (exit._tag === "Success" ? exit.value : Option.none()))
    const exact = Option.flatten(found)
    if (Option.isSome(exact)) {
      if (streamed !== undefined && differs(streamed, exact.value)) figures.differed++
      return yield* queue.offer(closed(exact.value, true))
    }
    // Where trades are missing too, whoever looks fetches what is missing.
    yield* queue.offer(closed(streamed, Option.isSome(inTime)))
    if (streamed === undefined || Option.isSome(inTime)) return
    const late = Option.flatten(yield* asking)
    if (Option.isNone(late) || !differs(streamed, late.value)) return
    figures.corrected++
    yield* Effect.logWarning(
      `the candle of ${series.pair} at ${series.exchange} that closed at ${close} was another one at the exchange; rules had looked at it already, and what they raised stands`
    )
    yield* queue.offer({ _tag: "Corrected", series, bar: late.value })
  })
}

/** The candle that some shorter ones make, if the last of them is there: an exchange may be late with it. */
const wholeOf = (rows: ReadonlyArray<Bar>, span: number, close: number): Option.Option<Bar> => {
  const [first] = rows
  const last = rows.at(-1)
  if (first === undefined || last?.at !== close - span) return Option.none()
  return Option.some(
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
  )
}

/** Volumes are sums, which differ in their last digits. */
const VOLUME_TOLERANCE = 1e-9

const differs = (one: Bar, other: Bar): boolean =>
  one.open !== other.open ||
  one.high !== other.high ||
  one.low !== other.low ||
  one.close !== other.close ||
  Math.abs(one.volume - other.volume) > VOLUME_TOLERANCE * Math.max(one.volume, other.volume)
