// The problem documents of the contract: for each HTTP status a schema, whose type is the union of its codes.
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { type CodeAt, type Status, UNRECOGNIZED } from "./Codes.ts"
import { CONTENT_TYPE, Problem, type ProblemAt } from "./Problem.ts"

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

/** The problems of one status with one of these codes, as an error of an endpoint. */
const at = <S extends Status, C extends CodeAt<S>>(
  status: S,
  identifier: string,
  description: string,
  codes: ReadonlyArray<C>
) => {
  const known = (code: string) => codes.find((one) => one === code) ?? UNRECOGNIZED
  const isDeclared = (value: unknown): value is ProblemAt<S, C> =>
    value instanceof Problem && value.status === status && known(value.code) === value.code
  return Schema.transformOrFail(
    Schema.Struct(fields(status)).annotations({ identifier, description }),
    Schema.declare(isDeclared),
    {
      strict: true,
      decode: (body, _, ast): Either.Either<ProblemAt<S, C>, ParseResult.ParseIssue> => {
        const problem: unknown = new Problem({ ...body, code: known(body.code) })
        return isDeclared(problem) ? Either.right(problem) : Either.left(new ParseResult.Type(ast, body))
      },
      encode: (problem: unknown, _, ast) => {
        if (!(problem instanceof Problem)) return Either.left(new ParseResult.Type(ast, problem))
        const { type, title, detail, code, message, errors, request_id } = problem
        return Either.right({ type, title, status, detail, code, message, errors, request_id })
      }
    }
  ).pipe(HttpApiSchema.withEncoding({ kind: "Json", contentType: CONTENT_TYPE }), (schema) =>
    schema.annotations(HttpApiSchema.annotations({ status, description }))
  )
}

export const BadRequest = at(400, "BadRequest", "The body cannot be read.", [
  "malformed_body",
  "malformed_host"
])
export const Unauthorized = at(401, "Unauthorized", "There is no valid token.", ["unauthorized"])
export const Forbidden = at(403, "Forbidden", "The token's scope does not reach this operation.", [
  "forbidden",
  "cross_site"
])
export const NotFound = at(404, "NotFound", "There is no such record, or it is not yours.", ["not_found"])
/** 404 also where the original of a copy is gone. */
export const NoOriginal = at(404, "NotFound", "There is no such record, or the copy's original is gone.", [
  "not_found",
  "original_gone"
])
export const TooLarge = at(
  413,
  "TooLarge",
  "The body is larger than 64 KiB, or than 32 MiB where candles are sent.",
  ["body_too_large"]
)
export const NotJson = at(415, "NotJson", "The body is not JSON.", ["unsupported_media_type"])
export const TooMany = at(429, "TooMany", "Over the rate limit; `Retry-After` says when to try again.", [
  "rate_limited",
  "too_many_streams",
  "too_much_unread"
])
export const Internal = at(500, "Internal", "A fault of the server; its log has more under `request_id`.", [
  "internal_error"
])
export const Unavailable = at(
  503,
  "Unavailable",
  "Nothing can be stored right now, or the server is going down; send the request again.",
  ["unavailable", "draining", "too_much_unread", "vault_locked", "backup_failed"]
)

/** 409 with one of these codes. */
export const conflict = <C extends CodeAt<409>>(...codes: ReadonlyArray<C>) =>
  at(409, "Conflict", "The record's present state does not allow it.", codes)

/** 422 for an invalid field, or with one of these codes. */
export const unprocessable = <C extends CodeAt<422> = never>(...codes: ReadonlyArray<C>) =>
  at<422, C | "invalid_request">(
    422,
    "Unprocessable",
    "The request breaks a rule; `errors` names the fields.",
    ["invalid_request", ...codes]
  )
/** 422 for an invalid field. */
export const Unprocessable = unprocessable()

/** Why the body of a request is refused, whatever it is written in: an invalid field, or one of these codes. */
export const ofBody = <C extends CodeAt<422> = never>(...codes: ReadonlyArray<C>) =>
  Schema.Union(BadRequest, TooLarge, unprocessable(...codes))
export const OfBody = ofBody()
/** Why the body of a request that has to be JSON is refused. */
export const ofJsonBody = <C extends CodeAt<422> = never>(...codes: ReadonlyArray<C>) =>
  Schema.Union(ofBody(...codes), NotJson)
export const OfJsonBody = ofJsonBody()
