// Closed candles of exchanges as they come: of the streamed trades at the close, compared with the exchange's own candle
// before a rule looks at it. One that comes too late is a correction.

import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import type { MarketId } from "../../domain/Market.ts"
import { until as untilTime } from "../../services/internal/Waiting.ts"
import type { CandleNews, CandleSource } from "../../services/rules/ClosedCandles.ts"
import type { Trade } from "../tape/Reels.ts"
import * as CandleCheck from "./CandleCheck.ts"
import { PageQuestions } from "./PageQuestions.ts"
import { make as makeTurns } from "./PageTurns.ts"
import * as PastCandles from "./PastCandles.ts"
import { StreamedCandles } from "./StreamedCandles.ts"

const MINUTE_MS = 60_000
/** When after a close candles are built of trades (ms). */
const BUILT_MS = 1_000
/** How often the process shows that it was not suspended (ms). */
const BEAT_MS = 4_000
/** News that are taken at a time. */
const MOST_NEWS = 1_000

/** Makes the source, with what the streams and the thread tell it. */
export const make = Effect.gen(function* () {
  const clock = yield* Effect.clock
  const scope = yield* Effect.scope
  const now = () => clock.unsafeCurrentTimeMillis()
  const streams = new StreamedCandles(now())
  const questions = new PageQuestions()
  const within = yield* makeTurns
  const queue = yield* Queue.unbounded<CandleNews>()
  const figures: CandleCheck.LiveFigures = { differed: 0, corrected: 0 }
  /** Open while a series is followed. */
  const followed = yield* Effect.makeLatch()
  let all: ReadonlyArray<CandleSeries> = []

  const check = CandleCheck.make({ queue, within, questions, streams, figures })
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.zipRight(
        followed.await,
        minute(now, streams, (last, since) =>
          Effect.forEach(due(all, last, since), (series) => Effect.forkIn(check(series, last), scope), {
            discard: true
          })
        )
      )
    )
  )
  const beat = Effect.delay(
    Effect.sync(() => streams.alive(now())),
    BEAT_MS
  )
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(followed.await, beat)))

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

/** Waits for the end of a minute, and looks at what closed since the one before: from `since` up to `last` (ms). */
const minute = Effect.fnUntraced(function* (
  now: () => number,
  streams: StreamedCandles,
  look: (last: number, since: number) => Effect.Effect<void>
) {
  const close = (Math.floor(now() / MINUTE_MS) + 1) * MINUTE_MS
  yield* untilTime(close + BUILT_MS)
  streams.alive(now())
  // A machine that slept has missed the closes before: the candles between are fetched.
  const last = Math.floor((now() - BUILT_MS) / MINUTE_MS) * MINUTE_MS
  streams.build(last)
  yield* look(last, close - MINUTE_MS)
})

/** The series of which a candle closed. Where there are too many to compare all, others come first with each close. */
const due = (all: ReadonlyArray<CandleSeries>, last: number, since: number): ReadonlyArray<CandleSeries> => {
  const some = all.filter(({ timeframe }) => {
    const span = millisOf(timeframe)
    return Math.floor(last / span) > Math.floor(since / span)
  })
  const first = some.length === 0 ? 0 : (last / MINUTE_MS) % some.length
  return [...some.slice(first), ...some.slice(0, first)]
}
