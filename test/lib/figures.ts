// The oracle of performance figures: computed again with exact fractions, day by day. It shares nothing with
// src/trading/Performance.ts.

/** An exact fraction of integers. */
export interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

export const fraction = (text: string): Fraction => {
  const [, sign = "", whole = "", part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === "") throw new Error(`not a plain decimal: ${text}`)
  const over = BigInt(whole + part)
  return { over: sign === "-" ? -over : over, under: 10n ** BigInt(part.length) }
}
export const zero: Fraction = { over: 0n, under: 1n }
export const plus = (a: Fraction, b: Fraction): Fraction =>
  a.under === b.under
    ? { over: a.over + b.over, under: a.under }
    : { over: a.over * b.under + b.over * a.under, under: a.under * b.under }
export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { over: -b.over, under: b.under })
export const times = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.over,
  under: a.under * b.under
})
export const compare = (a: Fraction, b: Fraction): number => {
  const difference = a.over * b.under - b.over * a.under
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}
export const sum = (all: ReadonlyArray<Fraction>): Fraction => all.reduce(plus, zero)
/** The fraction as a double, to thirty places. */
export const double = ({ over, under }: Fraction): number => {
  const digits = (over * 10n ** 30n) / under
  return Number(digits) / 1e30
}

/** The parts of a trade that the figures need: decimals as text, times in ms. */
export interface Done {
  readonly openedAt: number
  readonly closedAt: number
  readonly pnl: string
  readonly fees: string
}

const DAY = 86_400_000
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The figures as unrounded doubles, for trades sorted by completion. */
export const figures = (
  starting: string,
  createdAt: number,
  today: number,
  trades: ReadonlyArray<Done>
): Readonly<Record<string, number | string | null>> => {
  const begin = fraction(starting)
  const results = trades.map(({ pnl }) => fraction(pnl))
  const net = sum(results)
  const winners = results.filter((result) => compare(result, zero) > 0)
  const losers = results.filter((result) => compare(result, zero) < 0)
  const won = double(sum(winners))
  const lost = -double(sum(losers))
  const start = trades[0]?.openedAt ?? createdAt
  const held = trades.reduce((total, trade) => total + (trade.closedAt - trade.openedAt), 0)
  return {
    start: dateOf(start),
    end: dateOf(today),
    starting_equity: double(begin),
    ending_equity: double(plus(begin, net)),
    net_pnl: double(net),
    roi_pct: begin.over === 0n ? 0 : (double(net) / double(begin)) * 100,
    max_drawdown_pct: drawdown(begin, results) * 100,
    win_rate_pct: trades.length === 0 ? 0 : (winners.length / trades.length) * 100,
    profit_factor: winners.length === 0 ? 0 : losers.length === 0 ? null : won / lost,
    trade_count: trades.length,
    avg_trade: trades.length === 0 ? 0 : double(net) / trades.length,
    avg_hold_time_min: trades.length === 0 ? 0 : Math.floor(held / trades.length / 60_000 + 0.5),
    best_trade: Math.max(0, ...results.map(double)),
    worst_trade: Math.min(0, ...results.map(double)),
    fees_paid: double(sum(trades.map(({ fees }) => fraction(fees)))),
    volatility_pct: volatility(begin, start, today, trades) * 100
  }
}

const drawdown = (begin: Fraction, results: ReadonlyArray<Fraction>): number => {
  let equity = begin
  let peak = begin
  let deepest = 0
  for (const result of results) {
    equity = plus(equity, result)
    if (compare(equity, peak) > 0) peak = equity
    deepest = Math.min(deepest, double(equity) / double(peak) - 1)
  }
  return deepest
}

/** The sample standard deviation, in two passes over all days. */
const volatility = (begin: Fraction, start: number, today: number, trades: ReadonlyArray<Done>): number => {
  if (trades.length === 0) return 0
  const returns: Array<number> = []
  let equity = double(begin)
  for (let day = Math.floor(start / DAY); day <= Math.floor(today / DAY); day++) {
    const own = trades.filter(({ closedAt }) => Math.floor(closedAt / DAY) === day)
    const after = equity + double(sum(own.map(({ pnl }) => fraction(pnl))))
    returns.push(equity > 0 ? after / equity - 1 : 0)
    equity = after
  }
  if (returns.length < 2) return 0
  const mean = returns.reduce((a, b) => a + b, 0) / returns.length
  return Math.sqrt(returns.reduce((total, each) => total + (each - mean) ** 2, 0) / (returns.length - 1))
}

/** The figures of a summary that differ from those of the trades. */
export const differences = (
  summary: Readonly<Record<string, unknown>>,
  expected: ReturnType<typeof figures>
): ReadonlyArray<string> => {
  const shown: Readonly<Record<string, unknown>> = { ...summary, ...periodOf(summary["period"]) }
  return Object.entries(expected)
    .filter(([name, value]) => !isSame(name, shown[name], value))
    .map(([name, value]) => `${name} is ${shown[name]} and not ${value}`)
}

const periodOf = (period: unknown) => (typeof period === "object" && period !== null ? period : {})

const isSame = (name: string, shown: unknown, value: number | string | null): boolean => {
  if (typeof value !== "number" || typeof shown !== "number") return shown === value
  if (name === "profit_factor") return Math.abs(shown - value) <= 1e-12 * Math.abs(value)
  const step = name.endsWith("_pct") ? 1e-4 : 1e-8
  return Math.abs(shown - value) <= step * 0.501 + Math.abs(value) * 1e-13
}
