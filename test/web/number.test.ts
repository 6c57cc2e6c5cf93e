// Numbers as readers of several languages write and type them. The adversary is a number that somebody reads as another.
import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { numberOf, numbersFor } from "../../src/web/page/parts/reader/number.ts"

const german = numbersFor(["de-DE"])
const french = numbersFor(["fr-FR"])
const indian = numbersFor(["en-IN"])
const arabic = numbersFor(["ar-EG"])
const english = numbersFor(["en-US"])
const READERS = { german, french, indian, arabic, english, swiss: numbersFor(["de-CH"]) }

describe("a number is written by the reader's rules", () => {
  test.each([
    ["german", "−1.234.567,50"],
    ["french", "−1 234 567,50"],
    ["indian", "−12,34,567.50"],
    ["arabic", "−١٬٢٣٤٬٥٦٧٫٥٠"],
    ["english", "−1,234,567.50"]
  ] as const)("for a %s reader", (reader, text) =>
    expect(READERS[reader].write(-1_234_567.5, { least: 2, most: 2 }).replace(/\s/g, " ")).toBe(text)
  )

  test("a text keeps all its places, which a number would lose", () => {
    expect(german.write("61240.123456789012345678")).toBe("61.240,123456789012345678")
    expect(german.write("0.000000000000000001")).toBe("0,000000000000000001")
    expect(arabic.write("0.10")).toBe("٠٫١٠")
    expect(english.write("-12345678901234567890.5")).toBe("−12,345,678,901,234,567,890.5")
  })

  test("a value that rounds to zero has no sign", () => {
    for (const { write } of Object.values(READERS))
      expect(write(-0.001, { least: 2, most: 2, plus: true })).toBe(write(0, { least: 2, most: 2 }))
    expect(english.write(0.004, { most: 2, plus: true })).toBe("0")
    expect(english.write(-0)).toBe("0")
  })

  test.each([
    [null, "–"],
    [undefined, "–"],
    [Number.NaN, "–"],
    [Number.POSITIVE_INFINITY, "–"],
    ["", "–"],
    ["007", "007"],
    ["<b>1</b>", "<b>1</b>"],
    ["1e3", "1e3"],
    ["--1", "--1"],
    ["٣", "٣"],
    ["9".repeat(10_000), "9".repeat(10_000)],
    [`0.${"1".repeat(101)}`, `0.${"1".repeat(101)}`]
  ])("%p, which is no decimal, is left as it is", (value, text) => expect(german.write(value)).toBe(text))

  test("languages that Intl refuses are passed over", () => {
    expect(numbersFor(["en-US@posix", "", "de"]).write(0.5)).toBe("0,5")
    expect(numbersFor(["en-US@posix"]).write(1234.5)).toBe("1,234.5")
    expect(numbersFor([]).write(1234.5)).toBe("1,234.5")
  })
})

describe("a typed number", () => {
  test.each([
    ["", undefined],
    [" 0,5 ", 0.5],
    ["62000.5", 62_000.5],
    ["17,838.40", 17_838.4],
    ["17.838,40", 17_838.4],
    ["1,000,000", 1_000_000],
    ["1.000.000", 1_000_000],
    ["12,34,567.5", 1_234_567.5],
    ["10 000", 10_000],
    ["1\u202f234,5", 1234.5],
    ["1’234.5", 1234.5],
    ["−0,5", -0.5],
    ["0,125", 0.125],
    ["1e-7", 1e-7],
    [".5", 0.5]
  ])("%p is %p", (text, value) => expect(numberOf(text)).toBe(value))

  test.each([
    "10,000",
    "1.2.3",
    "ten",
    "1,23,45",
    "1234,567,890",
    "1,234,567,89",
    "1.234,5.6",
    "10 00",
    "0,000,000",
    "0x10",
    "Infinity",
    "NaN",
    "1e",
    "1e9999",
    "5%",
    "1,,5",
    "--5",
    ".",
    "-",
    "1_000",
    "١"
  ])("%p is refused", (text) => expect(Number.isFinite(numberOf(text) ?? 0)).toBe(false))

  test("a dot that would group the reader's thousands is refused, unless the digits tell that it does not", () => {
    expect(german.read("10.000")).toBeNaN()
    expect(german.read("61.240")).toBeNaN()
    expect(german.hint("61.240")).toBe("; 61.240 could be 61240 or 61.24: write the one that you mean")
    // Fields are filled with the shortest text of a number, which ends with no zero.
    expect(german.read("61.125")).toBe(61.125)
    expect(german.read("0.500")).toBe(0.5)
    expect(english.read("10.000")).toBe(10)
  })

  test("an ambiguous comma gets a hint", () => {
    expect(english.hint("10,000")).toBe("; 10,000 could be 10000 or 10: write the one that you mean")
    expect(english.hint("0,5")).toBe("")
  })

  test("the reader's own digits are read", () => {
    expect(arabic.read("١٢٫٥")).toBe(12.5)
    expect(arabic.read("١٬٢٣٤٫٥")).toBe(1234.5)
  })
})

test("a written number is read as the same, or refused as ambiguous, for every reader", () => {
  const decimals = FastCheck.tuple(
    FastCheck.boolean(),
    FastCheck.bigInt({ min: 0n, max: 10n ** 15n }),
    FastCheck.integer({ min: 0, max: 12 })
  ).map(([isNegative, digits, places]) => {
    const text = String(digits).padStart(places + 1, "0")
    const whole = text.slice(0, text.length - places)
    return `${isNegative ? "-" : ""}${whole}${places === 0 ? "" : `.${text.slice(-places)}`}`
  })
  FastCheck.assert(
    FastCheck.property(decimals, FastCheck.constantFrom(...Object.values(READERS)), (decimal, reader) => {
      const read = reader.read(reader.write(decimal))
      const isSame = Math.abs(Number(read) - Number(decimal)) === 0
      return isSame || (Number.isNaN(read) && reader.hint(reader.write(decimal)) !== "")
    }),
    { numRuns: 3_000 }
  )
})

test("all digits of a decimal come back by the reader's own rules", () => {
  const places = FastCheck.stringMatching(/^(0|[1-9]\d{0,20})\.\d{18}$/)
  FastCheck.assert(
    FastCheck.property(
      places,
      FastCheck.constantFrom("de-DE", "fr-FR", "en-IN", "ar-EG"),
      (text, language) => {
        const reader = numbersFor([language])
        const digits = [..."0123456789"].map((digit) => reader.write(digit))
        const [whole = "", rest = ""] = reader.write(text).split(reader.point)
        const latin = (part: string) =>
          [...part]
            .map((sign) => digits.indexOf(sign))
            .filter((it) => it >= 0)
            .join("")
        return `${latin(whole)}.${latin(rest)}` === text
      }
    ),
    { numRuns: 1_000 }
  )
})
