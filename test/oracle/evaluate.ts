// Expressions over the candles of an oracle's table.
import * as Either from "effect/Either"
import * as Expression from "../../src/domain/signalRule/Expression.ts"
import { middle } from "../../src/trading/indicators/Indicators.ts"
import { BLOCK, make } from "../../src/trading/indicators/Plan.ts"
import { at } from "../../src/trading/indicators/Series.ts"
import { type Anchor, vwap } from "../../src/trading/indicators/Volumes.ts"
import { type Bars, columns } from "../../src/trading/signalRule/Evaluate.ts"

/** An expression's values. */
export const valuesOf = (text: string, bars: Bars, type: Expression.Type = "number"): Float64Array => {
  const checked = Expression.read(text, type, { params: new Map(), timeframe: "1m" })
  if (Either.isLeft(checked)) throw new Error(`${text}: column ${checked.left.column} ${checked.left.text}`)
  return columns([checked.right], "1m", bars)[0] ?? new Float64Array(0)
}

/** Volume-weighted prices since another anchor than the UTC day; `deviations` away from the mean. */
export const anchored = (
  bars: Bars,
  source: "close" | "hlc3",
  anchor: Anchor,
  deviations = 0
): Float64Array => {
  const plan = make(60_000)
  const prices = source === "close" ? plan.field("close") : average(plan)
  const mean = vwap(plan, prices, "mean", anchor)
  const deviation = vwap(plan, prices, "deviation", anchor)
  plan.allocate(BLOCK)
  return Float64Array.from({ length: bars.length }, (_, row) => {
    plan.take(bars, row, row + 1)
    return at(mean.ring, row) + (deviations === 0 ? 0 : deviations * at(deviation.ring, row))
  })
}

const average = (plan: ReturnType<typeof make>) => middle(plan, ["high", "low", "close"])
