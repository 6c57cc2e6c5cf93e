import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type { Identity, TokenId } from "../../domain/Account.ts"

/** What stands on an alert whose sender showed more than it had to. */
export const FULL_TOKEN_IN_URL =
  "the key in its address may do everything: put a token there that was made with --scope alerts, and revoke this one"

const NONE: ReadonlyArray<string> = []
const TOLD = [FULL_TOKEN_IN_URL]
const DAY_MS = 86_400_000

/**
 * What to say of a key in an address, which ends up in other people's logs and settings: nothing where it can do no
 * more than send alerts. Said in the log once a day for each token, by its number and never by its text.
 */
export const make = Effect.fnUntraced(function* (runtime: Runtime.Runtime<never>) {
  const clock = yield* Effect.clock
  const run = Runtime.runFork(runtime)
  const days = new Map<TokenId, number>()
  const tell = (token: TokenId) =>
    Effect.logWarning(
      `token ${token} may do everything and stands in the address of a webhook: ` +
        `make one with --scope alerts for it, and revoke this one (signalbox token revoke ${token})`
    )
  return ({ scope, token }: Identity): ReadonlyArray<string> => {
    if (scope !== "full") return NONE
    const day = Math.floor(clock.unsafeCurrentTimeMillis() / DAY_MS)
    if (days.get(token) !== day) {
      days.set(token, day)
      run(tell(token))
    }
    return TOLD
  }
})
