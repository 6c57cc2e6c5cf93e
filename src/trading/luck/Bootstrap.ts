// What the same trades might have come to in another sequence and mixture: trades are drawn anew, with repeats, many
// times over (Efron's bootstrap), and the middle of the outcomes is stated as an interval.
import { PCGRandom } from "effect/Utils"

/** From the 5th to the 95th percentile of the outcomes. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Intervals of the net result (quote) and of the deepest drawdown (a fraction, 0 or negative). */
export interface Resampled {
  readonly net: Interval
  readonly drawdown: Interval
}

/** How often trades are drawn anew, and the most draws of all together. */
const RESAMPLES = 2_000
const MOST_DRAWS = 20_000_000
const LEAST_RESAMPLES = 200
/** The share of the outcomes below an interval, and above it. */
const OUTSIDE = 0.05

/** Draws trades anew. `results` are their net results in quote; undefined for none. The draw is the same each time. */
export const resample = (results: Float64Array, starting: number): Resampled | undefined => {
  const { length } = results
  if (length === 0) return undefined
  const times = Math.max(LEAST_RESAMPLES, Math.min(RESAMPLES, Math.floor(MOST_DRAWS / length)))
  const random = new PCGRandom(1)
  const [nets, drawdowns] = [new Float64Array(times), new Float64Array(times)]
  for (let time = 0; time < times; time++) {
    let [net, peak, drawdown] = [0, starting, 0]
    for (let draw = 0; draw < length; draw++) {
      net += results[Math.floor(random.number() * length)] ?? 0
      const equity = starting + net
      if (equity > peak) peak = equity
      else if (peak > 0) drawdown = Math.min(drawdown, equity / peak - 1)
    }
    nets[time] = net
    drawdowns[time] = drawdown
  }
  return { net: intervalOf(nets), drawdown: intervalOf(drawdowns) }
}

const intervalOf = (outcomes: Float64Array): Interval => {
  const sorted = outcomes.toSorted()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { low: at(OUTSIDE), high: at(1 - OUTSIDE) }
}
