// The port of idempotency keys, with its in-memory layer: a request that is sent twice acts once, and the second
// sending gets the first one's answer.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../domain/Account.ts"
import { KeyReused } from "./Journal.ts"
import { type KeptAnswer, MemoryState, type StoredAnswer } from "./records/MemoryState.ts"

export type { StoredAnswer } from "./records/MemoryState.ts"

/** How long a key is remembered. */
export const IDEMPOTENCY_HOURS = 24

/** A response with the idempotency key and the digest of its request. */
export interface KeyedAnswer {
  readonly key: string
  readonly request: string
  readonly answer: StoredAnswer
}

/**
 * Responses by Idempotency-Key, so that a request sent twice acts once. A port.
 *
 * **An implementation keeps**
 *
 * - Scope: a key belongs to its account; the same key of another account is another key.
 * - Atomicity: the response is stored in the transaction of all that `answer` writes, or of the step that it is part of
 *   (`Portfolio.commit`). After a crash either both are there, or neither.
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
    /** Returns the response stored under the key; fails where that was another request's. */
    readonly find: (
      account: AccountId,
      key: string,
      request: string
    ) => Effect.Effect<Option.Option<StoredAnswer>, KeyReused>
    /** Completes the response that a step stored, before anybody has got it; no other key is touched. */
    readonly amend: (account: AccountId, keyed: KeyedAnswer) => Effect.Effect<void>
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
      const { answers } = yield* MemoryState
      const find = Effect.fnUntraced(function* (account: AccountId, key: string, request: string) {
        const before = answers.get(nameOf(account, key))
        if (before === undefined || before.expiresAt <= (yield* Clock.currentTimeMillis)) return Option.none()
        return before.request === request ? Option.some(before.answer) : yield* new KeyReused()
      })
      return {
        once: Effect.fn("Idempotency.once")(function* (account, key, request, answer) {
          const now = yield* Clock.currentTimeMillis
          const before = yield* find(account, key, request)
          if (Option.isSome(before)) return before.value
          const given = yield* answer
          remember(answers, account, { key, request, answer: given }, now)
          return given
        }, turn.withPermits(1)),
        find: Effect.fn("Idempotency.find")(find),
        amend: Effect.fn("Idempotency.amend")((account, { answer, key, request }) =>
          Effect.sync(() => {
            const name = nameOf(account, key)
            const kept = answers.get(name)
            if (kept?.request === request) answers.set(name, { ...kept, answer })
          })
        )
      }
    })
  )
}

const nameOf = (account: AccountId, key: string): string => `${account}:${key}`

/** Keeps a response in memory from a time (ms) on. @internal */
export const remember = (
  answers: Map<string, KeptAnswer>,
  account: AccountId,
  { answer, key, request }: KeyedAnswer,
  now: number
): void => {
  answers.set(nameOf(account, key), { request, answer, expiresAt: now + IDEMPOTENCY_HOURS * 3_600_000 })
}
