// The port of idempotency keys, with its in-memory layer: a request that is sent twice acts once, and the second
// sending gets the first one's answer.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../domain/Account.ts"
import { KeyReused } from "./Journal.ts"

/** A response as it was sent: replayed to the letter. */
export interface StoredAnswer {
  readonly status: number
  readonly location: string | undefined
  readonly body: string
}

/** How long a key is remembered. */
export const IDEMPOTENCY_HOURS = 24

/**
 * Responses by Idempotency-Key, so that a request sent twice acts once. A port.
 *
 * **An implementation keeps**
 *
 * - Scope: a key belongs to its account; the same key of another account is another key.
 * - Atomicity: the response is stored in the transaction of all that `answer` writes. After a crash either both are
 *   there, or neither.
 * - Repeats: of many concurrent requests with one key, one acts and all get its response, to the letter, for as long as
 *   keys are remembered. The same key with another `request` fails with `KeyReused`.
 * - Errors: a failure, a defect or an interruption of `answer` stores nothing and goes on to the caller; the key is
 *   free again.
 *
 * **Proved by** `IdempotencyContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Idempotency extends Context.Tag("signalbox/services/Idempotency")<
  Idempotency,
  {
    /**
     * Runs `answer` unless the account has used the key, and stores its response in one transaction with all that it
     * writes. `request` is a digest of method, path and body.
     */
    readonly once: <E, R>(
      account: AccountId,
      key: string,
      request: string,
      answer: Effect.Effect<StoredAnswer, E, R>
    ) => Effect.Effect<StoredAnswer, E | KeyReused, R>
  }
>() {
  /**
   * Runs one request at a time, like SQLite's single connection. Nothing survives the process, so nothing has to be
   * undone.
   */
  static readonly layerMemory = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const turn = yield* Effect.makeSemaphore(1)
      const answers = new Map<string, Answered>()
      return {
        once: Effect.fn("Idempotency.once")(function* (account, key, request, answer) {
          const now = yield* Clock.currentTimeMillis
          const name = `${account}:${key}`
          const before = answers.get(name)
          if (before !== undefined && before.expiresAt > now) {
            return before.request === request ? before.answer : yield* new KeyReused()
          }
          const given = yield* answer
          answers.set(name, { request, answer: given, expiresAt: now + IDEMPOTENCY_HOURS * 3_600_000 })
          return given
        }, turn.withPermits(1))
      }
    })
  )
}

interface Answered {
  readonly request: string
  readonly answer: StoredAnswer
  readonly expiresAt: number
}
