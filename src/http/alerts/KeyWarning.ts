// The warning about a token of full scope in a webhook's address, which ends up in other people's logs and settings.
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type { Identity, TokenId } from "../../domain/Account.ts"

/** The warning stored with such an alert. */
export const FULL_TOKEN_IN_URL =
  "the key in its address may do everything: put a token there that was made with --scope alerts, and revoke this one"

const NONE: ReadonlyArray<string> = []
const TOLD = [FULL_TOKEN_IN_URL]
const DAY_MS = 86_400_000

/**
 * Makes the check: returns the warnings for a caller, and logs one a day for each token, by its number and never by its
 * text.
 */
export const make = Effect.fnUntraced(function* (runtime: Runtime.Runtime<never>) {
  const clock = yield* Effect.clock
  const run = Runtime.runFork(runtime)
  const days = new Map<TokenId, number>()
  const warn = (token: TokenId) =>
    Effect.logWarning(
      `token ${token} may do everything and stands in the address of a webhook: ` +
        `make one with --scope alerts for it, and revoke this one (signalbox token revoke ${token})`
    )
  return ({ scope, token }: Identity): ReadonlyArray<string> => {
    if (scope !== "full") return NONE
    const day = Math.floor(clock.unsafeCurrentTimeMillis() / DAY_MS)
    if (days.get(token) !== day) {
      days.set(token, day)
      run(warn(token))
    }
    return TOLD
  }
})
