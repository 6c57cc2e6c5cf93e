// The contract of `SignInCodes`: a code of 100 bits counts once, for ten minutes.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { MAX_CODES } from "../../domain/internal/SignInCode.ts"
import type { Accounts } from "../../services/Accounts.ts"
import { SignInCodes } from "../../services/records/SignInCodes.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { pass } from "../VirtualClock.ts"
import { sender } from "./people.ts"

const issued = Effect.flatMap(SignInCodes, ({ issue }) =>
  Effect.map(issue(Option.none()), ({ code }) => Redacted.value(code))
)
const counts = (code: string) =>
  Effect.flatMap(SignInCodes, ({ redeem }) => Effect.map(redeem(code), Option.isSome))

/** An implementer stores only the code's digest, and deletes it in the statement that returns it. */
export const suite = Contract.suite<SignInCodes | Accounts>("SignInCodes", (it) => {
  it("a code returns what it was issued for, once", () =>
    Effect.gen(function* () {
      const codes = yield* SignInCodes
      const { token } = yield* sender("ann")
      const { code, expiresAt } = yield* codes.issue(Option.some(token))
      const first = yield* issued
      expect(expiresAt).toBe(600)
      expect(yield* codes.redeem(Redacted.value(code))).toEqual(Option.some({ token: Option.some(token) }))
      expect(yield* codes.redeem(Redacted.value(code))).toEqual(Option.none())
      expect(yield* codes.redeem(first)).toEqual(Option.some({ token: Option.none() }))
    }))

  it("a code is 100 bits without look-alikes, and may be typed with blanks and in small letters", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* issued, yield* issued]
      expect(one).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){3}$/)
      expect(other).not.toBe(one)
      expect(yield* counts(` ${one.toLowerCase().replaceAll("-", " ").replaceAll("0", "o")} `)).toBe(true)
      for (const wrong of ["", "x", other.slice(1), `${other}0`, other.replaceAll("-", "_"), "0".repeat(20)])
        expect(yield* counts(wrong)).toBe(false)
      expect(yield* counts(other)).toBe(true)
    }))

  it("many concurrent uses of a code get it once", () =>
    Effect.gen(function* () {
      const code = yield* issued
      const all = Array.from({ length: 8 }, () => counts(code))
      const got = yield* Effect.all(all, { concurrency: "unbounded" })
      expect(got.filter((it) => it).length).toBe(1)
    }))

  it("a code ends after ten minutes, to the second", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* issued, yield* issued]
      yield* pass("599 seconds")
      expect(yield* counts(one)).toBe(true)
      yield* pass("1 second")
      expect(yield* counts(other)).toBe(false)
    }))

  it("the codes that wait are limited: one more drops the oldest", () =>
    Effect.gen(function* () {
      const all = yield* Effect.forEach(Array.from({ length: MAX_CODES + 2 }), () => issued)
      const got = yield* Effect.forEach(all, counts)
      expect(got).toEqual(all.map((_, index) => index >= 2))
    }))
})
