// The timeframes of candles, which begin at multiples of their length in UTC.

/** The timeframes, by the name that charts give them. */
export const TIMEFRAMES = ["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "12h", "1d"] as const
/** A timeframe, such as `4h`. */
export type Timeframe = (typeof TIMEFRAMES)[number]

const MINUTES: Readonly<Record<Timeframe, number>> = {
  "1m": 1,
  "3m": 3,
  "5m": 5,
  "15m": 15,
  "30m": 30,
  "1h": 60,
  "2h": 120,
  "4h": 240,
  "6h": 360,
  "12h": 720,
  "1d": 1440
}

/** The length of a timeframe in ms. */
export const millisOf = (timeframe: Timeframe): number => MINUTES[timeframe] * 60_000

/** The timeframe of a name, if there is one. */
export const timeframeOf = (name: string): Timeframe | undefined => TIMEFRAMES.find((it) => it === name)
