/**
 * The highest price and the largest amount of money or coins that is taken at any door. What was stored before there was
 * a bound stays as it is.
 */
export const MAX_AMOUNT = 1e12

/** What a price must be, in words. */
export const PRICE_WORDS = "a price above 0 and at most 1e12"
/** What an amount must be, in words. */
export const AMOUNT_WORDS = "an amount of 0 or more, at most 1e12"

/** Above 0 and at most `MAX_AMOUNT`. */
export const isPrice = (value: number): boolean => value > 0 && value <= MAX_AMOUNT

/** From 0 to `MAX_AMOUNT`. */
export const isAmount = (value: number): boolean => value >= 0 && value <= MAX_AMOUNT
