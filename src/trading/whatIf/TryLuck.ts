// How much of the result of changed settings may be luck, when several were tried on the same stretch: the luck of a
// sweep's first place, with each try as a trial.
import * as Decimal from "../../domain/Decimal.ts"
import type { Series } from "../backtest/Tracks.ts"
import type { Ended } from "../equity/MarkedRun.ts"
import { blocksFor } from "../luck/Blocks.ts"
import { type Interval, resample } from "../luck/Bootstrap.ts"
import { dailyReturns, daysOf } from "../luck/DailyReturns.ts"
import { CONFIDENCE, LEAST_TRADES, type Verdict } from "../luck/Luck.ts"
import * as Sharpe from "../luck/Sharpe.ts"

/** A test's daily returns marked to the market, the net results of its trades (quote), and its starting balance. */
export interface Measured {
  readonly returns: Float64Array
  readonly results: Float64Array
  readonly starting: number
}

/** Measures a back-test over its candles. */
export const measure = (ended: Omit<Ended, "series">, series: ReadonlyArray<Series>): Measured => {
  const days = daysOf(series)
  return {
    returns: days.count === 0 ? new Float64Array(0) : dailyReturns(ended, days),
    results: Float64Array.from(ended.result.trades, ({ pnl }) => Decimal.toNumber(pnl)),
    starting: Decimal.toNumber(ended.result.tally.starting)
  }
}

/** The Sharpe ratio of a day; 0 where returns do not vary. */
export const sharpeOf = ({ returns }: Pick<Measured, "returns">): number =>
  Sharpe.returnsOf(returns)?.sharpe ?? 0

/**
 * The measures. `tries` counts the changed settings that were tried on the stretch, these included. Sharpe ratios are of
 * a year of 365 days, `deflated` is the probability (0 to 1) that these are better than the luckiest of as many without
 * skill. `luckyNet` is what that luckiest would show (quote), with days that vary as these do. `interval` is that of the
 * net result when the same trades are drawn anew.
 */
export interface TryLuck {
  readonly tries: number
  readonly days: number
  readonly trades: number
  readonly sharpe: number | undefined
  readonly expected: number
  readonly luckyNet: number
  readonly deflated: number | undefined
  readonly interval: Interval | undefined
  readonly verdict: Verdict
}

const YEAR = Math.sqrt(365)

/** Measures luck. `sharpes` are the daily ratios of all tries on the stretch, these included. */
export const luckOf = ({ results, returns, starting }: Measured, sharpes: ReadonlyArray<number>): TryLuck => {
  const tries = Math.max(1, sharpes.length)
  const measured = Sharpe.returnsOf(returns)
  const variance = Sharpe.varianceOf(sharpes)
  const expected = Sharpe.expectedBest(tries, variance)
  const deflated = measured && Sharpe.deflated(measured, tries, variance)
  const luck = {
    tries,
    days: returns.length,
    trades: results.length,
    sharpe: measured && measured.sharpe * YEAR,
    expected: expected * YEAR,
    luckyNet: expected * Math.sqrt(Sharpe.varianceOf(returns)) * returns.length * starting,
    deflated,
    interval: resample(results, starting)?.net
  }
  return { ...luck, verdict: verdictOf(luck) }
}

const verdictOf = ({ days, deflated, trades }: Omit<TryLuck, "verdict">): Verdict => {
  if (trades < LEAST_TRADES || deflated === undefined || blocksFor(days) === 1) return "tooFew"
  return deflated < CONFIDENCE ? "mayBeLuck" : "holds"
}
