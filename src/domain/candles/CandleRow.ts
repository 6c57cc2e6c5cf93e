import type { Candle } from "../Candle.ts"
import * as Decimal from "../Decimal.ts"

/** A candle whose volume is the exact sum of its trades. */
export interface ExactCandle extends Omit<Candle, "volume"> {
  readonly volume: Decimal.Decimal
}

/** The line of a candle file, without its end: `timestamp,open,high,low,close,volume` in plain digits. */
export const textOf = ({ at, close, high, low, open, volume }: ExactCandle): string =>
  `${at},${price(open)},${price(high)},${price(low)},${price(close)},${Decimal.toText(volume)}`

/** The shortest text of a price; without an exponent, which readers of other programs may not know. */
const price = (value: number): string => {
  const text = String(value)
  return text.includes("e") ? Decimal.toText(Decimal.fromNumber(value)) : text
}
