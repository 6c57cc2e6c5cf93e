// The problem documents of the contract, one schema for each HTTP status.
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"
import { CONTENT_TYPE, Problem } from "./Problem.ts"

/** Fields of every problem, made once because making a schema takes time. */
const common = {
  type: Schema.String.annotations({
    description: "names the kind of problem, the same for every occurrence",
    jsonSchema: { type: "string", format: "uri-reference" }
  }),
  title: Schema.String.annotations({ description: "the kind of problem in a few words" }),
  detail: Schema.String.annotations({ description: "the error of this occurrence, at most 200 characters" }),
  code: Schema.String.annotations({ description: "the kind of problem for programs, snake_case, stable" }),
  message: Schema.String.annotations({ description: "the same text as `detail`" }),
  errors: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }).annotations({
    description: "the violations by field of the request; empty if no field is wrong"
  }),
  request_id: Schema.String.annotations({
    description: "names this request in the server's log; the same as the header x-request-id"
  })
}

const fields = (status: number) => {
  const { title, type, ...others } = common
  const ofAnswer = Schema.Literal(status).annotations({ description: "the status of the answer" })
  return { type, title, status: ofAnswer, ...others }
}

/** The problem of one status, as an error of an endpoint. */
const at = (status: number, identifier: string, description: string) =>
  Schema.transform(
    Schema.Struct(fields(status)).annotations({ identifier, description }),
    Schema.declare((value): value is Problem => value instanceof Problem && value.status === status),
    {
      strict: true,
      decode: (body) => new Problem(body),
      encode: ({ type, title, detail, code, message, errors, request_id }) => ({
        type,
        title,
        status,
        detail,
        code,
        message,
        errors,
        request_id
      })
    }
  ).pipe(HttpApiSchema.withEncoding({ kind: "Json", contentType: CONTENT_TYPE }), (schema) =>
    schema.annotations(HttpApiSchema.annotations({ status, description }))
  )

export const BadRequest = at(400, "BadRequest", "The body cannot be read.")
export const Unauthorized = at(401, "Unauthorized", "There is no valid token.")
export const Forbidden = at(403, "Forbidden", "The token's scope does not reach this operation.")
export const NotFound = at(404, "NotFound", "There is no such record, or it is not yours.")
export const Conflict = at(409, "Conflict", "The record's present state does not allow it.")
export const TooLarge = at(
  413,
  "TooLarge",
  "The body is larger than 64 KiB, or than 32 MiB where candles are sent."
)
export const NotJson = at(415, "NotJson", "The body is not JSON.")
export const Unprocessable = at(422, "Unprocessable", "The request breaks a rule; `errors` names the fields.")
export const TooMany = at(429, "TooMany", "Over the rate limit; `Retry-After` says when to try again.")
export const Internal = at(500, "Internal", "A fault of the server; its log has more under `request_id`.")
export const Unavailable = at(
  503,
  "Unavailable",
  "Nothing can be stored right now, or the server is going down; send the request again."
)

/** Why the body of a request is refused, whatever it is written in. */
export const OfBody = Schema.Union(BadRequest, TooLarge, Unprocessable)
/** Why the body of a request that has to be JSON is refused. */
export const OfJsonBody = Schema.Union(OfBody, NotJson)
