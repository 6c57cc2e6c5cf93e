// Finds the first candle that leaves a watch window, so that a back-test skips the candles that change nothing. A trail
// moves along, on a path that visits the adverse extreme first. Stopping too early costs time only; skipping a candle
// that matters would be wrong.
import type { Columns } from "../../domain/candles/CandleFile.ts"
import { TOLERANCE } from "../Prices.ts"
import { CLOSED, type Window } from "../Watch.ts"

/** The end of a scan: the first candle that leaves the window, or the length, and the trail's extreme before it. */
export interface Stop {
  readonly index: number
  readonly extreme: number
}

/** The first candle in [from, to) that leaves the window. The caller checks the window's time. */
export const scan = (columns: Columns, from: number, to: number, window: Window): Stop => {
  if (!isTrailing(window)) return { index: still(columns, from, to, window), extreme: Number.NaN }
  return window.trail.follows === "highest"
    ? trailHighest(columns, from, to, window)
    : trailLowest(columns, from, to, window)
}

/**
 * The first index from `from` on whose time is at or after `at`. For evenly spaced candles a guess finds it at once;
 * else it is usually near, so the search grows in strides.
 */
export const firstAt = (times: Float64Array, at: number, from: number): number => {
  if (at === Number.POSITIVE_INFINITY) return times.length
  const first = times[from] ?? at
  const guess = from + Math.max(0, Math.ceil((at - first) / ((times[from + 1] ?? at) - first)))
  if ((times[guess] ?? 0) >= at && (guess === from || (times[guess - 1] ?? at) < at)) return guess
  let low = from
  let stride = 1
  while (low + stride <= times.length && (times[low + stride - 1] ?? 0) < at) {
    low += stride
    stride *= 2
  }
  let high = Math.min(low + stride, times.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

/** One window inside both. Undefined if two slots hold something and one trails: then each candle is walked. */
export const merged = ([first = CLOSED, second]: ReadonlyArray<Window>): Window | undefined => {
  if (second === undefined) return first
  if (first.trail !== undefined || second.trail !== undefined) return undefined
  return {
    below: Math.max(first.below, second.below),
    above: Math.min(first.above, second.above),
    at: Math.min(first.at, second.at)
  }
}

const still = (columns: Columns, from: number, to: number, { above, below }: Window): number => {
  const { high, low } = columns
  // `?? 0` only satisfies the types: an index below `to` always exists, and a zero would stop the scan.
  for (let i = from; i < to; i++) if ((low[i] ?? 0) <= below || (high[i] ?? 0) >= above) return i
  return to
}

type Trailing = Window & { readonly trail: NonNullable<Window["trail"]> }
const isTrailing = (window: Window): window is Trailing => window.trail !== undefined

/** Path open, low, high, close: for the peak of a long and the high before a short entry. */
const trailHighest = (columns: Columns, from: number, to: number, window: Trailing): Stop => {
  const { close, high, low, open } = columns
  const { above, below, trail } = window
  const ratio = trail.ratio * (1 + TOLERANCE)
  const gate = (trail.gate ?? 0) * (1 - TOLERANCE)
  let extreme = trail.extreme
  for (let i = from; i < to; i++) {
    const first = open[i] ?? 0
    const least = low[i] ?? 0
    const most = high[i] ?? 0
    const before = Math.max(first, extreme)
    const after = Math.max(most, before)
    const level = before * ratio
    const later = after * ratio
    const turned = (least <= level && level >= gate) || ((close[i] ?? 0) <= later && later >= gate)
    if (turned || least <= below || most >= above) return { index: i, extreme }
    extreme = after
  }
  return { index: to, extreme }
}

/** Path open, high, low, close: for the trough of a short and the low before a long entry. */
const trailLowest = (columns: Columns, from: number, to: number, window: Trailing): Stop => {
  const { close, high, low, open } = columns
  const { above, below, trail } = window
  const ratio = trail.ratio * (1 - TOLERANCE)
  const gate = (trail.gate ?? Number.POSITIVE_INFINITY) * (1 + TOLERANCE)
  let extreme = trail.extreme
  for (let i = from; i < to; i++) {
    const first = open[i] ?? 0
    const least = low[i] ?? 0
    const most = high[i] ?? 0
    const before = Math.min(first, extreme)
    const after = Math.min(least, before)
    const level = before * ratio
    const later = after * ratio
    const turned = (most >= level && level <= gate) || ((close[i] ?? 0) >= later && later <= gate)
    if (turned || least <= below || most >= above) return { index: i, extreme }
    extreme = after
  }
  return { index: to, extreme }
}
