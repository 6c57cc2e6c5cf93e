// The adversary: texts of every kind, since what Postgres reads otherwise than it was written would be another alert.
import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { shortened, texts } from "../../src/postgres/client/ArrayText.ts"

const character = FastCheck.oneof(
  FastCheck.constantFrom("\0", "\n", "\t", "\u001f", "\u007f", '"', "\\", "\u2028", "\ud800", "💶", "{", ","),
  FastCheck.string({ maxLength: 3 }),
  FastCheck.constantFrom("BTC", "usdt_perp", " ", ".", "-", "NULL")
)
const text = FastCheck.array(character).map((all) => all.join(""))

test("values without NULLs at their end keep those between", () => {
  expect(shortened([null, 1, null, 2, null, null])).toEqual([null, 1, null, 2])
  expect(shortened([null, null])).toEqual([])
  expect(shortened([])).toEqual([])
})

test("every text is quoted as Postgres reads it, with U+FFFD in place of NUL", () => {
  const plain = (value: string) => `"${value.replaceAll("\0", "\uFFFD").replaceAll(/["\\]/g, "\\$&")}"`
  FastCheck.assert(
    FastCheck.property(FastCheck.array(FastCheck.option(text)), (values) => {
      const expected = values.map((value) => (value === null ? "NULL" : plain(value)))
      expect(texts(values)).toBe(`{${expected.join(",")}}`)
    }),
    { numRuns: 1_000 }
  )
})
