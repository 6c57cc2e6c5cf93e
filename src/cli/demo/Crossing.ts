// Finds where two moving averages cross. A crossing is dated after its candle has closed, so that the demo never
// looks ahead.
import type { Columns } from "../../domain/candles/CandleFile.ts"

/** A crossing of the fast average over the slow one: upwards or downwards. */
export interface Crossing {
  /** The row of the next candle: the crossing is known only when its own candle has closed. */
  readonly row: number
  readonly direction: "up" | "down"
}

/** Crossings of two simple moving averages of closing prices, over `fast` and `slow` candles. */
export const crossings = (
  { close, length }: Columns,
  fast: number,
  slow: number
): ReadonlyArray<Crossing> => {
  const found: Array<Crossing> = []
  let fastSum = 0
  let slowSum = 0
  let side = 0
  for (let row = 0; row < length; row++) {
    fastSum += at(close, row) - at(close, row - fast)
    slowSum += at(close, row) - at(close, row - slow)
    if (row < slow - 1) continue
    const now = Math.sign(fastSum / fast - slowSum / slow)
    if (now !== 0 && side !== 0 && now !== side && row + 1 < length) {
      found.push({ row: row + 1, direction: now > 0 ? "up" : "down" })
    }
    if (now !== 0) side = now
  }
  return found
}

const at = (values: Float64Array, row: number): number => values[row] ?? 0
