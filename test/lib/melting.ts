// What no sound bot has, to see what becomes of one that comes to no end.
import * as BigDecimal from "effect/BigDecimal"
import type * as Decimal from "../../src/domain/Decimal.ts"

/** An amount that is a ten thousandth smaller at each look: a balance stop loss fires on every baseline that it sets. */
export const melting = (): Decimal.Decimal => {
  let value = 10n ** 40n
  return Object.defineProperty(BigDecimal.make(value, 18), "value", {
    get: () => {
      value -= value / 10_000n
      return value
    }
  })
}
