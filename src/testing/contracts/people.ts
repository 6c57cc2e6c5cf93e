// Accounts with tokens, for the contract suites.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Identity } from "../../domain/Account.ts"
import { Accounts } from "../../services/Accounts.ts"

/** Somebody with a token, by the name of an account. */
export const sender = (name: string, scope: Identity["scope"] = "full") =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { secret } = yield* accounts.issue(name, scope, Option.none())
    return yield* Effect.flatten(accounts.authenticate(Redacted.value(secret)))
  })
