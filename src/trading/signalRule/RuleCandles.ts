// The candles that a rule looks at, made of those that there are: the same, or joined into longer ones as an exchange
// joins them. Only closed candles count, and only whole ones.
import * as Either from "effect/Either"
import type { Columns } from "../../domain/candles/CandleFile.ts"
import { section } from "../../domain/candles/CandleRowReader.ts"
import { millisOf, type Timeframe } from "../../domain/candles/Timeframe.ts"
import { joined, NONE } from "../candles/Bars.ts"
import type { Bar, Bars } from "../indicators/Plan.ts"

/**
 * Candles of a timeframe, made of shorter ones or of the same; else what is wrong with the candles, to end a sentence that
 * begins with what they are. The first is left out if its beginning is missing. The last is left out unless a candle of
 * the next span, or the one that completes it, shows that it has closed.
 */
export const ofTimeframe = (columns: Columns, timeframe: Timeframe): Either.Either<Bars, string> => {
  const step = millisOf(timeframe)
  const spacing = spacingOf(columns)
  if (columns.length < 2) return Either.left("are too few to tell their timeframe: give at least two")
  if (spacing > step) return Either.left(`are ${spanText(spacing)} apart, and the rule needs ${timeframe}`)
  if (step % spacing !== 0)
    return Either.left(`are ${spanText(spacing)} apart, and cannot be joined into ${timeframe}`)
  for (let row = 0; row < columns.length; row++)
    if ((columns.at[row] ?? 0) % spacing !== 0)
      return Either.left(`do not begin at multiples of ${spanText(spacing)} in UTC`)
  return Either.right(withVolume(spacing === step ? columns : wholes(columns, step, spacing)))
}

/** The closed candles of a market in a timeframe, and the one under way if it has begun. */
export interface PresentCandles {
  readonly closed: Bars
  readonly forming: Bar | undefined
}

/**
 * Candles of a timeframe as they are at `now` (ms), made of shorter ones or of the same; none of longer ones. The first is
 * left out if its beginning is missing.
 */
export const presentOf = (columns: Columns, timeframe: Timeframe, now: number): PresentCandles => {
  const step = millisOf(timeframe)
  const [first = 0] = columns.at
  if (columns.length === 0 || (columns.length > 1 && step % spacingOf(columns) !== 0)) return none()
  const all = withVolume(joined(columns, step))
  const begin = first % step === 0 ? 0 : 1
  const last = all.length - 1
  const at = all.at[last] ?? 0
  if (last < begin) return none()
  if (at + step <= now) return { closed: rowsOf(all, begin, all.length), forming: undefined }
  return { closed: rowsOf(all, begin, last), forming: barAt(all, last) }
}

const none = (): PresentCandles => ({ closed: withVolume(NONE), forming: undefined })

const barAt = ({ at, close, high, low, open, volume }: Bars, row: number): Bar => ({
  at: at[row] ?? 0,
  open: open[row] ?? 0,
  high: high[row] ?? 0,
  low: low[row] ?? 0,
  close: close[row] ?? 0,
  volume: volume[row] ?? Number.NaN
})

const wholes = (columns: Columns, step: number, spacing: number): Columns => {
  const all = joined(columns, step)
  const [first = 0, last = 0] = [columns.at[0], columns.at[columns.length - 1]]
  const begin = first % step === 0 ? 0 : 1
  const end = (last + spacing) % step === 0 ? all.length : all.length - 1
  return section(all, begin, Math.max(begin, end))
}

/** The smallest distance between two candles (ms). */
const spacingOf = ({ at, length }: Columns): number => {
  let spacing = Number.POSITIVE_INFINITY
  for (let row = 1; row < length; row++) spacing = Math.min(spacing, (at[row] ?? 0) - (at[row - 1] ?? 0))
  return spacing
}

/** Candles without a volume have none anywhere. */
const withVolume = (columns: Columns): Bars => ({
  ...columns,
  volume: columns.volume ?? new Float64Array(columns.length).fill(Number.NaN)
})

/** Candles as rules take them. */
export const barsOf = (columns: Columns): Bars => withVolume(columns)

/** Whether no candle has a volume. */
export const lacksVolume = ({ volume }: Bars): boolean => volume.every((value) => Number.isNaN(value))

/** The candles from one row up to another, without copying them. */
export const rowsOf = (bars: Bars, from: number, until: number): Bars =>
  withVolume(section(bars, from, until))

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000]
] as const

/** A length of time as timeframes are named. */
const spanText = (ms: number): string => {
  const [name, unit] = UNITS.find(([, length]) => ms % length === 0) ?? ["ms", 1]
  return `${ms / unit}${name}`
}
