// The digest of keys and bodies where the runtime has no synchronous hash of its own.
import { expect, test } from "bun:test"
import * as fc from "effect/FastCheck"
import { sha256 } from "../../src/domain/internal/Sha256.ts"

const hex = (text: string) => Buffer.from(sha256(text)).toString("hex")

test("the digest of the standard's own example is the standard's", () =>
  expect(hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))

test("texts of every length around a block's end have the runtime's digest", () => {
  for (let length = 0; length < 200; length++) {
    const text = "x".repeat(length)
    expect(hex(text)).toBe(new Bun.CryptoHasher("sha256").update(text).digest("hex"))
  }
})

test("any text has the runtime's digest", () =>
  fc.assert(
    fc.property(fc.fullUnicodeString({ maxLength: 300 }), (text) => {
      expect(hex(text)).toBe(new Bun.CryptoHasher("sha256").update(text).digest("hex"))
    })
  ))
