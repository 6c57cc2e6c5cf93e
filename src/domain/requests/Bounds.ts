// The bounds of prices and amounts at every entrance: at most 1e12. Values stored before the bound existed stay as they
// are.

/** The highest price, and the largest amount of money or coins. */
export const MAX_AMOUNT = 1e12

/** The violation text for a price. */
export const PRICE_WORDS = "a price above 0 and at most 1e12"
/** The violation text for an amount. */
export const AMOUNT_WORDS = "an amount of 0 or more, at most 1e12"

/** Whether a price is above 0 and at most `MAX_AMOUNT`. */
export const isPrice = (value: number): boolean => value > 0 && value <= MAX_AMOUNT

/** Whether an amount is from 0 to `MAX_AMOUNT`. */
export const isAmount = (value: number): boolean => value >= 0 && value <= MAX_AMOUNT
