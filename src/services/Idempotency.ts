import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../domain/Account.ts"
import { KeyReused } from "./Journal.ts"

/** An answer as it was given: replayed to the letter. */
export interface StoredAnswer {
  readonly status: number
  readonly location: string | undefined
  readonly body: string
}

/** How long a key is remembered. */
export const IDEMPOTENCY_HOURS = 24

/**
 * Answers by Idempotency-Key, so that a request sent twice acts once. A port.
 *
 * **Whoever implements it keeps**
 *
 * - Scope: a key is its account's own; another account's means nothing.
 * - Atomicity: the answer is stored in the transaction of all that `answer` writes. After a crash either both are
 *   there, or neither.
 * - Repeats: of many at once with one key, one acts and all get its answer, to the letter, for as long as keys are
 *   remembered. The same key with another `request` fails with `KeyReused`.
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
     * Runs `answer` unless the account used the key before, and stores what it answered, in one transaction with
     * all that it writes: after a crash either both are there or neither. A failure stores nothing.
     * `request` is a digest of method, path and body.
     */
    readonly once: <E, R>(
      account: AccountId,
      key: string,
      request: string,
      answer: Effect.Effect<StoredAnswer, E, R>
    ) => Effect.Effect<StoredAnswer, E | KeyReused, R>
  }
>() {
  /** One request at a time, as with the one connection of SQLite. Nothing is undone by a crash: nothing is left. */
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
