// Requests to create or update a signal, in two dialects: forms, where booleans are `1` or `0`, and JSON.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { optional } from "../internal/Optional.ts"
import * as SchemaViolations from "../internal/SchemaViolations.ts"
import { SignalDraft } from "../Signal.ts"
import type { RuleDocument } from "../signalRule/RuleDocument.ts"
import * as RuleError from "../signalRule/RuleError.ts"
import * as RuleReading from "../signalRule/RuleReading.ts"
import { isFields } from "./Form.ts"
import { type Violation, Violations, violation } from "./Violations.ts"

const FORM_FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["1", true],
  ["0", false],
  ["true", true],
  ["false", false]
])

/** A boolean in a form: `1` or `0`, also `true` or `false`. */
export const FormFlag = Schema.transform(
  Schema.String.pipe(
    Schema.filter((text) => (FORM_FLAGS.has(text) ? undefined : "must be 1 or 0"), {
      jsonSchema: { type: "string", enum: ["1", "0", "true", "false"] }
    })
  ),
  Schema.Boolean,
  {
    strict: true,
    decode: (text) => FORM_FLAGS.get(text) ?? false,
    encode: (flag) => (flag ? "1" : "0")
  }
)

/** A boolean in JSON; 1 and 0 are accepted, texts are not. */
export const JsonFlag = Schema.transform(Schema.Union(Schema.Boolean, Schema.Literal(1, 0)), Schema.Boolean, {
  strict: true,
  decode: (flag) => flag === true || flag === 1,
  encode: (flag) => flag
})

const { description, displayName, name, rule } = SignalDraft.fields
/** Absent where the request leaves it out. */
const named = { display_name: displayName }
/** In JSON null takes a display name away, as an empty text does. */
const orNull = { display_name: optional(Schema.NullOr(displayName.from)) }

const form = { name, description, active: FormFlag, public: FormFlag, ...named }
const json = { name, description, active: JsonFlag, public: JsonFlag, ...orNull }
/** A rule in a form. */
const ruleText = {
  rule: optional(
    Schema.String.annotations({ description: "a rule as JSON text; an empty one takes the rule away" })
  )
}

/** A new signal as a form. */
export const FormDraft = Schema.Struct({ ...form, ...ruleText })
/** A new signal in JSON. */
export const JsonDraft = Schema.Struct({ ...json, rule })
/** The changed fields of a signal as a form. */
export const FormPatch = Schema.partialWith(FormDraft, { exact: true })

const patchFields = {
  name: optional(name),
  description: optional(description),
  active: optional(JsonFlag),
  public: optional(JsonFlag),
  ...orNull,
  rule
}
/** The schema of the changed fields of a signal in JSON. */
export interface JsonPatchSchema extends Schema.Struct<typeof patchFields> {}
/** The changed fields of a signal in JSON. */
export const JsonPatch: JsonPatchSchema = Schema.Struct(patchFields)

/** The same without the rule, which is read by itself. */
const PLAIN = {
  form: Schema.Struct(form),
  json: Schema.Struct(json),
  formPatch: Schema.partialWith(Schema.Struct(form), { exact: true }),
  jsonPatch: Schema.partialWith(Schema.Struct(json), { exact: true })
} as const

/** The dialect: texts only, or JSON values. */
export type Dialect = "form" | "json"

type Parsed<A> = Either.Either<A, Violations>

/** A new signal, or all violations. Unknown fields are ignored. */
export const parseCreate = (dialect: Dialect, fields: unknown): Parsed<SignalDraft> =>
  withRule(dialect, fields, dialect === "form" ? parse(PLAIN.form, fields) : parse(PLAIN.json, fields))

/** The fields to change, or all violations. */
export const parseUpdate = (dialect: Dialect, fields: unknown): Parsed<Partial<SignalDraft>> =>
  withRule(
    dialect,
    fields,
    dialect === "form" ? parse(PLAIN.formPatch, fields) : parse(PLAIN.jsonPatch, fields)
  )

type Changes = ReadonlyArray<Violation>

/** The fields with the rule, or the violations of both. */
const withRule = <A extends { readonly display_name?: string | null }>(
  dialect: Dialect,
  fields: unknown,
  parsed: Either.Either<A, Changes>
) => {
  const rule = isFields(fields) ? ruleIn(dialect, fields["rule"]) : Either.right({})
  if (Either.isRight(parsed) && Either.isRight(rule))
    return Either.right({ ...inWords(parsed.right), ...rule.right })
  const violations = [parsed, rule].flatMap((it) => (Either.isLeft(it) ? it.left : []))
  return Either.left(Violations.of(violations))
}

/** The longest text of a violation. */
const MAX_TEXT = 190

const ruleIn = (
  dialect: Dialect,
  value: unknown
): Either.Either<{ readonly rule?: RuleDocument | null }, Changes> => {
  if (value === undefined) return Either.right({})
  if (value === null || (dialect === "form" && value === "")) return Either.right({ rule: null })
  const read =
    dialect === "form" && typeof value === "string" ? RuleReading.readText(value) : RuleReading.read(value)
  return Either.mapBoth(read, {
    onLeft: (errors) => errors.map((error) => violation("rule", RuleError.inWords(error).slice(0, MAX_TEXT))),
    onRight: ({ document }) => ({ rule: document })
  })
}

/** The fields by the names of the noun. */
const inWords = <A extends { readonly display_name?: string | null }>({ display_name, ...fields }: A) =>
  display_name === undefined ? fields : { ...fields, displayName: display_name ?? "" }

const parse = <A, I>(schema: Schema.Schema<A, I>, fields: unknown): Either.Either<A, Changes> =>
  Either.mapLeft(SchemaViolations.decode(schema, fields), (violations) =>
    violations.map(({ path, text }) => violation(path.replace(/^\./, ""), text))
  )
