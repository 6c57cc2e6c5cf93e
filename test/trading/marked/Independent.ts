// A second calculation of the figures that are marked to the market, written from their definitions alone: all samples in
// one list, formulas as a textbook has them, plain doubles, nothing kept up. Slow on purpose.

const DAY_MS = 86_400_000

/** Equity at one moment (ms), with the notional of what is held, the minutes that it stands for, and buy and hold. */
export interface Sample {
  readonly at: number
  readonly equity: number
  readonly notional: number
  readonly isHeld: boolean
  readonly weight: number
  readonly hold: number | null
}

/** A completed trade. */
export interface Completed {
  readonly closedAt: number
  readonly pnl: number
  readonly fees: number
  readonly market: string
  readonly reason: string
}

/** The starting equity and when it stood (ms). */
export interface Beginning {
  readonly at: number
  readonly equity: number
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)
const mean = (values: ReadonlyArray<number>): number => sum(values) / values.length

/** In percent; 0 where nothing was there to begin with. */
const growth = (from: number, to: number): number => (from === 0 ? 0 : (to / from - 1) * 100)

/** The drawdown at each sample, in percent. */
export const drawdowns = (begin: Beginning, samples: ReadonlyArray<Sample>): ReadonlyArray<number> =>
  samples.map(({ equity }, index) => {
    const peak = Math.max(begin.equity, ...samples.slice(0, index + 1).map((each) => each.equity))
    return peak > 0 ? Math.min(0, (equity / peak - 1) * 100) : 0
  })

/** For each moment, how long until equity is back at it; the longest of them, and whether it came back. */
const longestDrawdown = (begin: Beginning, samples: ReadonlyArray<Sample>) => {
  const points = [begin, ...samples]
  let longest = { ms: 0, isRecovered: true }
  for (const [index, point] of points.entries()) {
    const isPeak = points.slice(0, index).every(({ equity }) => equity <= point.equity)
    const next = points[index + 1]
    if (!isPeak || next === undefined || next.equity >= point.equity) continue
    const back = points.slice(index + 1).find(({ equity }) => equity >= point.equity)
    const until = back ?? points.at(-1) ?? point
    const ms = until.at - point.at
    if (ms > longest.ms) longest = { ms, isRecovered: back !== undefined }
  }
  return longest
}

/** The return of each UTC day from the first sample's to the last's. */
export const dailyReturns = (begin: Beginning, samples: ReadonlyArray<Sample>): ReadonlyArray<number> => {
  const dayOf = (at: number) => Math.floor(at / DAY_MS)
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return []
  const returns: Array<number> = []
  // Where samples begin days after the start, the first day begins with the first of them.
  let before = dayOf(first.at) > dayOf(begin.at) ? first.equity : begin.equity
  for (let day = dayOf(first.at); day <= dayOf(last.at); day++) {
    const end = samples.filter(({ at }) => dayOf(at) === day).at(-1)
    returns.push(end === undefined || before <= 0 ? 0 : end.equity / before - 1)
    before = end?.equity ?? before
  }
  return returns
}

/** Sharpe and Sortino ratios of daily returns, a year having 365 days. */
const ratios = (returns: ReadonlyArray<number>) => {
  const n = returns.length
  if (n < 2) return { sharpe: null, sortino: null }
  const average = mean(returns)
  const deviation = Math.sqrt(sum(returns.map((each) => (each - average) ** 2)) / (n - 1))
  const downside = Math.sqrt(sum(returns.map((each) => Math.min(each, 0) ** 2)) / n)
  const per = (divisor: number) => (divisor < 1e-12 ? null : (average / divisor) * Math.sqrt(365))
  return { sharpe: per(deviation), sortino: per(downside) }
}

const annualReturn = (begin: Beginning, last: Sample): number | null => {
  const days = (last.at - begin.at) / DAY_MS
  if (days < 30 || begin.equity <= 0 || last.equity <= 0) return null
  return ((last.equity / begin.equity) ** (365 / days) - 1) * 100
}

/** The figures marked to the market; undefined without a sample. */
export const marked = (begin: Beginning, samples: ReadonlyArray<Sample>) => {
  const last = samples.at(-1)
  if (last === undefined) return undefined
  const falls = drawdowns(begin, samples)
  const deepest = Math.min(0, ...falls)
  const longest = longestDrawdown(begin, samples)
  const annual = annualReturn(begin, last)
  const weights = sum(samples.map(({ weight }) => weight))
  const exposed = samples.map(({ equity, isHeld, notional, weight }) => {
    if (!isHeld) return 0
    return weight * (equity > 0 ? (notional / equity) * 100 : 100)
  })
  const inMarket = sum(samples.map(({ isHeld, weight }) => (isHeld ? weight : 0)))
  return {
    starting_equity: begin.equity,
    equity: last.equity,
    return_pct: growth(begin.equity, last.equity),
    max_drawdown_pct: deepest,
    drawdown_now_pct: falls.at(-1) ?? 0,
    longest_drawdown_ms: longest.ms,
    longest_drawdown_recovered: longest.isRecovered,
    exposure_pct: sum(exposed) / weights,
    time_in_market_pct: (inMarket / weights) * 100,
    hold_return_pct: last.hold === null ? null : growth(begin.equity, last.hold),
    annual_return_pct: annual,
    calmar: annual === null || deepest === 0 ? null : annual / Math.abs(deepest),
    ...ratios(dailyReturns(begin, samples))
  }
}

/** The figures of completed trades that stand beside them. */
export const completed = (trades: ReadonlyArray<Completed>) => {
  const wins = trades.filter(({ pnl }) => pnl > 0)
  const losses = trades.filter(({ pnl }) => pnl < 0)
  const average = (of: ReadonlyArray<Completed>) => mean(of.map(({ pnl }) => pnl))
  return {
    trades: trades.length,
    expectancy: trades.length === 0 ? 0 : average(trades),
    expectancy_ratio:
      wins.length === 0 || losses.length === 0
        ? null
        : (1 + average(wins) / Math.abs(average(losses))) * (wins.length / trades.length) - 1,
    markets: grouped(trades, ({ market }) => market),
    reasons: grouped(trades, ({ reason }) => reason),
    months: grouped(trades, ({ closedAt }) => new Date(closedAt).toISOString().slice(0, 7))
  }
}

const grouped = (trades: ReadonlyArray<Completed>, keyOf: (trade: Completed) => string) => {
  const keys = [...new Set(trades.map(keyOf))].sort()
  return keys.map((key) => {
    const own = trades.filter((trade) => keyOf(trade) === key)
    return {
      key,
      trades: own.length,
      wins: own.filter(({ pnl }) => pnl > 0).length,
      net_pnl: sum(own.map(({ pnl }) => pnl)),
      fees: sum(own.map(({ fees }) => fees))
    }
  })
}
