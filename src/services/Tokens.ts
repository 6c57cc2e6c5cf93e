// The use case of callers with the tokens of their own account. A token never outlives the token that it was made with.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import {
  type AccountId,
  type Identity,
  isValid,
  MAX_TOKENS,
  madeWith,
  type Token,
  TokenNotFound,
  TooManyTokens
} from "../domain/Account.ts"
import type { Fields } from "../domain/requests/Form.ts"
import * as TokenRequest from "../domain/requests/TokenRequest.ts"
import type { Violations } from "../domain/requests/Violations.ts"
import { Accounts } from "./Accounts.ts"
import { standingOf } from "./internal/Operator.ts"
import { nowSeconds } from "./records/MemoryState.ts"

/** The use case of tokens: create, list and revoke those of the caller's own account. */
export class Tokens extends Context.Tag("signalbox/services/Tokens")<
  Tokens,
  {
    /**
     * Creates a token; its secret is never shown again. It expires no later than the token that the caller used,
     * whatever the request says; `TokenNotFound` where that one has just ended.
     */
    readonly create: (
      maker: Pick<Identity, "account" | "token">,
      body: Fields
    ) => Effect.Effect<
      { readonly token: Token; readonly secret: Redacted.Redacted },
      Violations | TooManyTokens | TokenNotFound
    >
    /** Lists the tokens that are not revoked, by creation. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Token>>
    /** Revokes a token. Returns the valid tokens that were made with it: they are not revoked. */
    readonly revoke: (account: AccountId, id: number) => Effect.Effect<ReadonlyArray<Token>, TokenNotFound>
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
        create: Effect.fn("Tokens.create")(function* ({ account, token }, body) {
          const { expiresDays, scope } = yield* TokenRequest.parse(body)
          const now = yield* nowSeconds
          const maker = yield* accounts.valid(token)
          if (Option.isNone(maker)) return yield* new TokenNotFound({ id: token })
          const valid = (yield* own(account)).filter((token) => isValid(token, now))
          if (valid.length >= MAX_TOKENS) return yield* new TooManyTokens()
          const expiresAt = Option.map(Option.fromNullable(expiresDays), (days) => now + days * 86_400)
          // The account exists, so its name is valid.
          return yield* Effect.catchTag(
            accounts.issue(yield* nameOf(account), scope, earlier(expiresAt, maker.value.expiresAt), token),
            "AccountNameRefused",
            Effect.die
          )
        }),
        revoke: Effect.fn("Tokens.revoke")(function* (account, id) {
          const all = yield* own(account)
          if (!all.some((token) => token.id === id)) return yield* new TokenNotFound({ id })
          yield* accounts.revoke(id)
          return madeWith(all, id, yield* nowSeconds)
        })
      }
    })
  )
}

/** The earlier of two expiries; none means never. */
const earlier = (one: Token["expiresAt"], other: Token["expiresAt"]): Token["expiresAt"] =>
  Option.match(one, {
    onNone: () => other,
    onSome: (at) => Option.some(Option.match(other, { onNone: () => at, onSome: (end) => Math.min(at, end) }))
  })
