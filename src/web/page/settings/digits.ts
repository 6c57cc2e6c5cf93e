const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 15 })

/** A figure as the exchange has it, with every digit: `0.00000001`, `1,000,000`. */
export const digits = (value: number): string => format.format(value)
