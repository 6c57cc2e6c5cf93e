import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import type { Done } from "../../api/shared/Paging.ts"
import type { StoredAnswer } from "../../services/Idempotency.ts"

/** An answer whose body is JSON text already. */
export const json = (body: string, status: number, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(body, { status, contentType: "application/json", headers })

/** Letters of a list that are written in one go. */
const STRETCH = 200_000

/**
 * A list as JSON. Its rows may be many and long: they are written some at a time, so that others have their turn, and
 * not checked against the contract on their way out, since the types say that they fit.
 */
export const list = <A, V>(rows: ReadonlyArray<A>, view: (row: A) => V, headers: Record<string, string>) =>
  Effect.gen(function* () {
    const texts: Array<string> = []
    let written = 0
    for (const row of rows) {
      const text = JSON.stringify(view(row))
      texts.push(text)
      written += text.length
      if (written < STRETCH) continue
      written = 0
      yield* Effect.sleep(0)
    }
    return json(`{"data":[${texts.join(",")}]}`, 200, headers)
  })

/** An answer as it was given the first time. */
export const replay = ({ body, location, status }: StoredAnswer) =>
  json(body, status, location === undefined ? {} : { location })

/** The answer to what leaves nothing to show. */
export const done = (message: string): Done => ({ type: "success", message })
