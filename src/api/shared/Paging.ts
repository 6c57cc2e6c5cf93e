// Ids, pages and parameters of the contract. Decoding them never fails: a bad id becomes 0 (no such record), and the
// handler rejects other bad values with a message.
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"

/** The most rows of one page. */
export const MAX_LIMIT = 500

const DIGITS = /^[1-9][0-9]{0,15}$/

/** A canonical positive safe integer, or `otherwise`. */
const whole = (text: string, otherwise: number): number => {
  const value = DIGITS.test(text) ? Number(text) : otherwise
  return Number.isSafeInteger(value) ? value : otherwise
}

/**
 * The path of a record by its id, with the brand of its noun. Anything but a canonical positive integer becomes 0, which
 * no record has: "1e3", "-1" and "01" are answered exactly as a missing record.
 */
export const pathOf = <const Noun extends string>(noun: Noun) => Schema.Struct({ id: idOf(noun) })

const idOf = <const Noun extends string>(noun: Noun) =>
  HttpApiSchema.param(
    "id",
    Schema.transform(Schema.String, Schema.Int.pipe(Schema.brand(noun)), {
      strict: true,
      decode: (text) => whole(text, 0),
      encode: String
    }).annotations({
      description: "identifier of the record",
      jsonSchema: { type: "integer", minimum: 1, description: "identifier of the record" }
    })
  )

const Repeatable = Schema.Union(Schema.String, Schema.Array(Schema.String))

/** The rows of a page. Anything but a whole number becomes NaN, which the handler rejects. */
const Limit = Schema.transform(Repeatable, Schema.Number, {
  strict: true,
  decode: (text) => (typeof text === "string" ? whole(text, Number.NaN) : Number.NaN),
  encode: String
}).annotations({
  description: "the most rows of one answer",
  jsonSchema: {
    type: "integer",
    minimum: 1,
    maximum: MAX_LIMIT,
    description: "the most rows of one answer"
  }
})

/** A text parameter. A repeated one becomes empty, which the handler rejects. */
export const text = (description: string) =>
  Schema.transform(Repeatable, Schema.String, {
    strict: true,
    decode: (text) => (typeof text === "string" ? text : ""),
    encode: (text) => text
  }).annotations({ description, jsonSchema: { type: "string", description } })

const Cursor = text("where to go on, from the `Link` header of the answer before")

/**
 * An optional parameter. Decoding never fails: a repeated parameter becomes `TWICE`, which the handler rejects with a
 * message.
 */
export const parameter = (description: string) =>
  Schema.optional(
    Schema.transform(Repeatable, Schema.String, {
      strict: true,
      decode: (text) => (typeof text === "string" ? text : TWICE),
      encode: (text) => text
    }).annotations({ description, jsonSchema: { type: "string", description } })
  )
/** The value of a parameter that was given more than once. */
export const TWICE = "\0"

/** The filters of a search in a list. */
export const Searched = {
  pair: parameter("only of pairs that contain this text, such as BTC/USDT or BTC"),
  from: parameter("only of this time or later, seconds since the Unix epoch"),
  to: parameter("only of this second or earlier, seconds since the Unix epoch")
}

/** The page of a list that a request asks for. */
export const Page = Schema.Struct({ limit: Schema.optional(Limit), cursor: Schema.optional(Cursor) })
export type Page = typeof Page.Type

/** The idempotency key of a request that acts: within 24 hours the same key with the same body acts once. */
export const IdempotencyKey = Schema.Struct({
  "idempotency-key": Schema.optional(Schema.String).annotations({
    description:
      "1 to 255 visible ASCII characters of your choice: within 24 hours the same key with the same body acts once"
  })
})

/** The answer to a deletion, and to an alert. */
export const Done = Schema.Struct({
  type: Schema.Literal("success"),
  message: Schema.String.annotations({ description: "the change that was made, in words" })
}).annotations({ identifier: "Done", description: "It is done." })
export type Done = typeof Done.Type
