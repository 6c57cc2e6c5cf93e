import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Columns } from "../../domain/candles/CandleFile.ts"
import type { MarketId } from "../../domain/Market.ts"
import { type Bars, NONE } from "../../trading/candles/Bars.ts"

/** Where candles of a chart come from. */
export type CandleSource = "recorded" | "replay" | "live" | "none"

/** A stretch of time (ms, `until` not included), and the most candles that are wanted of it. */
export interface CandleRange {
  readonly from: number
  readonly until: number
  readonly points: number
}

/** Candles of one market, and where they come from; `none` where there are none. */
export interface Charted extends Bars {
  readonly source: CandleSource
}

/**
 * What a market's prices were, for charts. A port. Nothing is decided by them.
 *
 * **Whoever implements it keeps**
 *
 * - Order: candles ascend by their beginning, one for each time; a span without trades is missing, and never filled
 *   in.
 * - Bounds: at most as many as `points` asks for, in the shortest span that keeps to it.
 * - Errors: none. A market without candles has the source `none`.
 *
 * **Proved by** no suite: nothing is decided by it.
 *
 * @category Ports
 */
export class Candles extends Context.Tag("signalbox/services/feeds/Candles")<
  Candles,
  {
    /** Candles that begin in a range, in the shortest span that keeps to the number of points. */
    readonly range: (market: MarketId, range: CandleRange) => Effect.Effect<Charted>
  }
>() {
  /** Knows of no candles. */
  static readonly layerNone = Layer.succeed(Candles, { range: () => Effect.succeed(nothing) })
}

const nothing: Charted = { source: "none", spanMs: 60_000, columns: NONE }

/** Candles with their source; none of a market that there are none of. */
export const charted = (source: CandleSource, bars: Bars): Charted =>
  bars.columns.length === 0 ? nothing : { source, ...bars }

/** One-minute candles of what this server saw of a market from one time to another (ms, the second not included). */
export type Seen = (market: MarketId, from: number, until: number) => Columns
