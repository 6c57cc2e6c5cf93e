// Reads the grid of a sweep: `{"field": [values]}` or `{"field": {"from", "to", "step"}}` in request names. Steps of a
// range are exact decimals: 0.1, 0.2, 0.3 and not 0.30000000000000004. A number of the right kind but out of bounds is
// found with its combination, so that a range may reach further than a setting does.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import * as SchemaViolations from "../../domain/internal/SchemaViolations.ts"
import { StepsView } from "../../domain/requests/StrategyLists.ts"
import { type Row, rows } from "../../domain/requests/StrategyView.ts"
import { type Axis, type Grid, type Value, valueText } from "./SweepGrid.ts"
import { PARAMS } from "./SweepRules.ts"
import { nearest } from "./SweepSuggestions.ts"

/** The most values of one field; the most combinations are bounded where a sweep begins. */
export const MAX_VALUES = 1_000_000

/** The most values of a field that takes no numbers: lists of steps are long. */
export const MAX_OTHER_VALUES = 10_000

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

/** The numbers of a rule, which a grid may name as `params.NAME`. */
export type Params = Readonly<Record<string, number>>

/** Reads a grid, or returns the first error as a text. Without a rule there are no `params`. */
export const parse = (body: unknown, params?: Params): Either.Either<Grid, string> => {
  if (!isObject(body)) return Either.left('must be an object: {"field": [values] or {"from", "to", "step"}}')
  const grid: Array<Axis> = []
  for (const [field, spec] of Object.entries(body)) {
    const row = SWEPT.find(({ request }) => request === field)
    const isParam = field.startsWith(PARAMS)
    const wrong = isParam ? paramError(field, params) : row === undefined ? nameError(field) : undefined
    if (wrong !== undefined) return Either.left(wrong)
    const values = row === undefined ? numbersOf(spec) : valuesOf(row, spec)
    if (Either.isLeft(values)) return Either.left(`${field}${values.left}`)
    grid.push({ field, values: values.right })
  }
  return grid.length === 0 ? Either.left("names no field") : Either.right(grid)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The most numbers of a rule that an error names. */
const MAX_NAMED = 10

const paramError = (field: string, params: Params | undefined): string | undefined => {
  const name = field.slice(PARAMS.length)
  if (params === undefined)
    return `${printable(field, MAX_NAME)} is a number of a rule: give the rule with --rule`
  if (Object.hasOwn(params, name)) return undefined
  const known = Object.keys(params)
  const there = known.length === 0 ? "it has none" : `it has ${known.slice(0, MAX_NAMED).join(", ")}`
  return `the rule has no number named ${printable(name, MAX_NAME)}: ${there}`
}

const nameError = (field: string): string => {
  if (FIXED.has(field)) return `${field} is the same in every run and cannot be swept`
  const known = rows.find(({ model }) => model === field)
  if (known !== undefined) return `send this setting as ${known.request}, not as ${known.model}`
  const near = nearest(
    field,
    SWEPT.map(({ request }) => request)
  )
  return `there is no setting ${printable(field, MAX_NAME)}; the nearest are ${near.join(", ")}`
}

/** Characters of a name and of an error of a value. */
const MAX_NAME = 60
const MAX_ERROR = 200

/** A text from the file, cut and without control characters. */
const printable = (text: string, most: number): string => text.replaceAll(/\p{C}/gu, "?").slice(0, most)

/** What follows the field's name in an error: a space and words, or the index of a value first. */
type Values = Either.Either<ReadonlyArray<Value>, string>

const valuesOf = (row: Row, spec: unknown): Values => {
  if (Array.isArray(spec)) return listed(row, spec)
  if (!takesNumbers(row)) return Either.left(" must be a list of values")
  return isObject(spec) ? stepped(spec) : Either.left(' must be a list of values or {"from", "to", "step"}')
}

/** The values of a number of a rule. */
const numbersOf = (spec: unknown): Values => {
  if (isObject(spec)) return stepped(spec)
  if (!Array.isArray(spec)) return Either.left(' must be a list of numbers or {"from", "to", "step"}')
  if (spec.length === 0) return Either.left(" has no values")
  if (spec.length > MAX_VALUES) return Either.left(` has more than ${MAX_VALUES} values`)
  const values = spec.filter(isFinite)
  if (values.length < spec.length) return Either.left(" must be a list of finite numbers")
  return new Set(values).size < values.length ? Either.left(" lists a value twice") : Either.right(values)
}

/** The schema of a value; it also refuses a field that a step does not have. */
const schemaOf = ({ schema, stored }: Row) =>
  (stored ?? schema).annotations({ parseOptions: { onExcessProperty: "error" } })

const takesNumbers = (row: Row): boolean => Schema.is(Schema.encodedSchema(schemaOf(row)))(0)

const listed = (row: Row, spec: ReadonlyArray<unknown>): Values => {
  const numeric = takesNumbers(row)
  const most = numeric ? MAX_VALUES : MAX_OTHER_VALUES
  if (spec.length === 0) return Either.left(" has no values")
  if (spec.length > most) return Either.left(` has more than ${most} values`)
  const schema = schemaOf(row)
  const values: Array<Value> = []
  for (const [index, value] of spec.entries()) {
    const read = numeric && isFinite(value) ? Either.right(value) : valueOf(schema, value)
    if (Either.isLeft(read)) return Either.left(printable(`[${index}]${read.left}`, MAX_ERROR))
    values.push(read.right)
  }
  const texts = new Set(values.map((value) => (typeof value === "object" ? valueText(value) : value)))
  return texts.size < values.length ? Either.left(" lists a value twice") : Either.right(values)
}

const isFinite = (value: unknown): value is number => Number.isFinite(value)

/** A value that keeps all rules of its field, or the first one that it breaks. */
const valueOf = (schema: Schema.Schema.AnyNoContext, value: unknown): Either.Either<Value, string> => {
  if (SchemaViolations.isLarge(value))
    return Either.left(` must hold at most ${SchemaViolations.MAX_VALUES} values`)
  const read = SchemaViolations.decode(schema, value)
  if (Either.isLeft(read)) {
    const [first] = read.left
    return Either.left(first === undefined ? " is not valid" : spaced(`${first.path} ${first.text}`.trim()))
  }
  return Either.right(Option.getOrElse(asValue(value), () => null))
}

/** A path follows its value at once, words after a space. */
const spaced = (text: string): string => (/^[[.]/.test(text) ? text : ` ${text}`)

const asValue = Schema.decodeUnknownOption(Schema.Union(Schema.Boolean, Schema.String, StepsView))

/** The values from `from` to at most `to` in exact steps. */
const stepped = (spec: Readonly<Record<string, unknown>>): Values => {
  const [from, to, step] = [exact(spec["from"]), exact(spec["to"]), exact(spec["step"])]
  if (Option.isNone(from) || Option.isNone(to) || Option.isNone(step) || Object.keys(spec).length > 3)
    return Either.left(" takes the numbers from, to and step, and nothing else")
  if (!Decimal.isPositive(step.value)) return Either.left(" needs a step above 0")
  if (Decimal.greaterThan(from.value, to.value)) return Either.left(" needs a from that is not above to")
  const steps = Decimal.wholeSteps(Decimal.subtract(to.value, from.value), step.value)
  if (steps >= BigInt(MAX_VALUES)) return Either.left(` has more than ${MAX_VALUES} values`)
  const values: Array<number> = []
  let value = from.value
  for (let done = 0n; done <= steps; done++) {
    values.push(Decimal.toNumber(value))
    value = Decimal.add(value, step.value)
  }
  return Either.right(values)
}

const exact = (value: unknown): Option.Option<Decimal.Decimal> =>
  isFinite(value) ? Option.some(Decimal.fromNumber(value)) : Option.none()
