// The `Candles` port of a replay: charts up to the present candle, never beyond it.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { between } from "../domain/candles/CandleRange.ts"
import { Candles, charted } from "../services/feeds/Candles.ts"
import { fitted, NONE } from "../trading/candles/Bars.ts"
import type { Recording } from "./CandleFiles.ts"

/** Charts of the replayed candles, for a pair's spot market and perpetual alike. */
export const layer = (recordings: ReadonlyArray<Recording>): Layer.Layer<Candles> =>
  Layer.succeed(Candles, {
    range: Effect.fn("Candles.range")(function* ({ exchange, pair }, { from, points, until }) {
      const now = yield* Clock.currentTimeMillis
      const recording = recordings.find((it) => it.exchange === exchange && it.pair === pair)
      const columns =
        recording === undefined ? NONE : between(recording.columns, from, Math.min(until, now + 1))
      return charted("replay", fitted(columns, points))
    })
  })
