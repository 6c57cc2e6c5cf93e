// Who lists, downloads and removes stored candles for the dashboard, as a reference: without a layer nobody does, so that a
// server in memory or in a replay needs neither network nor disk.
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import type { DownloadRequest } from "./CandleDownload.ts"

/** Missing candles. Times in seconds since the Unix epoch: the first and the last that is missing. */
export interface MissingCandles {
  readonly from: number
  readonly to: number
  readonly candles: number
  /** Whether the exchange was asked, and has none. */
  readonly known: boolean
}

/** What is stored of a series. Times in seconds since the Unix epoch: the first and the last candle's start. */
export interface StoredSeries extends CandleSeries {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly bytes: number
  /** The number of missing candles between the first and the last. */
  readonly missing: number
  /** The newest holes, and the number of the others. */
  readonly holes: ReadonlyArray<MissingCandles>
  readonly more_holes: number
}

/** The result of a download. */
export interface DownloadResult {
  /** Days that were fetched now, and those that were stored already. */
  readonly days_fetched: number
  readonly days_kept: number
  readonly candles_fetched: number
  /** Candles that the exchange does not have. */
  readonly missing: number
  /** The day before the first that the exchange has, where that is later than asked; seconds since the Unix epoch. */
  readonly listed_from: number | null
}

/** How far the last download is. Times in ms since the Unix epoch. */
export interface DownloadState {
  readonly request: DownloadRequest
  readonly stage: "running" | "done" | "failed" | "cancelled"
  readonly began: number
  readonly ended: number | undefined
  /** Candles done of all, once the number of all is known. */
  readonly done: number
  readonly total: number
  /** What it waits for: a limit of the exchange, or a failure that may pass. */
  readonly waiting: string | undefined
  readonly failure: string | undefined
  readonly result: DownloadResult | undefined
}

/** One download runs at a time, and what it fetches is not removed meanwhile. */
export class CandlesBusy extends Data.TaggedError("CandlesBusy") {
  override get message() {
    return "a download of candles runs already: wait until it ends, or cancel it"
  }
}

/** The server keeps no candles. */
export class CandlesOff extends Data.TaggedError("CandlesOff") {
  override get message() {
    return "this server stores no candles: start it with signalbox serve"
  }
}

/** Stored candles could not be listed or removed. */
export class CandlesUnavailable extends Data.TaggedError("CandlesUnavailable")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** Lists, downloads and removes stored candles. */
export class CandleLibrary extends Context.Reference<CandleLibrary>()(
  "signalbox/services/feeds/CandleLibrary",
  {
    defaultValue: (): {
      /** Whether candles are stored at all. */
      readonly isOn: boolean
      /** Lists what is stored; an answer may be half a minute old. */
      readonly list: Effect.Effect<ReadonlyArray<StoredSeries>, CandlesUnavailable>
      /** The last download since the start. */
      readonly state: Effect.Effect<DownloadState | undefined>
      /** Begins a download without waiting for it. */
      readonly begin: (request: DownloadRequest) => Effect.Effect<void, CandlesBusy | CandlesOff>
      /** Ends a running download. What came is stored. */
      readonly cancel: Effect.Effect<void>
      /** Removes the downloaded days of a series; returns how many. */
      readonly remove: (
        series: CandleSeries
      ) => Effect.Effect<number, CandlesBusy | CandlesOff | CandlesUnavailable>
    } => ({
      isOn: false,
      list: Effect.succeed([]),
      state: Effect.succeed(undefined),
      begin: () => new CandlesOff(),
      cancel: Effect.void,
      remove: () => new CandlesOff()
    })
  }
) {}
