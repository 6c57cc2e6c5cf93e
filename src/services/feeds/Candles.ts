// The port of past candles for charts. Nothing is decided by them.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Columns } from "../../domain/candles/CandleFile.ts"
import type { MarketId } from "../../domain/Market.ts"
import { type Bars, NONE } from "../../trading/candles/Bars.ts"

/** The source of a chart's candles. */
export type CandleSource = "recorded" | "replay" | "live" | "none"

/** A range of time (ms, `until` exclusive), and the most candles wanted in it. */
export interface CandleRange {
  readonly from: number
  readonly until: number
  readonly points: number
}

/** Candles of one market with their source; `none` where there are none. */
export interface Charted extends Bars {
  readonly source: CandleSource
}

/**
 * Past prices of markets, for charts. A port. Nothing is decided by them.
 *
 * **An implementation keeps**
 *
 * - Order: candles ascend by start, one for each time; a span without trades is missing, and never filled in.
 * - Bounds: at most `points` candles, of the shortest span that stays within it.
 * - Errors: none. A market without candles has the source `none`.
 *
 * **Proved by** no suite: nothing is decided by it.
 *
 * @category Ports
 */
export class Candles extends Context.Tag("signalbox/services/feeds/Candles")<
  Candles,
  {
    /** Reads the candles that start in a range, of the shortest span that stays within the number of points. */
    readonly range: (market: MarketId, range: CandleRange) => Effect.Effect<Charted>
  }
>() {
  /** Has no candles. */
  static readonly layerNone = Layer.succeed(Candles, { range: () => Effect.succeed(nothing) })
}

const nothing: Charted = { source: "none", spanMs: 60_000, columns: NONE }

/** Candles with their source; `none` where there are no candles. */
export const charted = (source: CandleSource, bars: Bars): Charted =>
  bars.columns.length === 0 ? nothing : { source, ...bars }

/** Reads one-minute candles that this server built from a market's prices, in a range (ms, `until` exclusive). */
export type Seen = (market: MarketId, from: number, until: number) => Columns
