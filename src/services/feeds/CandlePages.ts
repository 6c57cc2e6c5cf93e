// The port of candles at exchanges: one page at a time, with the limits of each exchange.
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type { ExactCandle } from "../../domain/candles/CandleRowWriter.ts"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import type { Timeframe } from "../../domain/candles/Timeframe.ts"

/** What an exchange serves of a series. */
export interface PageLimits {
  /** The most candles of one page. */
  readonly rows: number
  /** The number of newest candles that it serves; undefined if it serves all. */
  readonly newest: number | undefined
  /** The timeframes that it serves. */
  readonly timeframes: ReadonlyArray<Timeframe>
}

/** A page could not be fetched. */
export class PageFailed extends Data.TaggedError("PageFailed")<{
  readonly reason: string
  /** How long to wait before the next request (ms); 0 leaves it to the caller. */
  readonly pauseMs: number
  /** `limit`: the exchange limits requests; `passing`: it may work later; `lasting`: it will not. */
  readonly kind: "limit" | "passing" | "lasting"
}> {
  override get message() {
    return this.reason
  }
}

/**
 * Candles at exchanges, page by page. A port.
 *
 * **An implementation keeps**
 *
 * - Rows: a page is sound, sorted, each time once, and within its range; it may have fewer candles than the exchange.
 * - Pace: requests keep to the exchange's limits and wait for its pauses.
 * - Errors: an answer that is not understood is `PageFailed`, never an empty page.
 *
 * **Proved by** no suite: an exchange is on its other side; the download's tests run over one that answers at its worst.
 *
 * @category Ports
 */
export class CandlePages extends Context.Tag("signalbox/services/feeds/CandlePages")<
  CandlePages,
  {
    /** The limits of a series; Left explains why the exchange has none of it. */
    readonly limits: (series: CandleSeries) => Either.Either<PageLimits, string>
    /** The candles that begin from `from` on and before `until` (ms), at most a page wide. */
    readonly page: (
      series: CandleSeries,
      from: number,
      until: number
    ) => Effect.Effect<ReadonlyArray<ExactCandle>, PageFailed>
  }
>() {}
