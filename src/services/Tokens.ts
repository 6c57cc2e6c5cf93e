import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { type AccountId, MAX_TOKENS, type Token, TokenNotFound, TooManyTokens } from "../domain/Account.ts"
import type { Fields } from "../domain/Form.ts"
import * as TokenRequest from "../domain/TokenRequest.ts"
import type { Violations } from "../domain/Violations.ts"
import { Accounts } from "./Accounts.ts"
import { nowSeconds } from "./MemoryState.ts"
import { standingOf } from "./Operator.ts"

/** What users do with the tokens of their own account. */
export class Tokens extends Context.Tag("signalbox/services/Tokens")<
  Tokens,
  {
    /** The secret is never shown again. */
    readonly create: (
      account: AccountId,
      body: Fields
    ) => Effect.Effect<
      { readonly token: Token; readonly secret: Redacted.Redacted },
      Violations | TooManyTokens
    >
    /** Those that are not revoked, in order of their making. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Token>>
    readonly revoke: (account: AccountId, id: number) => Effect.Effect<void, TokenNotFound>
  }
>() {
  static readonly layer = Layer.effect(
    Tokens,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const nameOf = (account: AccountId) =>
        Effect.map(Effect.provideService(standingOf(account), Accounts, accounts), ({ name }) => name)
      const own = Effect.fnUntraced(function* (account: AccountId) {
        const name = yield* nameOf(account)
        const all = yield* accounts.tokens
        return all.filter((token) => token.account === name && Option.isNone(token.revokedAt))
      })
      return {
        list: Effect.fn("Tokens.list")(own),
        create: Effect.fn("Tokens.create")(function* (account, body) {
          const { expiresDays, scope } = yield* TokenRequest.parse(body)
          const now = yield* nowSeconds
          const valid = (yield* own(account)).filter(
            ({ expiresAt }) => !Option.exists(expiresAt, (at) => at <= now)
          )
          if (valid.length >= MAX_TOKENS) return yield* new TooManyTokens()
          const expiresAt = Option.map(Option.fromNullable(expiresDays), (days) => now + days * 86_400)
          // The account is there already, and so its name is one.
          return yield* Effect.catchTag(
            accounts.issue(yield* nameOf(account), scope, expiresAt),
            "AccountNameRefused",
            Effect.die
          )
        }),
        revoke: Effect.fn("Tokens.revoke")(function* (account, id) {
          const found = (yield* own(account)).some((token) => token.id === id)
          return yield* found ? accounts.revoke(id) : new TokenNotFound({ id })
        })
      }
    })
  )
}
