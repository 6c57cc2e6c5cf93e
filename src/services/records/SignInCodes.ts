// The port of one-time codes for signing in, with its in-memory layer. A terminal shows the code, a browser uses it
// up. What a code looks like and how long it lasts: `domain/internal/SignInCode`.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { TokenId } from "../../domain/Account.ts"
import { sha256 } from "../../domain/internal/Sha256.ts"
import * as SignInCode from "../../domain/internal/SignInCode.ts"
import { nowSeconds } from "./MemoryState.ts"

/** A new code, and when it ends, in seconds since the epoch. */
export interface Issued {
  readonly code: Redacted.Redacted
  readonly expiresAt: number
}

/** What a used code signs in with: a token, or none where it makes the server's first account. */
export interface Redeemed {
  readonly token: Option.Option<TokenId>
}

/**
 * The codes that sign in to the dashboard once. A port. Only the SHA-256 of a code is stored, so the code is seen once,
 * in the answer to `issue`.
 *
 * **An implementation keeps**
 *
 * - Secrets: 100 bits of the platform's randomness. Digests are compared in constant time; an unknown code is a none.
 * - Once: of many concurrent calls with the same code, `redeem` returns it to one.
 * - Time: a code ends after ten minutes, to the second.
 * - Bounds: at most ten wait; one more drops the oldest.
 * - Processes: a code that another process issued counts at once.
 *
 * **Proved by** `SignInCodesContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class SignInCodes extends Context.Tag("signalbox/services/records/SignInCodes")<
  SignInCodes,
  {
    /** Issues a code that signs in with a token or, without one, makes the server's first account. */
    readonly issue: (token: Option.Option<TokenId>) => Effect.Effect<Issued>
    /** Uses up a code; none where it is malformed, unknown, used or too old. */
    readonly redeem: (code: string) => Effect.Effect<Option.Option<Redeemed>>
  }
>() {
  static readonly layerMemory = Layer.sync(SignInCodes, () => {
    let waiting: ReadonlyArray<Redeemed & Kept> = []
    return SignInCodes.of({
      issue: Effect.fn("SignInCodes.issue")(function* (token) {
        const now = yield* nowSeconds
        const code = drawCode()
        const expiresAt = now + SignInCode.MAX_AGE_SECONDS
        const kept = waiting.filter((one) => one.expiresAt > now).slice(1 - SignInCode.MAX_CODES)
        waiting = [...kept, { token, expiresAt, digest: digestOf(code) }]
        return { code: Redacted.make(code), expiresAt }
      }),
      redeem: Effect.fn("SignInCodes.redeem")(function* (code) {
        const now = yield* nowSeconds
        const found = matching(
          waiting.filter((one) => one.expiresAt > now),
          code
        )
        waiting = waiting.filter((one) => one !== found)
        return Option.map(Option.fromNullable(found), ({ token }) => ({ token }))
      })
    })
  })
}

/** A stored code. `expiresAt` in seconds since the epoch. */
export interface Kept {
  readonly digest: Uint8Array
  readonly expiresAt: number
}

/** A new code from the platform's randomness. */
export const drawCode = (): string =>
  SignInCode.make(crypto.getRandomValues(new Uint8Array(SignInCode.LENGTH)))

/** The digest of a code, however it is typed. */
export const digestOf = (code: string): Uint8Array => sha256(SignInCode.read(code) ?? "")

/** The stored code that a text stands for. Compares with every one of them, whichever matches. */
export const matching = <One extends Kept>(all: ReadonlyArray<One>, code: string): One | undefined => {
  if (SignInCode.read(code) === undefined) return undefined
  const digest = digestOf(code)
  return all.filter((one) => isSame(one.digest, digest))[0]
}

/** Whether two digests are the same, in a time that does not depend on where they differ. */
const isSame = (one: Uint8Array, other: Uint8Array): boolean => {
  let difference = one.length ^ other.length
  for (let index = 0; index < other.length; index++) difference |= (one[index] ?? 0) ^ (other[index] ?? 0)
  return difference === 0
}
