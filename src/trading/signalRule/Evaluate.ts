// The values of an expression: of all candles at once, or candle by candle as they close. Both run the same code, and
// give the same values to the last bit.
import type { Timeframe } from "../../domain/candles/Timeframe.ts"
import type { Checked } from "../../domain/signalRule/Expression.ts"
import { make, type Warmup } from "../expressions/Compile.ts"
import { type Bar, type Bars, BLOCK } from "../indicators/Plan.ts"
import { at } from "../indicators/Series.ts"

export type { Bar, Bars, Warmup }

/**
 * The value at each candle: NaN where there is none; 1 and 0 for true and false. `timeframe` is that of the candles and
 * that which the expression was read for.
 */
export const columns = (
  expressions: ReadonlyArray<Checked>,
  timeframe: Timeframe,
  bars: Bars
): ReadonlyArray<Float64Array> => {
  const compiler = make(timeframe)
  const series = expressions.map(compiler.add)
  compiler.allocate(BLOCK)
  const results = series.map(() => new Float64Array(bars.length))
  for (let from = 0; from < bars.length; from += BLOCK) {
    const to = Math.min(from + BLOCK, bars.length)
    compiler.plan.take(bars, from, to)
    for (const [index, { ring }] of series.entries()) {
      const column = results[index]
      for (let row = from; column !== undefined && row < to; row++) column[row] = at(ring, row)
    }
  }
  return results
}

/** An expression at work. */
export interface Stream {
  /** Takes the next closed candle, and gives the value there. */
  readonly push: (bar: Bar) => number
  /** Gives the value that `push` would give, and takes nothing: for a candle that has not closed. */
  readonly replace: (bar: Bar) => number
  /** How many candles have to come before the value is that of a chart which began long before. */
  readonly warmups: ReadonlyArray<Warmup>
}

/** An expression that takes candle by candle. */
export const stream = (expression: Checked, timeframe: Timeframe): Stream => {
  const compiler = make(timeframe)
  const { ring } = compiler.add(expression)
  compiler.allocate(1)
  const { plan } = compiler
  const push = (bar: Bar) => {
    plan.push(bar)
    return at(ring, plan.rows() - 1)
  }
  return {
    push,
    replace: (bar) => {
      const release = plan.hold()
      const value = push(bar)
      release()
      return value
    },
    warmups: compiler.warmups()
  }
}
