// The adversary nests: its brackets are counted before a parser sees them, and those in texts are not.
import { expect, test } from "bun:test"
import { isDeeperThan } from "../../src/domain/internal/JsonDepth.ts"

const isDeep = (text: string, levels = 3) => isDeeperThan(levels, new TextEncoder().encode(text))

test("lists and objects count alike, and what has ended does not", () => {
  expect(isDeep(`[{"a":[1]},[[]],{"b":{"c":[]}}]`, 4)).toBe(false)
  expect(isDeep("[[[]]]")).toBe(false)
  expect(isDeep("[[[[]]]]")).toBe(true)
  expect(isDeep(`{"a":{"b":{"c":{}}}}`)).toBe(true)
  expect(isDeep("[[[],[],[]],[[]]]")).toBe(false)
  expect(isDeep("")).toBe(false)
})

test("brackets in texts do not count, also behind an escaped quote, a backslash or a letter of several bytes", () => {
  expect(isDeep(`["[[[[[["]`)).toBe(false)
  expect(isDeep(`["\\"[[[[[["]`)).toBe(false)
  expect(isDeep(`["é\u{1f600}[[[[[["]`)).toBe(false)
  // The backslash before the quote is itself escaped: the text has ended.
  expect(isDeep(`["\\\\",[[[]]]]`)).toBe(true)
  expect(isDeep(`["a\\`)).toBe(false)
})

test("31 MiB of brackets are told from their beginning, 31 MiB of texts in one pass", () => {
  const body = new Uint8Array(31 * 2 ** 20).fill(91)
  const begun = performance.now()
  expect(isDeeperThan(32, body)).toBe(true)
  expect(performance.now() - begun).toBeLessThan(50)
  expect(isDeeperThan(32, body.fill(34))).toBe(false)
})
