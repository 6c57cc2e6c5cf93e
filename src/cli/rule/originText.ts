// Why a rule raised an alert, in a line: its entry, the candle, and the values that decided.
import type { RuleOrigin } from "../../domain/alert/RuleOrigin.ts"

/** Digits of a value: more say nothing to a reader. */
const DIGITS = 8

/** The line, such as `raised by on[0], version 1 of the rule, as the 1h candle of BTC/USDT on binance closed at 60120: rsi(close, 14) = 28.5`. */
export const originText = ({ by, close, exchange, pair, timeframe, values, version }: RuleOrigin): string => {
  const market = `${pair} on ${exchange}`
  const when =
    close === null
      ? `at its time, for ${market}`
      : `as the ${timeframe} candle of ${market} closed at ${close}`
  const decided = values.map(
    ({ text, value }) => `${text} = ${value === null ? "none" : Number(value.toPrecision(DIGITS))}`
  )
  const why = decided.length === 0 ? "" : `: ${decided.join(", ")}`
  return `raised by ${by}, version ${version} of the rule, ${when}${why}`
}
