import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AccountId } from "../domain/Account.ts"

/** How many requests to the alert doors were refused since a time (ms). Where nobody counts them, none. */
export class Refusals extends Context.Reference<Refusals>()("signalbox/services/Refusals", {
  defaultValue: () => ({
    since: (_account: AccountId, _from: number): Effect.Effect<number> => Effect.succeed(0)
  })
}) {}
