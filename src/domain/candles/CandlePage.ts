// Reads a page of candles as an exchange sent it: rows of `[time, open, high, low, close, volume]`, in any order, some of
// them twice, unsound, or outside of the range. What is left is sound, sorted, and each time once.
import * as Option from "effect/Option"
import * as Decimal from "../Decimal.ts"
import { isPrice } from "../requests/Bounds.ts"
import type { ExactCandle } from "./CandleRowWriter.ts"

/** The range of a page: candles of `span` ms that begin from `from` on and before `until` (ms). */
export interface PageRange {
  readonly from: number
  readonly until: number
  readonly span: number
}

/**
 * The candles of a page. A row whose prices contradict each other is left out. Of two rows of one time the later in the
 * page is taken. Undefined if the answer is no list of rows, or if none of its rows can be read or fits the timeframe.
 */
export const candlesIn = (page: unknown, range: PageRange): ReadonlyArray<ExactCandle> | undefined => {
  if (!Array.isArray(page)) return undefined
  const found = new Map<number, ExactCandle>()
  let unsound = 0
  for (const row of page) {
    const candle = Array.isArray(row) ? candleOf(row) : undefined
    if (candle === undefined || candle.at % range.span !== 0) unsound++
    else if (candle.at >= range.from && candle.at < range.until) found.set(candle.at, candle)
  }
  if (unsound > 0 && unsound === page.length) return undefined
  return [...found.values()].sort((one, other) => one.at - other.at)
}

const candleOf = (row: ReadonlyArray<unknown>): ExactCandle | undefined => {
  const [time, ...prices] = row.slice(0, 5).map(numberOf)
  const [open = 0, high = 0, low = 0, close = 0] = prices
  const volume = volumeOf(row[5])
  const isSound =
    [open, high, low, close].every(isPrice) && low <= Math.min(open, close) && high >= Math.max(open, close)
  if (time === undefined || !Number.isSafeInteger(time) || !isSound || volume === undefined) return undefined
  return { at: time, open, high, low, close, volume }
}

/** A number, which may be a text. */
const numberOf = (value: unknown): number => {
  if (typeof value === "number") return value
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN
}

/** The exact volume; none is zero. */
const volumeOf = (value: unknown): Decimal.Decimal | undefined => {
  if (value === undefined || value === null) return Decimal.zero
  const text = typeof value === "number" ? plain(value) : typeof value === "string" ? value : ""
  const volume = Option.getOrUndefined(Decimal.fromText(text))
  return volume === undefined || Decimal.toNumber(volume) < 0 ? undefined : volume
}

const plain = (value: number): string =>
  Number.isFinite(value) ? Decimal.toText(Decimal.fromNumber(value)) : ""
