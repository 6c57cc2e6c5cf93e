// A request to check expressions of a rule, as an editor sends it while somebody writes.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { TIMEFRAMES } from "../candles/Timeframe.ts"
import { optional } from "../internal/Optional.ts"
import * as SchemaViolations from "../internal/SchemaViolations.ts"
import { MAX_PARAMS } from "../signalRule/SignalRule.ts"
import { type Fields, isFields } from "./Form.ts"
import { Violations, violation } from "./Violations.ts"

/** The most expressions of a request: a rule has fewer. */
export const MAX_EXPRESSIONS = 250

const timeframe = Schema.Literal(...TIMEFRAMES).annotations({ description: "of the rule's candles" })
const params = Schema.Record({ key: Schema.String, value: Schema.Finite }).annotations({
  description: `numbers that the expressions name, at most ${MAX_PARAMS}`
})
const written = Schema.Struct({
  text: Schema.String,
  type: Schema.Literal("number", "boolean").annotations({
    description: "what it has to give: boolean for a condition"
  })
})
const unfinished = Schema.Struct({
  text: Schema.String,
  place: Schema.Int.annotations({ description: "how many characters stand before the cursor" })
})

/** The body of the request. */
export const Body = Schema.Struct({
  timeframe,
  params: optional(params),
  expressions: Schema.Array(written).annotations({ description: `at most ${MAX_EXPRESSIONS}` }),
  complete: optional(unfinished).annotations({ description: "a text to complete, finished or not" })
})
/** What an editor asks of a rule that is being written. */
export type RuleCheckRequest = typeof Body.Type

/** The request, or all violations. */
export const parse = (fields: Fields): Either.Either<RuleCheckRequest, Violations> => {
  // Counted first: each error of a long list takes time.
  const { expressions, params } = fields
  if (Array.isArray(expressions) && expressions.length > MAX_EXPRESSIONS)
    return over("expressions", MAX_EXPRESSIONS)
  if (isFields(params) && Object.keys(params).length > MAX_PARAMS) return over("params", MAX_PARAMS)
  return Either.mapLeft(SchemaViolations.decode(Body, fields), refused)
}

const over = (field: string, most: number) =>
  Either.left(Violations.of([violation(field, `must have at most ${most} entries`)]))

/** Violations by the request's own field: names of params are the sender's. */
const refused = (violations: ReadonlyArray<SchemaViolations.SchemaViolation>): Violations =>
  Violations.of(
    violations.map(({ path, text }) => {
      const plain = path.replace(/^\./, "")
      return violation(plain.startsWith("params.") ? "params" : plain, text)
    })
  )
