import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as Decimal from "../../src/domain/Decimal.ts"

const digits = FastCheck.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
const decimals = FastCheck.tuple(digits, FastCheck.integer({ min: 0, max: 18 })).map(([value, scale]) => ({
  decimal: Decimal.divide(
    Decimal.unsafeFromText(value.toString()),
    Decimal.unsafeFromText((10n ** BigInt(scale)).toString())
  ),
  value,
  scale
}))
const text = (value: string) => Decimal.unsafeFromText(value)
const check = <A>(property: FastCheck.IProperty<A>) => FastCheck.assert(property, { numRuns: 300 })

describe("a decimal's text", () => {
  test.each([
    ["0", "0"],
    ["-0", "0"],
    ["0.10", "0.1"],
    ["100", "100"],
    ["1e3", "1000"],
    ["1.2e-8", "0.000000012"],
    ["-0.000000012", "-0.000000012"]
  ])("%s is written %s", (given, written) => expect(Decimal.toText(text(given))).toBe(written))

  test("is read back as the same decimal", () =>
    check(
      FastCheck.property(decimals, ({ decimal }) => Decimal.equals(text(Decimal.toText(decimal)), decimal))
    ))

  test("of a double is its shortest", () => {
    expect(Decimal.toText(Decimal.fromNumber(0.1))).toBe("0.1")
    expect(Decimal.toText(Decimal.fromNumber(1e-7))).toBe("0.0000001")
    expect(Decimal.toText(Decimal.fromNumber(1e21))).toBe("1000000000000000000000")
  })

  test("converts every finite double and back", () =>
    check(
      FastCheck.property(FastCheck.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
        Object.is(Decimal.toNumber(Decimal.fromNumber(value)) + 0, value + 0)
      )
    ))

  test("parses to the same double as Number", () => {
    // The second lies beyond halfway between two doubles by less than a double can tell.
    for (const written of ["24754.619933681659412470", "4503599627370497.500000000000000001"])
      expect(Decimal.toNumber(text(written))).toBe(Number(written))
    check(
      FastCheck.property(decimals, ({ decimal }) =>
        Object.is(Decimal.toNumber(decimal) + 0, Number(Decimal.toText(decimal)) + 0)
      )
    )
  })

  test("is refused if it is no number", () => {
    expect(Either.isLeft(Schema.decodeEither(Decimal.Text)("12,5"))).toBe(true)
    expect(Either.isLeft(Schema.decodeEither(Decimal.Text)("Infinity"))).toBe(true)
  })
})

test("units of 10^-18 convert exactly there and back", () =>
  check(
    FastCheck.property(decimals, ({ decimal }) => {
      const back = Decimal.fromUnits(Decimal.toUnits(decimal))
      return Decimal.equals(back, decimal) && back.scale === text(Decimal.toText(decimal)).scale
    })
  ))

test("sums and comparisons do not depend on trailing zeros", () =>
  check(
    FastCheck.property(decimals, decimals, (one, other) => {
      const [self, that] = [one.decimal, text(Decimal.toText(other.decimal))]
      const gap = Decimal.subtract(self, that)
      return (
        Decimal.equals(Decimal.add(gap, that), self) &&
        Decimal.lessThan(self, that) === Decimal.isNegative(gap) &&
        Decimal.greaterThan(self, that) === Decimal.isPositive(gap) &&
        Decimal.equals(self, that) === Decimal.isZero(gap) &&
        Decimal.equals(Decimal.max(self, that), Decimal.isNegative(gap) ? that : self)
      )
    })
  ))

describe("division", () => {
  test.each([
    ["1", "3", "0.333333333333333333"],
    ["2", "3", "0.666666666666666667"],
    ["-2", "3", "-0.666666666666666667"],
    ["1", "8", "0.125"],
    // The 19th place is a lone 5: the even neighbour is taken.
    ["0.0000000000000000005", "1", "0"],
    ["0.0000000000000000015", "1", "0.000000000000000002"],
    ["0.0000000000000000025", "1", "0.000000000000000002"],
    ["-0.0000000000000000015", "1", "-0.000000000000000002"]
  ])("%s over %s is %s", (self, that, quotient) =>
    expect(Decimal.toText(Decimal.divide(text(self), text(that)))).toBe(quotient)
  )

  test("is never off by more than half of the last place", () =>
    check(
      FastCheck.property(decimals, decimals, (self, that) => {
        if (that.value === 0n) return true
        const quotient = Decimal.divide(self.decimal, that.decimal)
        // |self - quotient x that| x 2 <= |that| x 10^-18, all in whole numbers of one small unit.
        const back = {
          value: quotient.value * that.decimal.value,
          scale: quotient.scale + that.decimal.scale
        }
        const places = Math.max(back.scale, self.decimal.scale, that.decimal.scale + 18)
        const up = (value: bigint, scale: number) => value * 10n ** BigInt(places - scale)
        const off = up(self.decimal.value, self.decimal.scale) - up(back.value, back.scale)
        const half = up(that.decimal.value, that.decimal.scale + 18)
        const size = (value: bigint) => (value < 0n ? -value : value)
        return 2n * size(off) <= size(half)
      })
    ))
})

describe("steps and shares", () => {
  test.each([
    ["1.23456", "0.001", "1.234"],
    ["5", "0.1", "5"],
    ["0.0009", "0.001", "0"],
    ["123", "50", "100"]
  ])("%s in steps of %s is %s", (amount, step, floored) =>
    expect(Decimal.toText(Decimal.floorToStep(text(amount), text(step)))).toBe(floored)
  )

  test("percentOf is exact", () =>
    expect(Decimal.toText(Decimal.percentOf(text("10000"), text("0.1")))).toBe("10"))
})
