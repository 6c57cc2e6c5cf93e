// Works out the parts of an expression that never change: `2 * length`, or `fast > 10`.
import type { Checked } from "./Checked.ts"
import { failure } from "./Failure.ts"
import type { BinaryOperator } from "./Syntax.ts"

/** The part, or the constant that it always is. A constant that is not finite is refused. */
export const folded = (part: Checked): Checked => {
  const value = valueOf(part)
  if (value === undefined) return part
  const { column, type } = part
  if (Number.isFinite(value)) return { _tag: "Constant", type, column, lookback: 0, value }
  throw failure(column, "expected a result; this divides by zero or is too large")
}

const valueOf = (part: Checked): number | undefined => {
  if (part._tag === "Negative") return part.of._tag === "Constant" ? -part.of.value : undefined
  if (part._tag === "Not") return part.of._tag === "Constant" ? 1 - part.of.value : undefined
  if (part._tag !== "Binary") return undefined
  const { left, operator, right } = part
  if (left._tag !== "Constant" || right._tag !== "Constant") return undefined
  const result = OPERATIONS[operator](left.value, right.value)
  return typeof result === "number" ? result : result ? 1 : 0
}

type Operation = (left: number, right: number) => number | boolean

const OPERATIONS: Readonly<Record<BinaryOperator, Operation>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "%": (left, right) => left % right,
  ">": (left, right) => left > right,
  "<": (left, right) => left < right,
  ">=": (left, right) => left >= right,
  "<=": (left, right) => left <= right,
  "==": (left, right) => left === right,
  "!=": (left, right) => left !== right,
  and: (left, right) => left === 1 && right === 1,
  or: (left, right) => left === 1 || right === 1
}
