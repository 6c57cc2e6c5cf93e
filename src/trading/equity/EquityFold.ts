// Equity marked to the market as a fold over samples: a state of fixed size that is kept up sample by sample, the same
// in a back-test and in a running server. Nothing is rounded here.
import * as Schema from "effect/Schema"
import { dayOf } from "../Performance.ts"
import { atLeast } from "../Prices.ts"

const DAY_MS = 86_400_000
/** The days of a year, for figures that are stated for a year. */
const YEAR_DAYS = 365
/** The least days of a period whose return is stated for a year. */
const LEAST_DAYS = 30
/** A deviation below this counts as 0. */
const NO_DEVIATION = 1e-12

const pathFields = {
  since: Schema.Int,
  starting: Schema.Number,
  at: Schema.Int,
  equity: Schema.Number,
  samples: Schema.Int,
  peak: Schema.Number,
  peakAt: Schema.Int,
  drawdown: Schema.Number,
  longestMs: Schema.Int
}
const sumFields = {
  exposed: Schema.Number,
  held: Schema.Int,
  day: Schema.Int,
  dayStart: Schema.Number,
  days: Schema.Int,
  mean: Schema.Number,
  squares: Schema.Number,
  losses: Schema.Number
}
const fields: typeof pathFields & typeof sumFields = { ...pathFields, ...sumFields }
/** The schema of the state. */
export interface EquityStateSchema extends Schema.Struct<typeof fields> {}
/**
 * Everything that the figures need. Money in quote, times in ms, days as whole UTC days since the epoch.
 *
 * `since` and `starting` are the first point; `at` and `equity` the last sample. `samples` sums the weights of samples.
 * `peak` is the highest equity so far, `peakAt` the last sample at it, `drawdown` the deepest fall from a peak (a
 * fraction, 0 or negative), `longestMs` the longest drawdown that has recovered. `exposed` sums the exposures (percent)
 * and `held` the weights of samples with a position. `days`, `mean` and `squares` are Welford's sums of the daily
 * returns, and `losses` sums the squares of the negative ones, over all days but the last; `day` is that last day,
 * which began with `dayStart`.
 */
export const EquityState: EquityStateSchema = Schema.Struct(fields)
export type EquityState = typeof EquityState.Type

/**
 * The equity at a moment (ms), and the worth of open positions (quote, never negative). `weight` is the number of
 * samples that it stands for.
 */
export interface Sample {
  readonly at: number
  readonly equity: number
  readonly notional: number
  readonly isHeld: boolean
  readonly weight: number
}

/** A state that samples are added to in place. */
export type Draft = { -readonly [Name in keyof EquityState]: EquityState[Name] }

/** The state before the first sample. */
export const begin = (starting: number, since: number): EquityState => ({
  since,
  starting,
  at: since,
  equity: starting,
  samples: 0,
  peak: starting,
  peakAt: since,
  drawdown: 0,
  longestMs: 0,
  exposed: 0,
  held: 0,
  day: dayOf(since),
  dayStart: starting,
  days: 0,
  mean: 0,
  squares: 0,
  losses: 0
})

/** The state with one more sample. */
export const add = (state: EquityState, sample: Sample): EquityState => {
  const draft = { ...state }
  take(draft, sample)
  return draft
}

/**
 * Adds a sample in place. One from before the last counts at the time of the last, so that a clock that was set back
 * hides no fall.
 */
export const take = (draft: Draft, sample: Sample): void => {
  const { equity, notional, isHeld, weight } = sample
  const at = Math.max(sample.at, draft.at)
  onDay(draft, dayOf(at), equity)
  if (atLeast(equity, draft.peak)) {
    if (!atLeast(draft.equity, draft.peak)) draft.longestMs = Math.max(draft.longestMs, at - draft.peakAt)
    if (equity > draft.peak) draft.peak = equity
    draft.peakAt = at
  } else draft.drawdown = Math.min(draft.drawdown, change(draft.peak, equity))
  if (isHeld) {
    draft.exposed += weight * (equity > 0 ? (notional / equity) * 100 : 100)
    draft.held += weight
  }
  draft.samples += weight
  draft.at = at
  draft.equity = equity
}

