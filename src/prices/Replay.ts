// Replays recorded candles in the time of the replay's clock: the next candle is published once the bots are done with
// the one before and its time has come.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PriceFeed } from "../services/PriceFeed.ts"
import { PriceEvent } from "../services/Tickers.ts"
import type { Recording } from "./CandleFiles.ts"
import type { ReplayClock } from "./ReplayClock.ts"

/** All candles of one timestamp. */
interface Moment {
  readonly at: number
  readonly events: ReadonlyArray<PriceEvent>
}

/** The time of the first candle (ms). */
export const beginning = (recordings: ReadonlyArray<Recording>): number =>
  recordings.reduce((first, { columns }) => Math.min(first, columns.at[0] ?? first), Number.MAX_SAFE_INTEGER)

/** The candles of all recordings sorted by time; at one time in the sequence of the recordings. */
export function* moments(recordings: ReadonlyArray<Recording>): Generator<Moment> {
  const places = recordings.map(() => 0)
  for (;;) {
    let at = Number.POSITIVE_INFINITY
    recordings.forEach(({ columns }, index) => {
      at = Math.min(at, columns.at[places[index] ?? 0] ?? Number.POSITIVE_INFINITY)
    })
    if (at === Number.POSITIVE_INFINITY) return
    const events: Array<PriceEvent> = []
    recordings.forEach((recording, index) => {
      const row = places[index] ?? 0
      if (recording.columns.at[row] !== at) return
      places[index] = row + 1
      events.push(barAt(recording, row))
    })
    yield { at, events }
  }
}

const barAt = ({ columns, exchange, pair }: Recording, row: number): PriceEvent =>
  PriceEvent.Barred({
    exchange,
    pair,
    candle: {
      at: columns.at[row] ?? 0,
      open: columns.open[row] ?? 0,
      high: columns.high[row] ?? 0,
      low: columns.low[row] ?? 0,
      close: columns.close[row] ?? 0,
      volume: columns.volume?.[row] ?? 0
    }
  })

/** Publishes the candles at their times. After the last one the clock stands still. */
export const layer = (recordings: ReadonlyArray<Recording>, clock: ReplayClock, speed: number) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const feed = yield* PriceFeed
      const play = Effect.gen(function* () {
        let before = beginning(recordings)
        for (const { at, events } of moments(recordings)) {
          clock.moveTo(before, at)
          yield* Effect.sleep((at - before) / speed)
          clock.begin(at)
          yield* feed.publish(events)
          before = at + 1
        }
        yield* Effect.logInfo("the replay has ended")
      })
      yield* Effect.forkScoped(play)
    })
  )
