// The bodies of records: a form, a multipart form or one JSON object, parsed into fields.
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Fields, isFields, read as readForm } from "../../domain/requests/Form.ts"
import type { Dialect } from "../../domain/requests/SignalRequest.ts"
import { malformed, notJson, type RequestRejected } from "../RequestRejected.ts"
import { requestOf } from "../Web.ts"
import * as Body from "./Body.ts"

/** A parsed body. `text` decides whether two bodies are the same. */
export interface RecordBody {
  readonly dialect: Dialect
  readonly fields: Fields
  readonly text: string
}

const brokenJson = malformed("the body is not valid JSON")
const notAnObject = malformed("the body must be one JSON object")

/** Reads a form or JSON: text that starts with a brace is JSON, whatever its content type. */
export const formOrJson = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<RecordBody, RequestRejected> =>
  Effect.gen(function* () {
    const web = yield* requestOf(request)
    const contentType = web.headers.get("content-type") ?? ""
    if (Body.isMultipart(contentType)) {
      const fields = yield* Body.multipartOf(yield* Body.bytes(web), contentType)
      return { dialect: "form" as const, fields, text: JSON.stringify(fields) }
    }
    const text = yield* Body.textOf(yield* Body.bytes(web))
    if (/json/i.test(contentType) || /^\s*\{/.test(text)) return yield* json(text)
    const fields = yield* Either.mapLeft(readForm(text.trim()), malformed)
    return { dialect: "form" as const, fields, text }
  })

/** Reads JSON alone, with a JSON content type or none. */
export const jsonOnly = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<RecordBody, RequestRejected> =>
  Effect.gen(function* () {
    const web = yield* requestOf(request)
    const text = yield* Body.textOf(yield* Body.bytes(web))
    return isJson(web) ? yield* json(text) : yield* notJson
  })

/** Reads JSON alone; no body at all is an object without fields. */
export const jsonOrNothing = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<RecordBody, RequestRejected> =>
  Effect.gen(function* () {
    const web = yield* requestOf(request)
    const text = yield* Body.textOf(yield* Body.bytes(web))
    if (text === "") return { dialect: "json" as const, fields: {}, text }
    return isJson(web) ? yield* json(text) : yield* notJson
  })

/** Whether a request has a JSON content type or none. */
export const isJson = ({ headers }: Request): boolean =>
  IS_JSON.test(headers.get("content-type") ?? JSON_TYPE)

const JSON_TYPE = "application/json"
const IS_JSON = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

const json = (text: string): Effect.Effect<RecordBody, RequestRejected> =>
  Effect.flatMap(
    Effect.try({ try: (): unknown => JSON.parse(text), catch: () => brokenJson }),
    (fields): Effect.Effect<RecordBody, RequestRejected> =>
      isFields(fields) ? Effect.succeed({ dialect: "json", fields, text }) : Effect.fail(notAnObject)
  )
