// The port of closed candles for rules, as a reference. Without a layer there is none: then rules look at the candles and
// prices that the feed gives the engine (`FedCandles`), as in a replay.
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import type { Bar, Bars } from "../../trading/indicators/Plan.ts"

/**
 * What became known of a series: all candles that opened from `from` on and before `until` (ms), which has passed. Where
 * nothing is known but that a candle has closed, both are its close.
 */
export interface Closed {
  readonly _tag: "Closed"
  readonly series: CandleSeries
  readonly from: number
  readonly until: number
  readonly bars: ReadonlyArray<Bar>
  /** Whether these are the exchange's own; else `Corrected` may follow. */
  readonly isFinal: boolean
}

/** The exchange's own candle differs from the last one of a series, and came too late to be looked at. */
export interface Corrected {
  readonly _tag: "Corrected"
  readonly series: CandleSeries
  readonly bar: Bar
}

/** News of a series. */
export type CandleNews = Closed | Corrected

/** Past candles cannot be had now; they may be later, unless `isLasting`. */
export class HistoryFailed extends Data.TaggedError("HistoryFailed")<{
  readonly reason: string
  readonly isLasting: boolean
}> {
  override get message() {
    return this.reason
  }
}

/** Reads the closed candles of a series that opened from `from` on and before `until` (ms). */
export type ReadHistory = (
  series: CandleSeries,
  from: number,
  until: number
) => Effect.Effect<Bars, HistoryFailed>

/**
 * Closed candles as they come, and past ones. A port.
 *
 * **An implementation keeps**
 *
 * - Time: each candle of a followed series is told within 5 s of its close, or that it closed.
 * - Order: of a series news come in the sequence of time, and `Corrected` is about the last candle told.
 * - Pace: however many series are followed, requests keep to the limits of each exchange.
 */
export interface CandleSource {
  /** Follows these series from now on, in place of those before. */
  readonly follow: (series: ReadonlyArray<CandleSeries>) => Effect.Effect<void>
  /** Waits for news, oldest first. Never empty. */
  readonly next: Effect.Effect<ReadonlyArray<CandleNews>>
  readonly history: ReadHistory
}

/** The source of closed candles, if there is one besides the feed of prices. */
export class ClosedCandles extends Context.Reference<ClosedCandles>()(
  "signalbox/services/rules/ClosedCandles",
  { defaultValue: (): Option.Option<CandleSource> => Option.none() }
) {}
