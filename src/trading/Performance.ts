// The performance figures of completed trades, each its own function. `Tally` is updated with each trade at constant
// cost and always equals a recomputation from all trades.
import * as Schema from "effect/Schema"
import * as Decimal from "../domain/Decimal.ts"
import type { Summary } from "../domain/Performance.ts"
import type { Trade } from "../domain/Trade.ts"

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** The decimals of percentages and ratios as figures are shown. */
export const PERCENT_PLACES = 4
/** The decimals of money as figures are shown. */
export const MONEY_PLACES = 8

/**
 * The state of an own figure (`FoldingFigure`) as JSON text, with the figure's version and the number of trades that it
 * has folded.
 */
export const OwnState = Schema.Struct({ version: Schema.Int, trades: Schema.Int, state: Schema.String })
export type OwnState = typeof OwnState.Type

/**
 * The running sums behind the figures. Money in quote, times in ms, days as whole UTC days since the epoch.
 *
 * `peak` and `drawdown` (a fraction, 0 or negative) follow the equity after each trade. `days`, `mean` and `squares`
 * are Welford's count, running mean and sum of squared deviations of the daily returns, over all days with trades but
 * the last; `day` is that last day, which began with `dayEquity`. Days without trades return zero and are merged in
 * when read. `own` has the states of an embedder's figures by name, absent where there are none.
 */
export const Tally = Schema.Struct({
  createdAt: Schema.Int,
  starting: Decimal.Text,
  net: Decimal.Text,
  fees: Decimal.Text,
  grossProfit: Decimal.Text,
  grossLoss: Decimal.Text,
  best: Decimal.Text,
  worst: Decimal.Text,
  count: Schema.Int,
  wins: Schema.Int,
  heldMs: Schema.Number,
  peak: Decimal.Text,
  drawdown: Schema.Number,
  firstEntryAt: Schema.optionalWith(Schema.Int, { exact: true }),
  day: Schema.Int,
  dayEquity: Decimal.Text,
  days: Schema.Int,
  mean: Schema.Number,
  squares: Schema.Number,
  own: Schema.optionalWith(Schema.Record({ key: Schema.String, value: OwnState }), { exact: true })
})
export type Tally = typeof Tally.Type

/** The tally before the first trade. `createdAt` in ms. */
export const begin = (starting: Decimal.Decimal, createdAt: number): Tally => ({
  createdAt,
  starting,
  net: Decimal.zero,
  fees: Decimal.zero,
  grossProfit: Decimal.zero,
  grossLoss: Decimal.zero,
  best: Decimal.zero,
  worst: Decimal.zero,
  count: 0,
  wins: 0,
  heldMs: 0,
  peak: starting,
  drawdown: 0,
  day: dayOf(createdAt),
  dayEquity: starting,
  days: 0,
  mean: 0,
  squares: 0
})

/** The tally with one more trade. Trades come in the sequence of their completion. */
export const add = (tally: Tally, trade: Completed): Tally => {
  const draft = opened(tally)
  take(draft, trade)
  return closed(draft)
}

/** The tally of all trades from scratch; always equal to what `add` keeps. */
export const recompute = (
  starting: Decimal.Decimal,
  createdAt: number,
  trades: Iterable<Completed>
): Tally => {
  const draft = opened(begin(starting, createdAt))
  for (const trade of trades) take(draft, trade)
  return closed(draft)
}

/** The fields of a trade that the figures use. Times in ms. */
export type Completed = Pick<Trade, "openedAt" | "closedAt" | "pnl" | "fees">

/** A tally under construction, its money in units of 10^-18: exact and cheap to add. */
type Draft = {
  -readonly [Figure in keyof Tally]: Tally[Figure] extends Decimal.Decimal ? bigint : Tally[Figure]
}

const opened = (tally: Tally): Draft => ({
  ...tally,
  starting: Decimal.toUnits(tally.starting),
  net: Decimal.toUnits(tally.net),
  fees: Decimal.toUnits(tally.fees),
  grossProfit: Decimal.toUnits(tally.grossProfit),
  grossLoss: Decimal.toUnits(tally.grossLoss),
  best: Decimal.toUnits(tally.best),
  worst: Decimal.toUnits(tally.worst),
  peak: Decimal.toUnits(tally.peak),
  dayEquity: Decimal.toUnits(tally.dayEquity)
})

const closed = (draft: Draft): Tally => ({
  ...draft,
  starting: Decimal.fromUnits(draft.starting),
  net: Decimal.fromUnits(draft.net),
  fees: Decimal.fromUnits(draft.fees),
  grossProfit: Decimal.fromUnits(draft.grossProfit),
  grossLoss: Decimal.fromUnits(draft.grossLoss),
  best: Decimal.fromUnits(draft.best),
  worst: Decimal.fromUnits(draft.worst),
  peak: Decimal.fromUnits(draft.peak),
  dayEquity: Decimal.fromUnits(draft.dayEquity)
})

const take = (draft: Draft, trade: Completed): void => {
  const pnl = Decimal.toUnits(trade.pnl)
  onDay(draft, dayOf(trade.closedAt))
  draft.net += pnl
  draft.fees += Decimal.toUnits(trade.fees)
  if (pnl > 0n) {
    draft.grossProfit += pnl
    draft.wins++
  } else draft.grossLoss -= pnl
  if (pnl > draft.best) draft.best = pnl
  if (pnl < draft.worst) draft.worst = pnl
  draft.count++
  draft.heldMs += trade.closedAt - trade.openedAt
  const equity = draft.starting + draft.net
  if (equity > draft.peak) draft.peak = equity
  else draft.drawdown = Math.min(draft.drawdown, change(draft.peak, equity))
  draft.firstEntryAt ??= trade.openedAt
}

