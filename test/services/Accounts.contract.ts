import { describe, expect } from "bun:test"
import { Effect, Exit, Option, Redacted, TestClock } from "effect"
import { Accounts } from "../../src/services/Accounts.ts"
import { layer } from "../lib/effect.ts"
import type { Subject } from "./ports.ts"

export const contract = (name: string, subject: Subject) =>
  describe(`Accounts: ${name}`, () => {
    const it = layer(subject)

    it.effect("a secret opens its account, and nothing else does", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { secret, token } = yield* accounts.issue("alice", "alerts", Option.none())
        const text = Redacted.value(secret)
        expect(text).toMatch(/^sbx_hook_/)
        const identity = yield* Effect.flatten(accounts.authenticate(text))
        expect(identity).toEqual({ account: identity.account, token: token.id, scope: "alerts" })
        const typo = text.slice(0, -1) + (text.endsWith("0") ? "1" : "0")
        for (const wrong of ["", "x", typo, `${text} `, text.toUpperCase()]) {
          expect(yield* accounts.authenticate(wrong)).toEqual(Option.none())
        }
      })
    )

    it.effect("tokens of one name share an account; other names have others", () =>
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
      })
    )

    it.effect("names that are no handles are refused, and nothing is stored", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        for (const wrong of ["", " a", "a b", "x".repeat(65), "é"]) {
          const error = yield* Effect.flip(accounts.issue(wrong, "full", Option.none()))
          expect(error._tag).toBe("AccountNameRefused")
        }
        expect(yield* accounts.tokens).toEqual([])
      })
    )

    it.effect("expires to the second, known or not", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { secret } = yield* accounts.issue("alice", "full", Option.some(60))
        yield* TestClock.adjust("59999 millis")
        expect(Option.isSome(yield* accounts.authenticate(Redacted.value(secret)))).toBe(true)
        yield* TestClock.adjust("1 millis")
        expect(yield* accounts.authenticate(Redacted.value(secret))).toEqual(Option.none())
      })
    )

    it.effect("a revoked token is refused at once, and stays in the list", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { secret, token } = yield* accounts.issue("alice", "full", Option.none())
        const other = yield* accounts.issue("alice", "full", Option.none())
        yield* accounts.authenticate(Redacted.value(secret))
        yield* TestClock.adjust("5 seconds")
        yield* accounts.revoke(token.id)
        yield* TestClock.adjust("5 seconds")
        yield* accounts.revoke(token.id)
        expect(yield* accounts.authenticate(Redacted.value(secret))).toEqual(Option.none())
        expect(Option.isSome(yield* accounts.authenticate(Redacted.value(other.secret)))).toBe(true)
        const [revoked, valid] = yield* accounts.tokens
        expect(revoked?.revokedAt).toEqual(Option.some(5))
        expect(valid?.revokedAt).toEqual(Option.none())
        expect(Exit.isFailure(yield* Effect.exit(accounts.revoke(99)))).toBe(true)
      })
    )

    it.effect(
      "lists tokens in the order of their making, without secrets, with their last use to the minute",
      () =>
        Effect.gen(function* () {
          const accounts = yield* Accounts
          yield* TestClock.adjust("10 seconds")
          const { secret } = yield* accounts.issue("alice", "full", Option.some(1_000))
          yield* accounts.issue("bob", "alerts", Option.none())
          yield* TestClock.adjust("75 seconds")
          yield* accounts.authenticate(Redacted.value(secret))
          yield* TestClock.adjust("3 seconds")
          const tokens = yield* accounts.tokens
          expect(tokens.map((token) => [token.account, token.scope, token.createdAt])).toEqual([
            ["alice", "full", 10],
            ["bob", "alerts", 10]
          ])
          expect(tokens.map((token) => token.lastUsedAt)).toEqual([Option.some(60), Option.none()])
          expect(tokens[0]?.expiresAt).toEqual(Option.some(1_000))
          expect(JSON.stringify(tokens)).not.toContain(Redacted.value(secret))
        })
    )
  })
