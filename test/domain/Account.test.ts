import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { isSecret, makeSecret, type Scope, SECRET_BYTES } from "../../src/domain/Account.ts"

const bytes = FastCheck.uint8Array({ minLength: SECRET_BYTES, maxLength: SECRET_BYTES })
const scopes = FastCheck.constantFrom<Scope>("full", "alerts")

test("a token shows its kind, is long enough and passes its own check", () =>
  FastCheck.assert(
    FastCheck.property(bytes, scopes, (random, scope) => {
      const secret = Option.getOrUndefined(makeSecret(scope, random))
      if (secret === undefined) return
      expect(secret).toMatch(scope === "full" ? /^sbx_api_[0-9A-Za-z]{42}$/ : /^sbx_hook_[0-9A-Za-z]{42}$/)
      expect(isSecret(secret)).toBe(true)
    })
  ))

test("a token with any single wrong character is refused", () =>
  FastCheck.assert(
    FastCheck.property(
      bytes,
      FastCheck.nat(49),
      FastCheck.constantFrom(..."0Az9"),
      (random, place, letter) => {
        const secret = Option.getOrElse(makeSecret("full", random), () => "")
        const typo = secret.slice(0, place) + letter + secret.slice(place + 1)
        expect(isSecret(typo)).toBe(typo === secret && secret !== "")
      }
    )
  ))

test.each(["", "sbx_api_", "Bearer x", `sbx_api_${"a".repeat(42)}`, `sbx_root_${"a".repeat(42)}`])(
  "%s is no token",
  (text) => expect(isSecret(text)).toBe(false)
)
