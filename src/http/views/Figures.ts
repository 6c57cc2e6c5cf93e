// Figures as the contract shows them: money, percentages, prices and times, rounded.
import * as Decimal from "../../domain/Decimal.ts"

/** Decimal places of money and of percentages. */
const MONEY_PLACES = 8
const PERCENT_PLACES = 4

/** Rounds money. */
export const money = (value: Decimal.Decimal): number => Decimal.toNumber(Decimal.round(value, MONEY_PLACES))

/** Rounds money that was computed in doubles. */
export const moneyOf = (value: number): number => rounded(value, MONEY_PLACES)

export const percent = (value: number): number => rounded(value, PERCENT_PLACES)

/** Adding zero turns -0 into 0. */
const rounded = (value: number, places: number): number => Number(value.toFixed(places)) + 0

/** A computed price or quantity, without the rounding noise of doubles. */
export const figure = (value: number): number => Number(value.toPrecision(12))

/** A time (ms) in whole seconds. */
export const seconds = (at: number): number => Math.floor(at / 1000)

/** A deadline (ms) in whole seconds, rounded up so that it is not early. */
export const later = (at: number | undefined): number | null =>
  at === undefined ? null : Math.ceil(at / 1000)
