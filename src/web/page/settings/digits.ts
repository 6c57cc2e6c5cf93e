// Writes a number with all its digits.

const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 15 })

/** A number as the exchange has it: `0.00000001`, `1,000,000`. */
export const digits = (value: number): string => format.format(value)