/** The fall from the highest equity to the last one, a fraction; 0 or negative. */
export const drawdownNow = ({ equity, peak }: EquityState): number =>
  atLeast(equity, peak) ? 0 : Math.min(0, change(peak, equity))

/** The longest drawdown (ms), and whether it has ended. One that goes on counts until the last sample. */
export const longestDrawdown = (state: EquityState): { readonly ms: number; readonly recovered: boolean } => {
  const now = atLeast(state.equity, state.peak) ? 0 : state.at - state.peakAt
  return now > state.longestMs ? { ms: now, recovered: false } : { ms: state.longestMs, recovered: true }
}

/** Last over starting equity, minus 1; 0 where the start is 0. */
export const totalReturn = ({ equity, starting }: EquityState): number =>
  starting === 0 ? 0 : equity / starting - 1

/** Mean worth of open positions over equity, percent; 0 without samples. */
export const exposure = ({ exposed, samples }: EquityState): number => (samples === 0 ? 0 : exposed / samples)

/** The share of samples with an open position, a fraction; 0 without samples. */
export const timeInMarket = ({ held, samples }: EquityState): number => (samples === 0 ? 0 : held / samples)

/** The return of a year at the same pace, a fraction; null under 30 days, and where an end is not above 0. */
export const annualReturn = ({ at, equity, since, starting }: EquityState): number | null => {
  const days = (at - since) / DAY_MS
  return days < LEAST_DAYS || starting <= 0 || equity <= 0
    ? null
    : (equity / starting) ** (YEAR_DAYS / days) - 1
}

/** Mean over sample standard deviation (n - 1) of daily returns x sqrt(365); null with less than 2 days or none. */
export const sharpe = (state: EquityState): number | null => {
  const { days, mean, squares } = allDays(state)
  return days < 2 ? null : ratioOfYear(mean, Math.sqrt(squares / (days - 1)))
}

/** Mean daily return over sqrt(sum of min(r, 0)^2 / n) x sqrt(365); null with less than 2 days or no losing day. */
export const sortino = (state: EquityState): number | null => {
  const { days, losses, mean } = allDays(state)
  return days < 2 ? null : ratioOfYear(mean, Math.sqrt(losses / days))
}

/** Return of a year over the deepest drawdown; null where either is missing. */
export const calmar = (state: EquityState): number | null => {
  const annual = annualReturn(state)
  return annual === null || state.drawdown === 0 ? null : annual / -state.drawdown
}

const ratioOfYear = (mean: number, deviation: number): number | null =>
  deviation < NO_DEVIATION ? null : (mean / deviation) * Math.sqrt(YEAR_DAYS)

type Days = Pick<EquityState, "days" | "mean" | "squares" | "losses">

/** The sums including the last day. */
const allDays = (state: EquityState): Days => {
  const days: { -readonly [Name in keyof Days]: number } = { ...state }
  if (state.samples > 0) addDay(days, change(state.dayStart, state.equity))
  return days
}

/**
 * Closes the days before this one; days without samples return 0. Where the first sample comes days after the start, as
 * in a database of an older version, nobody knows how long its result took: the first day begins with it.
 */
const onDay = (draft: Draft, day: number, equity: number): void => {
  if (draft.samples === 0 && day > draft.day) draft.dayStart = equity
  else if (draft.samples > 0 && day > draft.day) {
    addDay(draft, change(draft.dayStart, draft.equity))
    addIdleDays(draft, day - draft.day - 1)
    draft.dayStart = draft.equity
  }
  draft.day = day
}

const addDay = (days: { -readonly [Name in keyof Days]: number }, value: number): void => {
  days.days++
  const delta = value - days.mean
  days.mean += delta / days.days
  days.squares += delta * (value - days.mean)
  if (value < 0) days.losses += value * value
}

/** Merges days that return 0, by Chan's parallel form of Welford's sums. */
const addIdleDays = (days: { -readonly [Name in keyof Days]: number }, idle: number): void => {
  if (idle <= 0) return
  const total = days.days + idle
  days.squares += (days.mean * days.mean * days.days * idle) / total
  days.mean = (days.mean * days.days) / total
  days.days = total
}

/** to / from - 1; 0 if `from` is not above 0. */
const change = (from: number, to: number): number => (from > 0 ? to / from - 1 : 0)
