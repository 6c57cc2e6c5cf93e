// Today's loss as text.
import * as Format from "../../parts/format.ts"

/** A loss (negative for a gain) and the daily limit. */
export const lossText = (lost: number | null, most: number, currency: string): string => {
  const limit = `limit ${Format.money(most, currency)}`
  if (lost === null) return `unknown without prices; daily ${limit}`
  if (lost > 0) return `${Format.money(lost, currency)} of ${Format.money(most, currency)}`
  return lost === 0
    ? `nothing; daily ${limit}`
    : `nothing, up by ${Format.money(-lost, currency)}; daily ${limit}`
}
