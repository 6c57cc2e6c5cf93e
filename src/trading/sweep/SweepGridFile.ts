// Reads the grid of a sweep: `{"field": [values]}` or `{"field": {"from", "to", "step"}}` in request names. Steps are
// exact decimals: 0.1, 0.2, 0.3 and not 0.30000000000000004.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import { type Row, rows } from "../../domain/requests/StrategyView.ts"
import type { Axis, Grid, Value } from "./SweepGrid.ts"
import { nearest } from "./SweepSuggestions.ts"

/** The most values of one field; the most combinations are bounded where a sweep begins. */
export const MAX_VALUES = 1_000_000

/** Fields that say what a strategy is and where it trades; the candles and the balance depend on them. */
const FIXED: ReadonlySet<string> = new Set([
  "name",
  "description",
  "active",
  "public",
  "default_quote_currency",
  "default_exchange_name",
  "signal_id",
  "exchanges"
])

/** The request fields that a grid may name. */
export const SWEPT: ReadonlyArray<Row> = rows.filter(({ request }) => !FIXED.has(request))

/** Reads a grid, or returns the first error as a text. */
export const parse = (body: unknown): Either.Either<Grid, string> => {
  if (!isObject(body)) return Either.left('must be an object: {"field": [values] or {"from", "to", "step"}}')
  const grid: Array<Axis> = []
  for (const [field, spec] of Object.entries(body)) {
    const error = nameError(field)
    if (error !== undefined) return Either.left(error)
    const values = valuesOf(spec)
    if (Either.isLeft(values)) return Either.left(`${field} ${values.left}`)
    grid.push({ field, values: values.right })
  }
  return grid.length === 0 ? Either.left("names no field") : Either.right(grid)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const nameError = (field: string): string | undefined => {
  if (SWEPT.some(({ request }) => request === field)) return undefined
  if (FIXED.has(field)) return `${field} is the same in every run and cannot be swept`
  const known = rows.find(({ model }) => model === field)
  if (known !== undefined) return `send this setting as ${known.request}, not as ${known.model}`
  const near = nearest(
    field,
    SWEPT.map(({ request }) => request)
  )
  return `there is no setting ${printable(field)}; the nearest are ${near.join(", ")}`
}

/** A name from the file, cut and without control characters. */
const printable = (text: string): string => text.replaceAll(/\p{C}/gu, "?").slice(0, 60)

const valuesOf = (spec: unknown): Either.Either<ReadonlyArray<Value>, string> => {
  if (Array.isArray(spec)) return listed(spec)
  return isObject(spec) ? stepped(spec) : Either.left('must be a list of values or {"from", "to", "step"}')
}

const listed = (spec: ReadonlyArray<unknown>): Either.Either<ReadonlyArray<Value>, string> => {
  const values = spec.filter(isValue)
  if (values.length < spec.length) return Either.left("takes numbers, true, false and null only")
  if (values.length === 0) return Either.left("has no values")
  if (values.length > MAX_VALUES) return Either.left(`has more than ${MAX_VALUES} values`)
  if (new Set(values).size < values.length) return Either.left("lists a value twice")
  return Either.right(values)
}

const isValue = (value: unknown): value is Value =>
  value === null || typeof value === "boolean" || Number.isFinite(value)

/** The values from `from` to at most `to` in exact steps. */
const stepped = (spec: Readonly<Record<string, unknown>>): Either.Either<ReadonlyArray<Value>, string> => {
  const [from, to, step] = [exact(spec["from"]), exact(spec["to"]), exact(spec["step"])]
  if (Option.isNone(from) || Option.isNone(to) || Option.isNone(step) || Object.keys(spec).length > 3)
    return Either.left("takes the numbers from, to and step, and nothing else")
  if (!Decimal.isPositive(step.value)) return Either.left("needs a step above 0")
  if (Decimal.greaterThan(from.value, to.value)) return Either.left("needs a from that is not above to")
  const steps = Decimal.wholeSteps(Decimal.subtract(to.value, from.value), step.value)
  if (steps >= BigInt(MAX_VALUES)) return Either.left(`has more than ${MAX_VALUES} values`)
  const values: Array<number> = []
  let value = from.value
  for (let done = 0n; done <= steps; done++) {
    values.push(Decimal.toNumber(value))
    value = Decimal.add(value, step.value)
  }
  return Either.right(values)
}

const exact = (value: unknown): Option.Option<Decimal.Decimal> =>
  typeof value === "number" && Number.isFinite(value) ? Option.some(Decimal.fromNumber(value)) : Option.none()
