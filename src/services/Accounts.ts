// The port of accounts and tokens, with its in-memory layer. A secret is shown once, when it is issued; afterwards only
// its hash can be compared.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import {
  AccountId,
  AccountName,
  AccountNameRefused,
  type Identity,
  isValid,
  makeSecret,
  type Scope,
  SECRET_BYTES,
  type Token,
  TokenId,
  TokenNotFound
} from "../domain/Account.ts"
import { MemoryState, nowSeconds } from "./records/MemoryState.ts"

/**
 * The accounts and their tokens. A port. Only the SHA-256 of a token's secret is stored, so the secret is shown once, in
 * the response of `issue`.
 *
 * **An implementation keeps**
 *
 * - Scope: a token opens the account that it was issued for, within its scope, and no other. Ids are never reused, and
 *   revoked tokens stay in the list.
 * - Names: the same name is the same account, letter for letter; two concurrent requests for a new name get one
 *   account.
 * - Time: an expiry counts to the second. A revoked or expired token is refused from the next call on, and no longer
 *   found by `valid`, even where another process revoked it and whatever is cached.
 * - `recall` answers at once or not at all: undefined means that `authenticate` has to be asked.
 * - Errors: a wrong, revoked or expired secret is a none, not a failure. Revoking twice is harmless.
 *
 * **Proved by** `AccountsContract` of `signalbox/testing`.
 *
 * @example
 * ```ts
 * import { Effect, Option, Redacted } from "effect"
 * import { Accounts, Memory } from "signalbox"
 *
 * const program = Effect.gen(function* () {
 *   const accounts = yield* Accounts
 *   const { secret } = yield* accounts.issue("me", "full", Option.none())
 *   return yield* accounts.authenticate(Redacted.value(secret)) // an Identity: the account, the token, its scope
 * })
 * Effect.runPromise(Effect.provide(program, Memory.layer()))
 * ```
 *
 * @category Ports
 */
export class Accounts extends Context.Tag("signalbox/services/Accounts")<
  Accounts,
  {
    /**
     * Issues a token, and creates the account where the name is new. `expiresAt` in seconds since the epoch; `madeBy`
     * is the token that the caller used, if any.
     */
    readonly issue: (
      account: string,
      scope: Scope,
      expiresAt: Option.Option<number>,
      madeBy?: TokenId
    ) => Effect.Effect<{ readonly token: Token; readonly secret: Redacted.Redacted }, AccountNameRefused>
    /**
     * Returns the bearer of a secret; none where it is malformed, unknown, revoked or expired. A secret that was seen
     * before and is still valid costs no query. Records the use, to the minute.
     */
    readonly authenticate: (secret: string) => Effect.Effect<Option.Option<Identity>>
    /**
     * `authenticate` without waiting, `now` in ms since the epoch; undefined means that `authenticate` has to be asked.
     */
    readonly recall: (secret: string, now: number) => Identity | undefined
    /** Returns a token that is neither revoked nor expired. A token that was seen before costs no query. */
    readonly valid: (id: TokenId) => Effect.Effect<Option.Option<Token>>
    /** Lists all accounts by creation: for the operator. */
    readonly all: Effect.Effect<ReadonlyArray<{ readonly id: AccountId; readonly name: string }>>
    /** Lists all tokens by creation, revoked ones included. */
    readonly tokens: Effect.Effect<ReadonlyArray<Token>>
    /** Revokes a token: it is refused from now on. Revoking twice is harmless. */
    readonly revoke: (id: number) => Effect.Effect<void, TokenNotFound>
  }
>() {
  /** Stores the secrets themselves, since they end with the process. */
  static readonly layerMemory = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const { nextId } = yield* MemoryState
      const accounts = new Map<string, AccountId>()
      const tokens = new Map<number, { readonly secret: string; readonly token: Token }>()
      const bySecret = new Map<string, number>()

      const accountOf = (name: string) => {
        const id = accounts.get(name) ?? AccountId.make(nextId("accounts"))
        accounts.set(name, id)
        return id
      }
      const change = (id: number, changes: Partial<Token>) => {
        const known = tokens.get(id)
        if (known !== undefined) tokens.set(id, { ...known, token: { ...known.token, ...changes } })
      }

      const recall = (secret: string, millis: number): Identity | undefined => {
        const now = Math.floor(millis / 1000)
        const token = tokens.get(bySecret.get(secret) ?? 0)?.token
        if (token === undefined || !isValid(token, now)) return undefined
        change(token.id, { lastUsedAt: Option.some(now - (now % 60)) })
        return { account: accountOf(token.account), token: token.id, scope: token.scope }
      }

      return {
        issue: Effect.fn("Accounts.issue")(function* (account, scope, expiresAt, madeBy) {
          if (!isName(account)) return yield* new AccountNameRefused()
          const secret = drawSecret(scope)
          const createdAt = yield* nowSeconds
          const id = TokenId.make(nextId("tokens"))
          const unused = { lastUsedAt: Option.none(), revokedAt: Option.none() }
          const token: Token = {
            ...{ id, account, scope, createdAt, expiresAt, ...unused },
            madeBy: Option.fromNullable(madeBy)
          }
          accountOf(account)
          tokens.set(id, { secret, token })
          bySecret.set(secret, id)
          return { token, secret: Redacted.make(secret) }
        }),
        authenticate: (secret) =>
          Effect.map(Clock.currentTimeMillis, (now) => Option.fromNullable(recall(secret, now))),
        recall,
        valid: (id) =>
          Effect.map(nowSeconds, (now) =>
            Option.filter(Option.fromNullable(tokens.get(id)?.token), (token) => isValid(token, now))
          ),
        all: Effect.sync(() => [...accounts].map(([name, id]) => ({ id, name }))),
        tokens: Effect.sync(() => [...tokens.values()].map(({ token }) => token)),
        revoke: Effect.fn("Accounts.revoke")(function* (id) {
          const now = yield* nowSeconds
          const known = tokens.get(id)
          if (known === undefined) return yield* new TokenNotFound({ id })
          change(id, { revokedAt: Option.orElseSome(known.token.revokedAt, () => now) })
          bySecret.delete(known.secret)
        })
      }
    })
  )
}

/** Whether a value may be the name of an account. */
export const isName = Schema.is(AccountName)

/**
 * Draws a new secret from the platform's randomness; draws again in the rare case that too many bytes were unusable.
 */
export const drawSecret = (scope: Scope): string =>
  Option.getOrElse(makeSecret(scope, crypto.getRandomValues(new Uint8Array(SECRET_BYTES))), () =>
    drawSecret(scope)
  )
