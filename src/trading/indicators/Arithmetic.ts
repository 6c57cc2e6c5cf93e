// Series of other series at the same candle: arithmetic, comparisons, conditions; and of an earlier candle: history. All
// comparisons with something that is no value are false, also "unequal".
import { type Plan, reads } from "./Plan.ts"
import {
  at,
  back,
  finite,
  HERE,
  isValue,
  type Kernel,
  put,
  type Ring,
  type Series,
  stateless
} from "./Series.ts"

const truth = (holds: boolean): number => (holds ? 1 : 0)
const areValues = (left: number, right: number): boolean => isValue(left) && isValue(right)

/** The operators between two series. */
export type Operator =
  | ("+" | "-" | "*" | "/" | "%" | "min" | "max")
  | (">" | "<" | ">=" | "<=" | "==" | "!=" | "and" | "or")

type Loop = (l: Ring, r: Ring, out: Ring) => Kernel["advance"]

/** A loop each, and not one loop with a function for each row: a compiler makes far faster code of these. */
const LOOPS: Readonly<Record<Operator, Loop>> = {
  "+": (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, finite(at(l, row) + at(r, row)))
  },
  "-": (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, finite(at(l, row) - at(r, row)))
  },
  "*": (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, finite(at(l, row) * at(r, row)))
  },
  "/": (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, finite(at(l, row) / at(r, row)))
  },
  "%": (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, finite(at(l, row) % at(r, row)))
  },
  min: (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, Math.min(at(l, row), at(r, row)))
  },
  max: (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, Math.max(at(l, row), at(r, row)))
  },
  ">": (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, truth(at(l, row) > at(r, row)))
  },
  "<": (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, truth(at(l, row) < at(r, row)))
  },
  ">=": (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, truth(at(l, row) >= at(r, row)))
  },
  "<=": (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, truth(at(l, row) <= at(r, row)))
  },
  "==": (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, truth(at(l, row) === at(r, row)))
  },
  "!=": (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++)
      put(out, row, truth(areValues(at(l, row), at(r, row)) && at(l, row) !== at(r, row)))
  },
  and: (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, at(l, row) * at(r, row))
  },
  or: (l, r, out) => (from, to) => {
    for (let row = from; row < to; row++) put(out, row, Math.max(at(l, row), at(r, row)))
  }
}

/** The operator between two series, candle by candle. A result that is not finite, as of a division by zero, is none. */
export const combine = (plan: Plan, operator: Operator, left: Series, right: Series): Series =>
  plan.series({ key: operator, inputs: [left, right], reach: HERE }, (out) =>
    stateless(LOOPS[operator](left.ring, right.ring, out))
  )

/** The series with the opposite sign. */
export const negative = (plan: Plan, of: Series): Series => combine(plan, "-", plan.constant(0), of)

/** The distance to zero. */
export const absolute = (plan: Plan, of: Series): Series => combine(plan, "max", of, negative(plan, of))

/** True where the condition is false. */
export const not = (plan: Plan, of: Series): Series => combine(plan, "-", plan.constant(1), of)

/** `then` where the condition is true, `other` where it is false. Both are computed at every candle. */
export const choose = (plan: Plan, condition: Series, then: Series, other: Series): Series =>
  plan.series({ key: "?", inputs: [condition, then, other], reach: HERE }, (out) =>
    stateless((from, to) => {
      for (let row = from; row < to; row++)
        put(out, row, at(condition.ring, row) === 1 ? at(then.ring, row) : at(other.ring, row))
    })
  )

/** The series `rows` candles ago. Before, a number has no value (`before` is NaN) and a condition is false (0). */
export const history = (plan: Plan, of: Series, rows: number, before = Number.NaN): Series => {
  if (rows === 0) return of
  const ring = reads(of, rows)
  return plan.series({ key: `[${rows},${before}]`, inputs: [of], reach: back(rows) }, (out) =>
    stateless((from, to) => {
      for (let row = from; row < to; row++) put(out, row, row < rows ? before : at(ring, row - rows))
    })
  )
}

/** True from the candle on that is the `rows`th. */
export const after = (plan: Plan, rows: number): Series =>
  plan.series({ key: `after${rows}`, inputs: [plan.field("at")], reach: HERE }, (out) =>
    stateless((from, to) => {
      for (let row = from; row < to; row++) put(out, row, row + 1 >= rows ? 1 : 0)
    })
  )
