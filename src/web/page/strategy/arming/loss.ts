import * as Format from "../../parts/format.ts"

/** The loss of a day (negative for a gain) against what it may be. */
export const lossText = (lost: number | null, most: number, currency: string): string => {
  const limit = `may lose ${Format.money(most, currency)}`
  if (lost === null) return `not known without prices; a day ${limit}`
  if (lost > 0) return `${Format.money(lost, currency)} of ${Format.money(most, currency)}`
  return lost === 0
    ? `nothing; a day ${limit}`
    : `nothing, up by ${Format.money(-lost, currency)}; a day ${limit}`
}
