// The minutes under recording, by market. A minute becomes a candle only if its stream was whole from 2 s before it to
// 2 s after it; it is held back 15 s, so that a break noticed late can still discard it.
import * as Arr from "effect/Array"
import type { ExactCandle } from "../../domain/candles/CandleRowWriter.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import * as CandleBuilder from "../../trading/candles/CandleBuilder.ts"

/** How long before and after a minute its stream must be whole: trades come late and clocks differ. */
export const GRACE_MILLIS = 2_000
/** How long a minute is held back, so that a break noticed late can still discard it. */
export const HELD_MILLIS = 15_000
/** How fast a silent stream is noticed: a break may have begun this long before its report. */
export const SILENCE_MILLIS = 10_000
/** A trade further ahead of our clock than this has a wrong time. */
const AHEAD_MILLIS = 300_000
/** A process that was suspended longer (a sleeping machine, a changed clock) has missed trades. */
const AWAY_MILLIS = 12_000
/** The most minutes of a market that wait for a slow disk; the oldest are dropped first. */
const MAX_WAITING = 60

/** Whole candles of one market, oldest first. */
export interface Page {
  readonly market: MarketId
  readonly candles: ReadonlyArray<ExactCandle>
}

/** The recording of one market. `from` is the first minute (ms) for which its stream is whole. */
interface Reel {
  readonly market: MarketId
  builder: CandleBuilder.CandleBuilder | undefined
  from: number
  /** Minutes that began earlier are settled; trades for them come too late. */
  until: number
  waiting: Array<ExactCandle>
}

/** A trade at the exchange. */
export interface Trade {
  readonly price: number
  readonly amount: number
  readonly at: number
}

/** The minutes of all markets. Times in ms since the epoch: `now` by our clock, `at` by the exchange's. */
export const make = (began: number) => {
  let beat = began
  const reels = new Map<string, Reel>()
  /** Counts trades that came after their minute was settled, and trades from the future. */
  const strays = { late: 0, ahead: 0 }

  /** Call every few seconds. After a gap, when the process was suspended, every stream counts as broken meanwhile. */
  const alive = (now: number): void => {
    const since = beat
    beat = now
    if (now - since <= AWAY_MILLIS) return
    for (const reel of reels.values()) {
      if (reel.builder === undefined) continue
      cut(reel, since)
      begin(reel, now)
    }
  }

  return {
    strays,
    /** Ignores trades of a market whose stream is not whole, and trades with unsound figures. */
    traded: (market: MarketId, trade: Trade, now: number): void => {
      const reel = reels.get(marketKey(market))
      const stray = reel === undefined ? undefined : record(reel, trade, now)
      if (stray !== undefined) strays[stray]++
    },
    /** From now on every trade of these markets arrives. */
    whole: (markets: Iterable<MarketId>, now: number): void => {
      for (const market of markets) {
        const reel = reels.get(marketKey(market)) ?? blank(market)
        reels.set(marketKey(market), reel)
        begin(reel, now)
      }
    },
    /** Trades may be missing since `since`; minutes from then on are discarded. */
    broken: (markets: Iterable<MarketId>, since: number): void => {
      for (const market of markets) {
        const reel = reels.get(marketKey(market))
        if (reel !== undefined) cut(reel, since)
      }
    },
    alive,
    /** The candles to write by now; a market that is neither whole nor waiting is forgotten. */
    take: (now: number): ReadonlyArray<Page> => {
      alive(now)
      const pages = [...reels.values()].map((reel) => takeDue(reel, now))
      for (const [key, { builder, waiting }] of reels)
        if (builder === undefined && waiting.length === 0) reels.delete(key)
      return pages.filter(isFilled)
    },
    /** Everything that is certainly whole by now, without holding back: the recording ends. */
    close: (now: number): ReadonlyArray<Page> => {
      for (const reel of reels.values()) cut(reel, now - SILENCE_MILLIS)
      const pages = [...reels.values()].map(({ market, waiting }) => ({ market, candles: waiting }))
      reels.clear()
      return pages.filter(isFilled)
    }
  }
}

/** Settles the minutes that were held back long enough: their trades are all here. */
const settle = (reel: Reel, now: number): void => {
  const ended = CandleBuilder.minuteOf(now - HELD_MILLIS)
  if (ended <= reel.until) return
  reel.until = ended
  if (reel.builder !== undefined) reel.waiting.push(...reel.builder.take(ended))
  if (reel.waiting.length > MAX_WAITING) reel.waiting = reel.waiting.slice(-MAX_WAITING)
}

/** Begins to record with the first minute that the stream will see from its beginning. */
const begin = (reel: Reel, now: number): void => {
  if (reel.builder !== undefined) return
  reel.builder = CandleBuilder.make()
  reel.from = CandleBuilder.minuteOf(now + GRACE_MILLIS - 1) + CandleBuilder.MINUTE_MILLIS
}

/** Ends the recording, and discards the minutes that a break since a time may have touched. */
const cut = (reel: Reel, since: number): void => {
  if (reel.builder === undefined) return
  const candles = [...reel.waiting, ...reel.builder.take(since)]
  reel.waiting = candles.filter(({ at }) => at + CandleBuilder.MINUTE_MILLIS + GRACE_MILLIS <= since)
  reel.builder = undefined
}

/** Adds a trade to its minute; returns why it could not, if that is worth counting. */
const record = (reel: Reel, { amount, at, price }: Trade, now: number): "late" | "ahead" | undefined => {
  if (reel.builder === undefined || !isAmount(price) || !isAmount(amount) || !(at >= reel.from))
    return undefined
  settle(reel, now)
  if (at - now > AHEAD_MILLIS) return "ahead"
  if (at < reel.until) return "late"
  reel.builder.add(price, amount, at)
  return undefined
}

/** Takes the candles that are due. */
const takeDue = (reel: Reel, now: number): Page => {
  settle(reel, now)
  const [later, due] = Arr.partition(reel.waiting, ({ at }) => isDue(at, now))
  reel.waiting = later
  return { market: reel.market, candles: due }
}

const isFilled = ({ candles }: Page): boolean => candles.length > 0

const blank = (market: MarketId): Reel => ({
  market,
  builder: undefined,
  from: 0,
  until: 0,
  waiting: []
})

const isAmount = (value: number): boolean => value > 0 && value < Number.POSITIVE_INFINITY

const isDue = (at: number, now: number): boolean => at + CandleBuilder.MINUTE_MILLIS + HELD_MILLIS <= now
