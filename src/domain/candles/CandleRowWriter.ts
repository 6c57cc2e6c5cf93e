// Writes one candle as a line of a candle file, in plain digits without exponents.
import type { Candle } from "../Candle.ts"
import * as Decimal from "../Decimal.ts"

/** A candle whose volume is the exact sum of its trades. */
export interface ExactCandle extends Omit<Candle, "volume"> {
  readonly volume: Decimal.Decimal
}

/** The line of a candle without its line end: `timestamp,open,high,low,close,volume`. */
export const textOf = ({ at, close, high, low, open, volume }: ExactCandle): string =>
  `${at},${price(open)},${price(high)},${price(low)},${price(close)},${Decimal.toText(volume)}`

/** The shortest text of a price, without an exponent, which other programs may not read. */
const price = (value: number): string => {
  const text = String(value)
  return text.includes("e") ? Decimal.toText(Decimal.fromNumber(value)) : text
}
