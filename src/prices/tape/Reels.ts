import * as Arr from "effect/Array"
import type { ExactCandle } from "../../domain/candles/CandleRow.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import * as CandleBuilder from "../../trading/candles/CandleBuilder.ts"

/** How long before a minute and after it its stream has to be whole: trades come late, and clocks differ. */
export const GRACE_MILLIS = 2_000
/** How long a minute is held back: until then a break of its stream that was noticed late can still undo it. */
export const HELD_MILLIS = 15_000
/** A stream that falls silent is noticed within this time: a break may have begun as long before it is told of. */
export const SILENCE_MILLIS = 10_000
/** A trade that is said to be further ahead of our clock than this was not made then. */
const AHEAD_MILLIS = 300_000
/** A process that was away for longer (a machine that slept, a clock that was set) has missed trades. */
const AWAY_MILLIS = 12_000
/** Minutes of a market that wait to be written, where that takes long; the oldest go first. */
const MAX_WAITING = 60

/** Candles of one market that are over and whole, oldest first. */
export interface Page {
  readonly market: MarketId
  readonly candles: ReadonlyArray<ExactCandle>
}

/** What is recorded of one market. `from` is the first minute (ms) that its stream is whole for. */
interface Reel {
  readonly market: MarketId
  builder: CandleBuilder.CandleBuilder | undefined
  from: number
  /** Minutes that began before are settled: what comes for them comes too late. */
  until: number
  waiting: Array<ExactCandle>
}

/** Minutes of all markets under way. Times are ms since the epoch: `now` by our clock, `at` by the exchange's. */
export const make = (began: number) => {
  let beat = began
  const reels = new Map<string, Reel>()
  /** Trades that came after their minute was settled, and those from a time that has not come. */
  const strays = { late: 0, ahead: 0 }

  const settle = (reel: Reel, now: number): void => {
    const ended = CandleBuilder.minuteOf(now - HELD_MILLIS)
    if (ended <= reel.until) return
    reel.until = ended
    if (reel.builder !== undefined) reel.waiting.push(...reel.builder.take(ended))
    if (reel.waiting.length > MAX_WAITING) reel.waiting = reel.waiting.slice(-MAX_WAITING)
  }

  const begin = (reel: Reel, now: number): void => {
    if (reel.builder !== undefined) return
    reel.builder = CandleBuilder.make()
    reel.from = CandleBuilder.minuteOf(now + GRACE_MILLIS - 1) + CandleBuilder.MINUTE_MILLIS
  }

  const cut = (reel: Reel, since: number): void => {
    if (reel.builder === undefined) return
    const candles = [...reel.waiting, ...reel.builder.take(since)]
    reel.waiting = candles.filter(({ at }) => at + CandleBuilder.MINUTE_MILLIS + GRACE_MILLIS <= since)
    reel.builder = undefined
  }

  /** Told every few seconds that the process is there: where it was away, every stream was broken meanwhile. */
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
    /** Trades of a market whose stream is not whole, and trades that make no sense, are passed over. */
    traded: (market: MarketId, price: number, amount: number, at: number, now: number): void => {
      const reel = reels.get(marketKey(market))
      if (reel?.builder === undefined || !isAmount(price) || !isAmount(amount) || !(at >= reel.from)) return
      settle(reel, now)
      if (at - now > AHEAD_MILLIS) strays.ahead++
      else if (at < reel.until) strays.late++
      else reel.builder.add(price, amount, at)
    },
    /** From now on every trade of these markets will come. */
    whole: (markets: Iterable<MarketId>, now: number): void => {
      for (const market of markets) {
        const reel = reels.get(marketKey(market)) ?? blank(market)
        reels.set(marketKey(market), reel)
        begin(reel, now)
      }
    },
    /** Trades may be missing since a time: the minutes from then on are no candles. */
    broken: (markets: Iterable<MarketId>, since: number): void => {
      for (const market of markets) {
        const reel = reels.get(marketKey(market))
        if (reel !== undefined) cut(reel, since)
      }
    },
    alive,
    /** What is to be written by now; a market that is neither whole nor waiting is forgotten. */
    take: (now: number): ReadonlyArray<Page> => {
      alive(now)
      const pages: Array<Page> = []
      for (const [key, reel] of reels) {
        settle(reel, now)
        const [later, due] = Arr.partition(reel.waiting, ({ at }) => isDue(at, now))
        if (due.length > 0) pages.push({ market: reel.market, candles: due })
        reel.waiting = later
        if (reel.builder === undefined && later.length === 0) reels.delete(key)
      }
      return pages
    },
    /** All that is surely whole by now, held back no longer: nothing will be told any more. */
    close: (now: number): ReadonlyArray<Page> => {
      for (const reel of reels.values()) cut(reel, now - SILENCE_MILLIS)
      const pages = [...reels.values()].map(({ market, waiting }) => ({ market, candles: waiting }))
      reels.clear()
      return pages.filter(({ candles }) => candles.length > 0)
    }
  }
}

const blank = (market: MarketId): Reel => ({
  market,
  builder: undefined,
  from: 0,
  until: 0,
  waiting: []
})

const isAmount = (value: number): boolean => value > 0 && value < Number.POSITIVE_INFINITY

const isDue = (at: number, now: number): boolean => at + CandleBuilder.MINUTE_MILLIS + HELD_MILLIS <= now
