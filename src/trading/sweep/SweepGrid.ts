// The grid of a sweep: combinations are numbered like nested loops, the last field varying fastest, so that an index
// alone names one. `sample` picks some at random, repeatably by seed. How many may be tried: `MAX_TRIED` in
// src/cli/sweep/inputs.ts.
import { PCGRandom } from "effect/Utils"
import * as Decimal from "../../domain/Decimal.ts"
import type { StepsView } from "../../domain/requests/StrategyLists.ts"

/** The steps of one value of `take_profit_steps`. */
export type Steps = typeof StepsView.Type

/** A value of a swept setting, as a request has it. `null` means "not set". */
export type Value = number | boolean | string | Steps | null

/** One request field and its values. */
export interface Axis {
  readonly field: string
  readonly values: ReadonlyArray<Value>
}

/** The fields, in the sequence of the file. */
export type Grid = ReadonlyArray<Axis>

/** The number of combinations; approximate beyond 2^53. */
export const count = (grid: Grid): number => grid.reduce((product, { values }) => product * values.length, 1)

/** The values of combination `index`, field by field. */
export const combination = (grid: Grid, index: number): ReadonlyArray<Value> => {
  const values: Array<Value> = []
  let rest = index
  for (const axis of grid.toReversed()) {
    const size = axis.values.length
    values.push(axis.values[rest % size] ?? null)
    rest = Math.floor(rest / size)
  }
  return values.reverse()
}

/** The request fields of combination `index`. */
export const fields = (grid: Grid, index: number): Readonly<Record<string, Value>> => {
  const values = combination(grid, index)
  return Object.fromEntries(grid.map(({ field }, place) => [field, values[place] ?? null]))
}

/** A value in plain text: `0.0000001` and never `1e-7`, steps as `1%:50 3%:50`, and nothing for null. */
export const valueText = (value: Value): string => {
  if (value === null) return ""
  if (typeof value === "number") return Decimal.toText(Decimal.fromNumber(value))
  if (typeof value !== "object") return String(value)
  return value
    .map(({ close_percent, profit_percent }) => `${valueText(profit_percent)}%:${valueText(close_percent)}`)
    .join(" ")
}

/** A combination in words, for messages: `stop_loss_percentage 2, on_opposite -`. */
export const combinationText = (grid: Grid, index: number): string =>
  Object.entries(fields(grid, index))
    .map(([field, value]) => `${field} ${valueText(value) || "-"}`)
    .join(", ")

/**
 * `size` distinct integers below `total` (at most 2^53), ascending, each set equally likely; the same seed gives the
 * same sample. R. W. Floyd's method, with one draw per number.
 */
export const sample = (total: number, size: number, seed: number): ReadonlyArray<number> => {
  const random = new PCGRandom(seed)
  const chosen = new Set<number>()
  for (let last = Math.max(total - size, 0); last < total; last++) {
    const drawn = Math.floor(random.number() * (last + 1))
    chosen.add(chosen.has(drawn) ? last : drawn)
  }
  return [...chosen].sort((left, right) => left - right)
}
