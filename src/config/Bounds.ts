// Numeric bounds of settings, with the words that explain each bound to a user.
import { AMOUNT_WORDS, MAX_AMOUNT } from "../domain/requests/Bounds.ts"

/** A range of numbers, ends included; `words` describes it in an error. */
export interface Bounds {
  readonly least: number
  readonly most?: number
  readonly words: string
}

export const NOT_NEGATIVE: Bounds = { least: 0, words: "a number of 0 or more" }
export const AMOUNT: Bounds = { least: 0, most: MAX_AMOUNT, words: AMOUNT_WORDS }
export const PORT: Bounds = { least: 0, most: 65_535, words: "a number from 0 to 65535" }
export const COUNT: Bounds = { least: 1, words: "a number of 1 or more" }

export const isWithin = ({ least, most = Number.MAX_VALUE }: Bounds, value: number): boolean =>
  value >= least && value <= most
