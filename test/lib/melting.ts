// An amount that no correct bot has, to test a bot whose decisions never end.
import * as BigDecimal from "effect/BigDecimal"
import type * as Decimal from "../../src/domain/Decimal.ts"

/**
 * An amount that shrinks by a ten-thousandth each time it is read: a balance stop loss fires on every baseline that
 * it sets.
 */
export const melting = (): Decimal.Decimal => {
  let value = 10n ** 40n
  return Object.defineProperty(BigDecimal.make(value, 18), "value", {
    get: () => {
      value -= value / 10_000n
      return value
    }
  })
}
