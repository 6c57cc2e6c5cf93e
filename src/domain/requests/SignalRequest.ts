// Requests to create or update a signal, in two dialects: forms, where booleans are `1` or `0`, and JSON.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { optional } from "../internal/Optional.ts"
import * as SchemaViolations from "../internal/SchemaViolations.ts"
import { SignalDraft } from "../Signal.ts"
import { Violations, violation } from "./Violations.ts"

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

const { description, displayName, name } = SignalDraft.fields
/** Absent where the request leaves it out. */
const named = { display_name: displayName }
/** In JSON null takes a display name away, as an empty text does. */
const orNull = { display_name: optional(Schema.NullOr(displayName.from)) }

/** A new signal as a form. */
export const FormDraft = Schema.Struct({ name, description, active: FormFlag, public: FormFlag, ...named })
/** A new signal in JSON. */
export const JsonDraft = Schema.Struct({ name, description, active: JsonFlag, public: JsonFlag, ...orNull })
/** The changed fields of a signal as a form. */
export const FormPatch = Schema.partialWith(FormDraft, { exact: true })
/** The changed fields of a signal in JSON. */
export const JsonPatch = Schema.partialWith(JsonDraft, { exact: true })

/** The dialect: texts only, or JSON values. */
export type Dialect = "form" | "json"

type Parsed<A> = Either.Either<A, Violations>

/** A new signal, or all violations. Unknown fields are ignored. */
export const parseCreate = (dialect: Dialect, fields: unknown): Parsed<SignalDraft> =>
  Either.map(dialect === "form" ? parse(FormDraft, fields) : parse(JsonDraft, fields), inWords)

/** The fields to change, or all violations. */
export const parseUpdate = (dialect: Dialect, fields: unknown): Parsed<Partial<SignalDraft>> =>
  Either.map(dialect === "form" ? parse(FormPatch, fields) : parse(JsonPatch, fields), inWords)

/** The fields by the names of the noun. */
const inWords = <A extends { readonly display_name?: string | null }>({ display_name, ...fields }: A) =>
  display_name === undefined ? fields : { ...fields, displayName: display_name ?? "" }

const parse = <A, I>(schema: Schema.Schema<A, I>, fields: unknown): Parsed<A> =>
  Either.mapLeft(SchemaViolations.decode(schema, fields), (violations) =>
    Violations.of(violations.map(({ path, text }) => violation(path.replace(/^\./, ""), text)))
  )
