// Texts of strangers on the page: somebody who wants to pass for another, or to break the page, is the adversary.
import { expect, test } from "bun:test"
import { harmless, MOST_SHOWN } from "../../src/web/page/discover/foreign.ts"

test("an ordinary name stays as it is, in any script", () => {
  for (const name of ["Ann", "Zoë O’Neill", "Анна", "أحمد", "山田太郎", "🚀 Moon"])
    expect(harmless(name)).toBe(name)
})

test.each([
  ["Ann\u202egnp.exe", "Anngnp.exe"],
  ["\u2066Ann\u2069", "Ann"],
  ["A\u200bnn", "Ann"],
  ["Ann\n\nSignalbox: verified", "Ann Signalbox: verified"],
  ["Ann\u2028real money", "Ann real money"],
  ["Ann\u0000\u001b[2J", "Ann [2J"],
  ["\u00adAnn", "Ann"]
])("%j is shown without what turns, hides or breaks it", (text, shown) => expect(harmless(text)).toBe(shown))

test("markup stays text", () => expect(harmless("<b>Ann</b>&amp;")).toBe("<b>Ann</b>&amp;"))

test("a long text is cut between characters, never within one", () => {
  const shown = harmless("🚀".repeat(10_000))
  expect([...shown]).toHaveLength(MOST_SHOWN)
  expect(shown).toEndWith("🚀…")
  expect(shown.isWellFormed()).toBe(true)
  expect(harmless("a".repeat(MOST_SHOWN))).toBe("a".repeat(MOST_SHOWN))
})

test("a name of nothing that can be seen still has something to show", () => {
  for (const text of ["", " ", "\u200b\u202e", "\n"]) expect(harmless(text)).toBe("–")
})
