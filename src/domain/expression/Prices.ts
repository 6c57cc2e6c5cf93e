// The prices of a candle, as expressions name them.

/** The prices of a candle, with their words. */
export const PRICES = {
  open: "the open",
  high: "the high",
  low: "the low",
  close: "the close",
  volume: "the volume",
  hl2: "the middle of high and low",
  hlc3: "the average of high, low and close",
  ohlc4: "the average of open, high, low and close"
} as const
/** The name of a price, or volume. */
export type PriceName = keyof typeof PRICES

/** The price of a name. */
export const priceOf = (name: string): PriceName | undefined => PRICE_NAMES.find((it) => it === name)

const PRICE_NAMES = ["open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4"] as const
