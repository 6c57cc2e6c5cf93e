// The reports that there are, as types: what each page is given. This file is erased at run time.
import type { ReportPage } from "../../ReportDocument.ts"
import type { Answer } from "../wire.ts"

/** The candles of one market that a back-test ran over. Times are those of the first and last candle, in seconds. */
export interface Stretch {
  readonly exchange: string
  readonly pair: string
  readonly from: number
  readonly to: number
  readonly candles: number
}

/** A back-test. */
export interface BacktestData {
  readonly result: Answer<"backtests", "run">
  /** What the settings mean, in sentences. */
  readonly statement: ReadonlyArray<string>
  /** The settings with the names of requests. */
  readonly settings: unknown
  readonly candles: ReadonlyArray<Stretch>
}

interface Of<Page extends string, Data> extends ReportPage {
  readonly page: Page
  readonly data: Data
}

export type BacktestReport = Of<"backtest", BacktestData>

/** Any report. */
export type Report = BacktestReport
