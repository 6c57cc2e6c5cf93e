import * as Either from "effect/Either"
import type { Columns } from "./CandleFile.ts"

/** Candles that came from somewhere, which is named where they do not fit. */
export interface Part {
  readonly name: string
  readonly columns: Columns
}

/** Two parts that have candles of the same time, or of times between each other's. */
export interface Overlap {
  readonly first: string
  readonly second: string
}

/** All parts as one, in order of time, whatever order they are given in; empty ones do not matter. */
export const join = (parts: ReadonlyArray<Part>): Either.Either<Columns, Overlap> => {
  const sorted = parts
    .filter(({ columns }) => columns.length > 0)
    .sort((left, right) => beginning(left) - beginning(right))
  const clash = sorted.findIndex((part, index) => {
    const before = sorted[index - 1]
    return before !== undefined && beginning(part) <= (before.columns.at.at(-1) ?? 0)
  })
  const [first, second] = [sorted[clash - 1], sorted[clash]]
  if (first !== undefined && second !== undefined)
    return Either.left({ first: first.name, second: second.name })
  const [only] = sorted
  return Either.right(sorted.length === 1 && only !== undefined ? only.columns : concatenated(sorted))
}

const beginning = ({ columns }: Part): number => columns.at[0] ?? 0

const concatenated = (parts: ReadonlyArray<Part>): Columns => {
  const length = parts.reduce((sum, { columns }) => sum + columns.length, 0)
  const all = {
    at: new Float64Array(length),
    open: new Float64Array(length),
    high: new Float64Array(length),
    low: new Float64Array(length),
    close: new Float64Array(length),
    length
  }
  let place = 0
  for (const { columns } of parts) {
    all.at.set(columns.at, place)
    all.open.set(columns.open, place)
    all.high.set(columns.high, place)
    all.low.set(columns.low, place)
    all.close.set(columns.close, place)
    place += columns.length
  }
  return all
}

/** The candles that begin at or after `from` and before `until` (ms). */
export const between = (columns: Columns, from: number, until: number): Columns => {
  const [first, end] = [countBefore(columns, from), countBefore(columns, until)]
  return {
    at: columns.at.subarray(first, end),
    open: columns.open.subarray(first, end),
    high: columns.high.subarray(first, end),
    low: columns.low.subarray(first, end),
    close: columns.close.subarray(first, end),
    length: Math.max(end - first, 0)
  }
}

/** How many candles begin before a time: they stand in order of time. */
const countBefore = ({ at, length }: Columns, time: number): number => {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((at[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}