/** All figures. Rounding happens only here: percentages to 4 decimals, money to 8. `today` in ms. */
export const summary = (tally: Tally, today: number): Summary => ({
  period: {
    start: dateOf(dayOf(startOf(tally))),
    end: dateOf(dayOf(today)),
    timezone: "UTC"
  },
  starting_equity: money(tally.starting),
  ending_equity: money(endingEquity(tally)),
  net_pnl: money(tally.net),
  roi_pct: percent(roi(tally)),
  max_drawdown_pct: percent(tally.drawdown),
  win_rate_pct: percent(winRate(tally)),
  profit_factor: profitFactor(tally),
  trade_count: tally.count,
  avg_trade: money(averageTrade(tally)),
  avg_hold_time_min: averageHoldMinutes(tally),
  best_trade: money(tally.best),
  worst_trade: money(tally.worst),
  fees_paid: money(tally.fees),
  volatility_pct: percent(volatility(tally, today))
})

/** Starting equity plus net P&L of completed trades, in quote. */
export const endingEquity = (tally: Pick<Tally, "net" | "starting">): Decimal.Decimal =>
  Decimal.add(tally.starting, tally.net)

/** Net P&L / starting equity, a fraction; 0 if the starting equity is 0. */
export const roi = (tally: Tally): number => ratio(tally.net, tally.starting)

/** Winning trades / all trades, a fraction; break-even trades count in the denominator. */
export const winRate = (tally: Tally): number => (tally.count === 0 ? 0 : tally.wins / tally.count)

/** Gross profit / gross loss; 0 without winners, null with winners and no losers. */
export const profitFactor = (tally: Tally): number | null => {
  if (tally.wins === 0) return 0
  return Decimal.isZero(tally.grossLoss) ? null : ratio(tally.grossProfit, tally.grossLoss)
}

/** Mean net P&L of a trade, in quote; 0 without trades. */
export const averageTrade = (tally: Tally): Decimal.Decimal =>
  tally.count === 0 ? Decimal.zero : Decimal.divide(tally.net, Decimal.fromNumber(tally.count))

/** Mean minutes from first entry fill to last exit fill, rounded half up, in integer arithmetic. */
export const averageHoldMinutes = (tally: Tally): number => {
  if (tally.count === 0) return 0
  const whole = 2 * tally.count * MINUTE_MS
  return Math.floor((2 * tally.heldMs + tally.count * MINUTE_MS) / whole)
}

/**
 * Sample standard deviation (n - 1) of the daily returns of end-of-day equity over all UTC days of the period, a
 * fraction; 0 with fewer than 2 days. Days without trades (return 0) are merged by Chan's parallel form of Welford's
 * sums.
 */
export const volatility = (tally: Tally, today: number): number => {
  if (tally.count === 0) return 0
  const active = closeDay(opened(tally))
  const span = Math.max(dayOf(today), tally.day) - dayOf(startOf(tally)) + 1
  const total = Math.max(span, active.days)
  if (total < 2) return 0
  const idle = total - active.days
  const squares = active.squares + (active.mean * active.mean * active.days * idle) / total
  return Math.sqrt(squares / (total - 1))
}

const onDay = (draft: Draft, day: number): void => {
  if (draft.count > 0 && day <= draft.day) return
  if (draft.count > 0) {
    Object.assign(draft, closeDay(draft))
    draft.dayEquity = draft.starting + draft.net
  }
  draft.day = day
}

/** The running sums including the last day's return. */
const closeDay = (draft: Draft): Pick<Tally, "days" | "mean" | "squares"> => {
  const value = change(draft.dayEquity, draft.starting + draft.net)
  const days = draft.days + 1
  const delta = value - draft.mean
  const mean = draft.mean + delta / days
  return { days, mean, squares: draft.squares + delta * (value - mean) }
}

/** to / from - 1, exact until it becomes a double; 0 if `from` is not positive. */
const change = (from: bigint, to: bigint): number => (from > 0n ? Number(to - from) / Number(from) : 0)

const ratio = (over: Decimal.Decimal, under: Decimal.Decimal): number =>
  Decimal.isZero(under) ? 0 : Decimal.approximate(over) / Decimal.approximate(under)

const startOf = (tally: Tally): number => tally.firstEntryAt ?? tally.createdAt
/** The UTC day of a time (ms), counted from the epoch. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS)

/** Money as figures are shown. */
export const money = (value: Decimal.Decimal): number => Decimal.toNumber(Decimal.round(value, MONEY_PLACES))
const percent = (fraction: number): number => rounded(fraction * 100, PERCENT_PLACES)

/** Rounded half to even, as figures are shown. */
export const rounded = (value: number, places: number): number =>
  Decimal.toNumber(Decimal.round(Decimal.fromNumber(value), places))

/** `YYYY-MM-DD` of a UTC day (H. Hinnant's civil_from_days). */
export const dateOf = (day: number): string => {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const year = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365
  )
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const monthFromMarch = Math.floor((5 * ofYear + 2) / 153)
  const dayOfMonth = ofYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const text = (value: number, width: number) => String(value).padStart(width, "0")
  return `${text(year + era * 400 + (month <= 2 ? 1 : 0), 4)}-${text(month, 2)}-${text(dayOfMonth, 2)}`
}
