// Responses with JSON bodies: ready text, long lists written in slices, stored responses replayed.
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import type { Done } from "../../api/shared/Paging.ts"
import { breathe } from "../../services/engine/Breath.ts"
import type { StoredAnswer } from "../../services/Idempotency.ts"

/** A response whose body is JSON text. */
export const json = (body: string, status: number, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(body, { status, contentType: "application/json", headers })

/** Characters of a list that are written without a pause. */
const STRETCH = 200_000

/**
 * A list as JSON. Rows may be many and long: they are written in slices, so that others get their turn, and not
 * validated against the contract, since the types ensure that they fit.
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
      yield* breathe
    }
    return json(`{"data":[${texts.join(",")}]}`, 200, headers)
  })

/** A stored response, as it was the first time. */
export const replay = ({ body, location, status }: StoredAnswer) =>
  json(body, status, location === undefined ? {} : { location })

/** The body of a success without data. */
export const done = (message: string): Done => ({ type: "success", message })
