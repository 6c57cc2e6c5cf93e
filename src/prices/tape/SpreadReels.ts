// The spreads under recording, by market: the mean of all quotes of each minute. Every quote counts alike, so that a busy
// moment, in which stops act, weighs more than a calm one.
import * as Arr from "effect/Array"
import * as Decimal from "../../domain/Decimal.ts"
import { MAX_PERCENT } from "../../domain/fills/FillWords.ts"
import type { MarketId } from "../../domain/Market.ts"
import { keyOf } from "../../trading/bot/Keys.ts"
import { MINUTE_MILLIS, minuteOf } from "../../trading/candles/CandleBuilder.ts"

/** The mean spread of a minute that begins at `at` (ms), in percent of the middle between bid and ask. */
export interface MinuteSpread {
  readonly at: number
  readonly percent: number
}

/** The line of a spread without its line end: `timestamp,percent`. */
export const lineOf = ({ at, percent }: MinuteSpread): string =>
  `${at},${Decimal.toText(Decimal.fromNumber(percent))}`

/** The digits that a spread keeps: a thousandth of a thousandth of a percent. */
const PLACES = 6
/** The most minutes of a market that wait for a slow disk; the oldest are dropped first. */
const MAX_WAITING = 60

/** The recording of one market: its minute under way, and those that are over. */
interface Reel {
  readonly market: MarketId
  minute: number
  sum: number
  count: number
  waiting: Array<MinuteSpread>
}

/** The spreads of all markets. Times in ms since the epoch, by our clock. */
export const make = () => {
  const reels = new Map<string, Reel>()
  const taken = (now: number) => {
    const pages = [...reels.values()].map((reel) => ({ market: reel.market, rows: takeDue(reel, now) }))
    for (const [key, { count, waiting }] of reels) if (count === 0 && waiting.length === 0) reels.delete(key)
    return pages.filter(({ rows }) => rows.length > 0)
  }
  return {
    /** Ignores a quote without two sound prices, or with a spread that is none. */
    quoted: (market: MarketId, bid: number, ask: number, now: number): void => {
      const percent = (200 * (ask - bid)) / (ask + bid)
      if (!(bid > 0 && percent >= 0 && percent <= MAX_PERCENT)) return
      const key = keyOf(market)
      const reel = reels.get(key) ?? { market, minute: 0, sum: 0, count: 0, waiting: [] }
      reels.set(key, reel)
      if (minuteOf(now) > reel.minute) settle(reel, minuteOf(now))
      reel.sum += percent
      reel.count++
    },
    /** The minutes that are over; a market without a quote since is forgotten. */
    take: taken
  }
}

/** Ends the minute under way, and begins another. */
const settle = (reel: Reel, minute: number): void => {
  if (reel.count > 0)
    reel.waiting.push({ at: reel.minute, percent: Number((reel.sum / reel.count).toFixed(PLACES)) })
  if (reel.waiting.length > MAX_WAITING) reel.waiting = reel.waiting.slice(-MAX_WAITING)
  Object.assign(reel, { minute, sum: 0, count: 0 })
}

const takeDue = (reel: Reel, now: number): ReadonlyArray<MinuteSpread> => {
  if (minuteOf(now) > reel.minute) settle(reel, minuteOf(now))
  const [later, due] = Arr.partition(reel.waiting, ({ at }) => at + MINUTE_MILLIS <= now)
  reel.waiting = later
  return due
}
