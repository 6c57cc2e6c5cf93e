// Builds the one-minute candles of one market from its trades, with exact volume. A minute without trades has no
// candle.
import * as BigDecimal from "effect/BigDecimal"
import type { ExactCandle } from "../../domain/candles/CandleRowWriter.ts"
import * as Decimal from "../../domain/Decimal.ts"

/** A minute in ms. */
export const MINUTE_MILLIS = 60_000

/** The start of the minute that `at` lies in (both ms since the epoch). */
export const minuteOf = (at: number): number => at - (at % MINUTE_MILLIS)

/**
 * The candles under way. Trades may come in any sequence until their minute is taken: the earliest opens the candle,
 * the latest closes it. Of trades at one time the first received opens and the last received closes.
 */
export interface CandleBuilder {
  /** Adds a trade at `at` (ms since the epoch). Price and amount are finite and above zero. */
  readonly add: (price: number, amount: number, at: number) => void
  /** Removes and returns the minutes that ended at or before `ended` (ms), oldest first. */
  readonly take: (ended: number) => ReadonlyArray<ExactCandle>
}

/** A builder without trades. */
export const make = (): CandleBuilder => {
  const open = new Map<number, Minute>()
  return {
    add: (price, amount, at) => {
      const minute = open.get(minuteOf(at))
      if (minute === undefined) open.set(minuteOf(at), began(price, amount, at))
      else include(minute, price, amount, at)
    },
    take: (ended) => {
      const over = [...open.keys()].filter((at) => at + MINUTE_MILLIS <= ended).sort((a, b) => a - b)
      return over.flatMap((at) => {
        const minute = open.get(at)
        open.delete(at)
        return minute === undefined ? [] : [candleOf(at, minute)]
      })
    }
  }
}

/**
 * `units` counts steps of 10^-8, which fits nearly all amounts; the sum is exact as long as it is a safe integer.
 * `rest` holds the other amounts and earlier overflow.
 */
interface Minute {
  open: number
  high: number
  low: number
  close: number
  firstAt: number
  lastAt: number
  units: number
  rest: Decimal.Decimal
}

const began = (price: number, amount: number, at: number): Minute => {
  const minute: Minute = {
    open: price,
    high: price,
    low: price,
    close: price,
    firstAt: at,
    lastAt: at,
    units: 0,
    rest: Decimal.zero
  }
  addVolume(minute, amount)
  return minute
}

const include = (minute: Minute, price: number, amount: number, at: number): void => {
  if (at < minute.firstAt) {
    minute.open = price
    minute.firstAt = at
  }
  if (at >= minute.lastAt) {
    minute.close = price
    minute.lastAt = at
  }
  if (price > minute.high) minute.high = price
  if (price < minute.low) minute.low = price
  addVolume(minute, amount)
}

const PLACES = 8
const STEPS = 1e8
/** Up to 15 significant digits, no two decimals share a double. */
const MAX_UNITS = 1e15

const addVolume = (minute: Minute, amount: number): void => {
  const units = Math.round(amount * STEPS)
  if (units >= MAX_UNITS || units / STEPS !== amount) {
    minute.rest = Decimal.add(minute.rest, Decimal.fromNumber(amount))
    return
  }
  if (minute.units + units > Number.MAX_SAFE_INTEGER) {
    minute.rest = volumeOf(minute)
    minute.units = 0
  }
  minute.units += units
}

const volumeOf = ({ rest, units }: Minute): Decimal.Decimal =>
  Decimal.add(rest, BigDecimal.make(BigInt(units), PLACES))

const candleOf = (at: number, minute: Minute): ExactCandle => ({
  at,
  open: minute.open,
  high: minute.high,
  low: minute.low,
  close: minute.close,
  volume: volumeOf(minute)
})
