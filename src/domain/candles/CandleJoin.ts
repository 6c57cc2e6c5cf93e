// Joins candles from several sources into one series sorted by time. Sources that overlap in time are an error that
// names both.
import * as Either from "effect/Either"
import type { Columns } from "./CandleFile.ts"
import { columned } from "./CandleRowReader.ts"

/** Candles of one source; the name is for errors. */
export interface Part {
  readonly name: string
  readonly columns: Columns
}

/** Two sources whose times overlap. */
export interface Overlap {
  readonly first: string
  readonly second: string
}

/** Joins all sources into one series, whatever their sequence; empty ones are ignored. */
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
  const all = { ...columned(length), length }
  let place = 0
  for (const { columns } of parts) {
    all.at.set(columns.at, place)
    all.open.set(columns.open, place)
    all.high.set(columns.high, place)
    all.low.set(columns.low, place)
    all.close.set(columns.close, place)
    if (columns.volume === undefined) all.volume.fill(Number.NaN, place, place + columns.length)
    else all.volume.set(columns.volume, place)
    place += columns.length
  }
  return all
}
