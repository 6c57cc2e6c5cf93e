// Creations under an Idempotency-Key: the first request acts, and every repeat gets its stored response.
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import * as IdempotencyKey from "../../domain/requests/IdempotencyKey.ts"
import type { Violations } from "../../domain/requests/Violations.ts"
import { Idempotency, type StoredAnswer } from "../../services/Idempotency.ts"
import { Digest, joined } from "../../services/internal/Digest.ts"
import type { KeyReused } from "../../services/Journal.ts"
import * as Answers from "../views/Answers.ts"
import { CurrentRequest } from "./Request.ts"

/** The parts of a request that creates something. */
export interface Creation {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly headers: { readonly "idempotency-key"?: string | undefined }
}

/** Makes the wrapper of creations; without a key, every request acts. */
export const make = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const digest = yield* Digest
  return <E, R>(
    account: AccountId,
    header: string | undefined,
    body: string,
    answer: Effect.Effect<StoredAnswer, E, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E | Violations | KeyReused, R> =>
    Effect.gen(function* () {
      const key = yield* IdempotencyKey.read(header)
      if (key === undefined) return Answers.replay(yield* answer)
      const { path } = yield* CurrentRequest
      const request = digest(joined("POST", path, body))
      return Answers.replay(yield* idempotency.once(account, key, request, answer))
    })
})
