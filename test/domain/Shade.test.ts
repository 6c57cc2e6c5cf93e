import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { shadeOf } from "../../src/domain/internal/Shade.ts"

const number = FastCheck.double({ min: -1e9, max: 1e9, noNaN: true })
const numbers = FastCheck.array(number, { minLength: 1, maxLength: 50 })
const shading = FastCheck.record({
  isLess: FastCheck.boolean(),
  pivot: FastCheck.constantFrom<number | null>(null, 0, 1)
})

test("a better value never has a worse shade, and all shades are from -1 to 1", () =>
  FastCheck.assert(
    FastCheck.property(numbers, shading, (values, how) => {
      const shade = shadeOf(values, how)
      const shades = values.toSorted((left, right) => (how.isLess ? right - left : left - right)).map(shade)
      for (const [place, one] of shades.entries()) {
        expect(Math.abs(one)).toBeLessThanOrEqual(1 + 1e-12)
        expect(one).toBeGreaterThanOrEqual((shades[place - 1] ?? -2) - 1e-12)
      }
    })
  ))

test("a loss never has the shade of a gain, and a result of zero has none", () =>
  FastCheck.assert(
    FastCheck.property(numbers, (values) => {
      const shade = shadeOf(values, { isLess: false, pivot: 0 })
      // Plus 0: minus 0 has no sign of its own.
      for (const value of values) expect(Math.sign(shade(value)) + 0).toBe(Math.sign(value) + 0)
    })
  ))
