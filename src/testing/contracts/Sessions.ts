// The contract of `Sessions`: a secret of 256 bits opens the session of one token, and ends with it at the latest.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { MAX_SESSIONS } from "../../domain/Session.ts"
import { Accounts } from "../../services/Accounts.ts"
import { Sessions } from "../../services/Sessions.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { pass } from "../VirtualClock.ts"
import { sender } from "./people.ts"

const signIn = (name: string) =>
  Effect.gen(function* () {
    const bearer = yield* sender(name)
    const { begin } = yield* Sessions
    const { secret, session } = yield* begin(bearer)
    return { bearer, session, secret: Redacted.value(secret) }
  })

const isOpen = (secret: string) =>
  Effect.flatMap(Sessions, ({ use }) => Effect.map(use(secret), Option.isSome))

/**
 * A session also ends by itself, or when the account has too many. An implementer stores only the secret's digest,
 * and counts idle time from the last use.
 */
export const suite = Contract.suite<Sessions | Accounts>("Sessions", (it) => {
  it("a secret of 256 bits opens the session of its token, and nothing else does", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { bearer, secret, session } = yield* signIn("ann")
      const other = yield* signIn("ann")
      expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(other.secret).not.toBe(secret)
      expect(session).toEqual({
        id: session.id,
        account: bearer.account,
        token: bearer.token,
        expiresAt: 2_592_000
      })
      expect(yield* sessions.use(secret)).toEqual(Option.some(session))
      expect(yield* sessions.get(session.id)).toEqual(Option.some(session))
      for (const errors of ["", "x", `${secret} `, secret.slice(1), "A".repeat(43)])
        expect(yield* isOpen(errors)).toBe(false)
    }))

  it("ending a session closes it, and no other", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const [first, second] = [yield* signIn("ann"), yield* signIn("ann")]
      yield* sessions.end(first.session.id)
      yield* sessions.end(first.session.id)
      expect(yield* isOpen(first.secret)).toBe(false)
      expect(yield* sessions.get(first.session.id)).toEqual(Option.none())
      expect(yield* isOpen(second.secret)).toBe(true)
    }))

  it("a session ends at once when its token is revoked", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const sessions = yield* Sessions
      const [first, second] = [yield* signIn("ann"), yield* signIn("ann")]
      expect(yield* isOpen(first.secret)).toBe(true)
      yield* accounts.revoke(first.bearer.token)
      expect(yield* isOpen(first.secret)).toBe(false)
      expect(yield* sessions.get(first.session.id)).toEqual(Option.none())
      expect(yield* isOpen(second.secret)).toBe(true)
    }))

  it("a session ends in the second in which its token expires", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const sessions = yield* Sessions
      const { secret } = yield* accounts.issue("ann", "full", Option.some(60))
      const bearer = yield* Effect.flatten(accounts.authenticate(Redacted.value(secret)))
      const session = yield* sessions.begin(bearer)
      expect(session.session.expiresAt).toBe(60)
      yield* pass("59999 millis")
      expect(yield* isOpen(Redacted.value(session.secret))).toBe(true)
      yield* pass("1 millis")
      expect(yield* isOpen(Redacted.value(session.secret))).toBe(false)
    }))

  it("a session ends after seven days without use, and reading it is no use", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { secret, session } = yield* signIn("ann")
      yield* pass("167 hours")
      yield* sessions.get(session.id)
      yield* pass("3599 seconds")
      expect(Option.isSome(yield* sessions.get(session.id))).toBe(true)
      yield* pass("1 second")
      expect(yield* isOpen(secret)).toBe(false)
      expect(Option.isNone(yield* sessions.get(session.id))).toBe(true)
    }))

  it("a session in use lasts thirty days at most", () =>
    Effect.gen(function* () {
      const { secret } = yield* signIn("ann")
      for (let day = 0; day < 5; day++) {
        yield* pass("143 hours")
        expect([day, yield* isOpen(secret)]).toEqual([day, true])
      }
      yield* pass("5 hours")
      expect(yield* isOpen(secret)).toBe(false)
    }))

  it("an account's sessions are limited: a new one ends its oldest, and no other account's", () =>
    Effect.gen(function* () {
      const other = yield* signIn("bob")
      const own = yield* Effect.forEach(Array.from({ length: MAX_SESSIONS + 2 }), () => signIn("ann"))
      const open = yield* Effect.forEach(own, ({ secret }) => isOpen(secret))
      expect(open).toEqual(own.map((_, index) => index >= 2))
      expect(yield* isOpen(other.secret)).toBe(true)
    }))
})
