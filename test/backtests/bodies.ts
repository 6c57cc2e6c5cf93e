// Bodies of requests that are hard on whoever decodes or runs them.
import { STRATEGY } from "../lib/strategy.ts"
import { MINUTE, wave } from "./prices.ts"

const encoder = new TextEncoder()
const LARGEST = 31 * 2 ** 20

/** A sound request that takes long: many candles, and an alert each ten minutes. */
export const slow = (candles = 400_000): Uint8Array<ArrayBuffer> =>
  encoder.encode(
    JSON.stringify({
      strategy: STRATEGY,
      candles: [{ pair: "BTC/USDT", csv: wave(0, candles) }],
      alerts: {
        text: Array.from({ length: candles / 10 }, (_, index) =>
          JSON.stringify({
            time: (1 + index * 10) * MINUTE,
            coin: "BTC",
            quote_currency: "USDT",
            type: index % 2 === 0 ? "buy" : "sell"
          })
        ).join("\n")
      },
      any_time: true
    })
  )

/** As large as a body may be, and nothing but beginnings of lists. */
export const nested = () => encoder.encode("[".repeat(LARGEST))

/** As large, not deep, and a hundred times as large once it is parsed. */
export const wide = () => encoder.encode(`[${"[],".repeat(Math.floor(LARGEST / 3) - 1)}1]`)
