// The contract of `Accounts`: a secret opens only the account that it was issued for.
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { TokenId } from "../../domain/Account.ts"
import { Accounts } from "../../services/Accounts.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { pass } from "../VirtualClock.ts"

/**
 * A secret is stored as a digest and never listed; expiry and revocation take effect at once. An implementer tells
 * names apart letter by letter, and keeps tokens for ever.
 */
export const suite = Contract.suite<Accounts>("Accounts", (it) => {
  it("a secret authenticates its own token, and nothing else does", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { secret, token } = yield* accounts.issue("alice", "alerts", Option.none())
      const text = Redacted.value(secret)
      expect(text).toMatch(/^sbx_hook_/)
      const identity = yield* Effect.flatten(accounts.authenticate(text))
      expect(identity).toEqual({ account: identity.account, token: token.id, scope: "alerts" })
      const typo = text.slice(0, -1) + (text.endsWith("0") ? "1" : "0")
      for (const errors of ["", "x", typo, `${text} `, text.toUpperCase()]) {
        expect(yield* accounts.authenticate(errors)).toEqual(Option.none())
      }
    }))

  it("tokens with the same account name share an account; other names have other accounts", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const bearer = (account: string) =>
        Effect.flatMap(accounts.issue(account, "full", Option.none()), ({ secret }) =>
          Effect.flatten(accounts.authenticate(Redacted.value(secret)))
        )
      const [first, second, other] = yield* Effect.all([bearer("alice"), bearer("alice"), bearer("bob")])
      expect(second.account).toBe(first.account)
      expect(second.token).not.toBe(first.token)
      expect(other.account).not.toBe(first.account)
    }))

  it("an account name that is no handle is refused, and nothing is stored", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      for (const errors of ["", " a", "a b", "x".repeat(65), "é"]) {
        const error = yield* Effect.flip(accounts.issue(errors, "full", Option.none()))
        expect(error._tag).toBe("AccountNameRefused")
      }
      expect(yield* accounts.tokens).toEqual([])
    }))

  it("a token expires to the second, also when it was looked up before", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { secret } = yield* accounts.issue("alice", "full", Option.some(60))
      yield* pass("59999 millis")
      expect(Option.isSome(yield* accounts.authenticate(Redacted.value(secret)))).toBe(true)
      yield* pass("1 millis")
      expect(yield* accounts.authenticate(Redacted.value(secret))).toEqual(Option.none())
    }))

  it("a revoked token is refused at once, and stays in the list", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { secret, token } = yield* accounts.issue("alice", "full", Option.none())
      const other = yield* accounts.issue("alice", "full", Option.none())
      yield* accounts.authenticate(Redacted.value(secret))
      yield* pass("5 seconds")
      yield* accounts.revoke(token.id)
      yield* pass("5 seconds")
      yield* accounts.revoke(token.id)
      expect(yield* accounts.authenticate(Redacted.value(secret))).toEqual(Option.none())
      expect(Option.isSome(yield* accounts.authenticate(Redacted.value(other.secret)))).toBe(true)
      const [revoked, valid] = yield* accounts.tokens
      expect(revoked?.revokedAt).toEqual(Option.some(5))
      expect(valid?.revokedAt).toEqual(Option.none())
      expect(Exit.isFailure(yield* Effect.exit(accounts.revoke(99)))).toBe(true)
    }))

  it("a token's validity by its id ends with the second of its expiry, or when it is revoked", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { token } = yield* accounts.issue("alice", "full", Option.some(60))
      const { token: made } = yield* accounts.issue("alice", "alerts", Option.none(), token.id)
      expect(yield* accounts.valid(token.id)).toEqual(Option.some(token))
      expect(yield* accounts.valid(made.id)).toEqual(Option.some(made))
      expect([token.madeBy, made.madeBy]).toEqual([Option.none(), Option.some(token.id)])
      yield* pass("59999 millis")
      expect(yield* accounts.valid(token.id)).toEqual(Option.some(token))
      yield* pass("1 millis")
      expect(yield* accounts.valid(token.id)).toEqual(Option.none())
      // Revoking a token does not revoke the tokens that it made.
      expect(yield* accounts.valid(made.id)).toEqual(Option.some(made))
      yield* accounts.revoke(made.id)
      expect(yield* accounts.valid(made.id)).toEqual(Option.none())
      expect(yield* accounts.valid(TokenId.make(99))).toEqual(Option.none())
    }))

  it("tokens are listed sorted by creation, without secrets, with their last use to the minute", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      yield* pass("10 seconds")
      const { secret } = yield* accounts.issue("alice", "full", Option.some(1_000))
      yield* accounts.issue("bob", "alerts", Option.none())
      yield* pass("75 seconds")
      yield* accounts.authenticate(Redacted.value(secret))
      yield* pass("3 seconds")
      const tokens = yield* accounts.tokens
      expect(tokens.map((token) => [token.account, token.scope, token.createdAt])).toEqual([
        ["alice", "full", 10],
        ["bob", "alerts", 10]
      ])
      expect(tokens.map((token) => token.lastUsedAt)).toEqual([Option.some(60), Option.none()])
      expect(tokens[0]?.expiresAt).toEqual(Option.some(1_000))
      expect(JSON.stringify(tokens)).not.toContain(Redacted.value(secret))
    }))
})
