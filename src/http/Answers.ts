import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type { Done } from "../api/Paging.ts"
import type { StoredAnswer } from "../services/Idempotency.ts"

/** An answer whose body is JSON text already. */
export const json = (body: string, status: number, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(body, { status, contentType: "application/json", headers })

/** An answer as it was given the first time. */
export const replay = ({ body, location, status }: StoredAnswer) =>
  json(body, status, location === undefined ? {} : { location })

/** The answer to what leaves nothing to show. */
export const done = (message: string): Done => ({ type: "success", message })
