// The reports that there are, as types: what each page is given. This file is erased at run time.
import type { Shading } from "../../../domain/internal/Shade.ts"
import type { ReportPage } from "../../ReportDocument.ts"
import type { Answer } from "../wire.ts"

/** The candles of one market that a back-test ran over. Times are those of the first and last candle, in seconds. */
export interface Stretch {
  readonly exchange: string
  readonly pair: string
  readonly from: number
  readonly to: number
  /** Undefined where only the chart's candles are known, which may be joined ones. */
  readonly candles?: number
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

/** A figure as it may be null: a profit factor without a loss, or a cell in which nothing ran. */
type Maybe = number | null

/** A figure of a sweep, and how a map of it is shaded. */
export interface SweepFigure extends Shading {
  readonly name: string
}

/** A heat map of two settings, by their places among the fields. `best` and `mean` are figures, part after part. */
export interface SweepMapData {
  readonly row: number
  readonly column: number
  readonly rows: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  /** The combinations in each cell, row by row, and the rank of the best. */
  readonly counts: ReadonlyArray<number>
  readonly ranks: ReadonlyArray<Maybe>
  /** For each figure of each part, the cells row by row. */
  readonly best: ReadonlyArray<ReadonlyArray<Maybe>>
  readonly mean: ReadonlyArray<ReadonlyArray<Maybe>>
}

/** A combination: its values as texts, and for each part the figures of `shown`. */
export interface SweepRow {
  readonly values: ReadonlyArray<string>
  readonly figures: ReadonlyArray<Maybe>
}

/** A sweep. Figures of several parts stand part after part. */
export interface SweepData {
  readonly fields: ReadonlyArray<string>
  /** The values of each field as text, cut where they are many. */
  readonly values: ReadonlyArray<string>
  readonly rank: string
  readonly parts: ReadonlyArray<string>
  /** What may be luck in the figures, a sentence each. */
  readonly caution: ReadonlyArray<string>
  readonly figures: ReadonlyArray<SweepFigure>
  /** The figures of a row, by name. */
  readonly shown: ReadonlyArray<string>
  readonly rows: ReadonlyArray<SweepRow>
  /** How many combinations have a result; `rows` are the best of them. */
  readonly ran: number
  readonly maps: ReadonlyArray<SweepMapData>
  /** The ranking's figure in both parts, evenly from the whole ranking. */
  readonly dots: ReadonlyArray<readonly [number, number]>
  readonly settings: unknown
  readonly candles: ReadonlyArray<Stretch>
  /** The rule that raised the alerts, as it is in the first place. */
  readonly rule?: NonNullable<Answer<"backtests", "run">["rule"]>
}

/** A stretch of a walk. Times in seconds; values and figures as texts and numbers, null where nothing was chosen. */
export interface WalkRow {
  readonly train_from: number
  readonly test_from: number
  readonly test_to: number
  readonly values: ReadonlyArray<string>
  readonly train: Maybe
  readonly test: Maybe
  readonly return_pct: number
  readonly ending: number
  readonly trades: number
}

/** How stable a setting is over the stretches of a walk. */
export interface WalkStability {
  readonly field: string
  readonly value: string
  readonly share_pct: number
  readonly values: number
  readonly changes: number
}

/** A walk forward: its stretches, and the joined record of their tests. */
export interface WalkData {
  readonly fields: ReadonlyArray<string>
  /** The values of each field as text, cut where they are many. */
  readonly values: ReadonlyArray<string>
  readonly rank: string
  readonly currency: string
  /** What came of it and what may be luck, a sentence each. */
  readonly lines: ReadonlyArray<string>
  readonly points: Answer<"backtests", "run">["points"]
  readonly marked: Answer<"backtests", "run">["figures"]["marked"]
  /** In percent of equity for a day, and the efficiency in percent; null where train did not gain. */
  readonly train_per_day_pct: number
  readonly test_per_day_pct: number
  readonly efficiency_pct: Maybe
  readonly rows: ReadonlyArray<WalkRow>
  readonly stability: ReadonlyArray<WalkStability>
  readonly settings: unknown
  readonly candles: ReadonlyArray<Stretch>
}

interface Of<Page extends string, Data> extends ReportPage {
  readonly page: Page
  readonly data: Data
}

export type BacktestReport = Of<"backtest", BacktestData>
export type SweepReport = Of<"sweep", SweepData>
export type WalkReport = Of<"walk", WalkData>

/** Any report. */
export type Report = BacktestReport | SweepReport | WalkReport
