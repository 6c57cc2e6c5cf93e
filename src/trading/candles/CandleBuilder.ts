import * as BigDecimal from "effect/BigDecimal"
import type { ExactCandle } from "../../domain/candles/CandleRow.ts"
import * as Decimal from "../../domain/Decimal.ts"

/** A minute in ms. */
export const MINUTE_MILLIS = 60_000

/** The minute that a time lies in, by its beginning (both ms since the epoch). */
export const minuteOf = (at: number): number => at - (at % MINUTE_MILLIS)

/**
 * One-minute candles of one market under way. Trades may come in any order until their minute is taken: the first by
 * time opens it, the last closes it; of those at one time, the one that came first opens and the one that came last
 * closes. A minute without trades is no candle.
 */
export interface CandleBuilder {
  /** Price and amount are finite and above zero; `at` is the time of the trade (ms since the epoch). */
  readonly add: (price: number, amount: number, at: number) => void
  /** Takes out the minutes that ended at or before a time (ms), oldest first. */
  readonly take: (ended: number) => ReadonlyArray<ExactCandle>
}

/** A builder that has seen no trade yet. */
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
 * `units` are whole steps of 10^-8, which nearly all amounts are: their sum is exact for as long as it is a safe
 * integer. `rest` holds what came of others and what went over.
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
/** A double that a decimal of at most 15 digits names is named by no other as short. */
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
