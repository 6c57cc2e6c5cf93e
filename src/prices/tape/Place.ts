// The paths of stored candles in the data folder. Recorded: `candles/EXCHANGE/BASE-QUOTE-KIND/YYYY-MM.csv.gz`, and spreads as
// `YYYY-MM.spreads.gz` beside it.
// Downloaded: `YYYY-MM-DD.csv.gz` beside it, or in a folder named by its timeframe if that is not one minute; a day that
// was not over has the time up to which the exchange was asked in its name, `YYYY-MM-DDTHHMM.csv.gz`.
import { basename, dirname, join, resolve } from "node:path"
import { type CandleSeries, DAY_MS, dayText } from "../../domain/candles/CandleSeries.ts"
import { type Timeframe, timeframeOf } from "../../domain/candles/Timeframe.ts"
import { baseOf, type MarketId, quoteOf } from "../../domain/Market.ts"

/** The data folder of a server: that of its database. */
export const dataFolderOf = (database: string): string => dirname(resolve(database))

/** The folder of all recorded candles. */
export const candlesIn = (dataFolder: string): string => join(dataFolder, "candles")

/** The folder of a market: `binance/BTC-USDT-spot`. */
export const folderOf = (candles: string, { exchange, kind, pair }: MarketId): string =>
  join(candles, exchange, `${baseOf(pair)}-${quoteOf(pair)}-${kind}`)

/** The UTC month of a time (ms), as `2026-11`. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7)

/** The month in a file's name: `2026-11.csv.gz`. */
export const monthIn = (path: string): string | undefined =>
  /(?:^|[/\\])(\d{4}-\d\d)\.csv\.gz$/.exec(path)?.[1]

/** The month in the name of a file of spreads: `2026-11.spreads.gz`. */
export const spreadMonthIn = (path: string): string | undefined =>
  /(?:^|[/\\])(\d{4}-\d\d)\.spreads\.gz$/.exec(path)?.[1]

/** The month in the name of whatever is recorded. */
export const recordedMonthIn = (path: string): string | undefined => monthIn(path) ?? spreadMonthIn(path)

/** The file of a perpetual's funding rates, beside its candles. */
export const FUNDING = "funding.csv"

/** The folder of a series' downloaded days. */
export const seriesFolderOf = (candles: string, series: CandleSeries): string =>
  series.timeframe === "1m" ? folderOf(candles, series) : join(folderOf(candles, series), series.timeframe)

/** A downloaded day, and up to when the exchange was asked (ms). */
export interface Day {
  readonly day: number
  readonly until: number
}

/** The name of a day's file. */
export const dayName = ({ day, until }: Day): string => {
  const time = new Date(until).toISOString().slice(11, 16).replace(":", "")
  return `${dayText(day)}${until < day + DAY_MS ? `T${time}` : ""}.csv.gz`
}

/** The day in a file's name. */
export const dayIn = (path: string): Day | undefined => {
  const [, date, hours, minutes] = /(?:^|[/\\])(\d{4}-\d\d-\d\d)(?:T(\d\d)(\d\d))?\.csv\.gz$/.exec(path) ?? []
  const day = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(day)) return undefined
  const rest = hours === undefined ? DAY_MS : (Number(hours) * 60 + Number(minutes)) * 60_000
  return { day, until: day + rest }
}

/** The timeframe that a file's folder names; one minute if it names none. */
export const timeframeIn = (path: string): Timeframe => timeframeOf(basename(dirname(path))) ?? "1m"
