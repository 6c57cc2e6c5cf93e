import * as Decimal from "../../domain/Decimal.ts"

/** Places of money and of percentages, as the interface shows them. */
const MONEY_PLACES = 8
const PERCENT_PLACES = 4

/** Money as it is shown. */
export const money = (value: Decimal.Decimal): number => Decimal.toNumber(Decimal.round(value, MONEY_PLACES))

/** The same of what was worked out in doubles. */
export const moneyOf = (value: number): number => rounded(value, MONEY_PLACES)

export const percent = (value: number): number => rounded(value, PERCENT_PLACES)

/** Adding zero leaves no negative one. */
const rounded = (value: number, places: number): number => Number(value.toFixed(places)) + 0

/** A price or a quantity that was worked out, without the digits that only doubles have. */
export const figure = (value: number): number => Number(value.toPrecision(12))

/** A time (ms) on the wire. */
export const seconds = (at: number): number => Math.floor(at / 1000)

/** The same of a time before which nothing happens: not too early. */
export const later = (at: number | undefined): number | null =>
  at === undefined ? null : Math.ceil(at / 1000)
