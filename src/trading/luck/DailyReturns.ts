// The daily returns of a back-test, marked to the market at the last candle of each UTC day.

import type { Columns } from "../../domain/candles/CandleFile.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Series } from "../backtest/Tracks.ts"
import { type Ended, eachEquity } from "../equity/MarkedRun.ts"
import { dayOf } from "../Performance.ts"

/** The last candle of each day of every series, and the days of all of them: from `first`, `count` days. */
export interface Days {
  readonly series: ReadonlyArray<Series>
  readonly first: number
  readonly count: number
}

/** Cuts candles down to days. All trials of a sweep share it. */
export const daysOf = (series: ReadonlyArray<Series>): Days => {
  const filled = series.filter(({ columns }) => columns.length > 0)
  const first = Math.min(...filled.map(({ columns }) => dayOf(columns.at[0] ?? 0)))
  const last = Math.max(...filled.map(({ columns }) => dayOf(columns.at[columns.length - 1] ?? 0)))
  return {
    series: series.map((one) => ({ ...one, columns: lastOfDays(one.columns) })),
    first,
    count: filled.length === 0 ? 0 : last - first + 1
  }
}

const lastOfDays = ({ at, close, high, length, low, open }: Columns): Columns => {
  const places: Array<number> = []
  for (let place = 0; place < length; place++) {
    const isLast = place + 1 === length || dayOf(at[place + 1] ?? 0) > dayOf(at[place] ?? 0)
    if (isLast) places.push(place)
  }
  const of = (column: Float64Array) => Float64Array.from(places, (place) => column[place] ?? 0)
  return { at: of(at), open: of(open), high: of(high), low: of(low), close: of(close), length: places.length }
}

/**
 * The return of each day: equity at its end over equity at the end of the day before, minus 1. The first day counts
 * from the starting balance; a day without candles returns 0, and so does every day after all is lost.
 */
export const dailyReturns = (ended: Omit<Ended, "series">, { count, first, series }: Days): Float64Array => {
  const returns = new Float64Array(count)
  let [day, before] = [first, Decimal.toNumber(ended.result.tally.starting)]
  let equity = before
  eachEquity({ ...ended, series }, (at, marked) => {
    const today = dayOf(at)
    if (today > day) [day, before] = [today, equity]
    equity = marked
    if (before > 0) returns[today - first] = equity / before - 1
  })
  return returns
}
