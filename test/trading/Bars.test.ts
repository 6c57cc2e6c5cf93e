import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import * as Bars from "../../src/trading/candles/Bars.ts"

const MINUTE = 60_000

type Row = readonly [at: number, open: number, high: number, low: number, close: number]
const columns = (rows: ReadonlyArray<Row>): Columns => {
  const column = (index: number) => Float64Array.from(rows, (row) => row[index] ?? 0)
  return {
    at: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    length: rows.length
  }
}
const rowsOf = ({ at, close, high, length, low, open }: Columns): ReadonlyArray<Row> =>
  Array.from({ length }, (_, row) => [
    at[row] ?? 0,
    open[row] ?? 0,
    high[row] ?? 0,
    low[row] ?? 0,
    close[row] ?? 0
  ])

/** Minutes with holes. */
const recordings = FastCheck.array(
  FastCheck.record({
    after: FastCheck.integer({ min: 1, max: 400 }),
    open: FastCheck.integer({ min: 100, max: 200 }),
    close: FastCheck.integer({ min: 100, max: 200 })
  }),
  { maxLength: 400, size: "max" }
).map((steps) => {
  let at = 1_700_000_040_000
  return columns(
    steps.map(({ after, close, open }): Row => {
      at += after * MINUTE
      return [at, open, Math.max(open, close) + 1, Math.min(open, close) - 1, close]
    })
  )
})

test("a longer candle opens with the first, closes with the last and has the extremes; holes stay holes", () => {
  const joined = Bars.joined(
    columns([
      [0, 1, 5, 1, 4],
      [MINUTE, 4, 9, 3, 3],
      [4 * MINUTE, 3, 4, 2, 2],
      [20 * MINUTE, 7, 8, 6, 8]
    ]),
    5 * MINUTE
  )
  expect(rowsOf(joined)).toEqual([
    [0, 1, 9, 1, 2],
    [20 * MINUTE, 7, 8, 6, 8]
  ])
})

test("any recording fits into the requested number of points, without losing an extreme", () => {
  FastCheck.assert(
    FastCheck.property(recordings, FastCheck.integer({ min: 10, max: 500 }), (all, points) => {
      const { columns: fitted, spanMs } = Bars.fitted(all, points)
      expect(fitted.length).toBeLessThanOrEqual(points)
      expect(Math.max(0, ...fitted.high)).toBe(Math.max(0, ...all.high))
      expect(Math.min(1e9, ...fitted.low)).toBe(Math.min(1e9, ...all.low))
      expect([fitted.open[0], fitted.close[fitted.length - 1]]).toEqual([
        all.open[0],
        all.close[all.length - 1]
      ])
      for (const at of fitted.at) if (spanMs > Bars.spacingOf(all)) expect(at % spanMs).toBe(0)
      expect([...fitted.at]).toEqual([...new Set(fitted.at)].sort((one, other) => one - other))
    }),
    { numRuns: 200 }
  )
})

test("two recordings merge sorted by time, and the first one wins where both have a candle", () => {
  const one = columns([
    [0, 1, 1, 1, 1],
    [2 * MINUTE, 1, 1, 1, 1]
  ])
  const other = columns([
    [MINUTE, 2, 2, 2, 2],
    [2 * MINUTE, 2, 2, 2, 2],
    [3 * MINUTE, 2, 2, 2, 2]
  ])
  expect(rowsOf(Bars.merged(one, other)).map(([at, open]) => [at / MINUTE, open])).toEqual([
    [0, 1],
    [1, 2],
    [2, 1],
    [3, 2]
  ])
  expect(Bars.merged(Bars.NONE, one)).toBe(one)
  expect(Bars.merged(one, Bars.NONE)).toBe(one)
})

test("spans are usual ones, and never shorter than the recording's own", () => {
  const day = 24 * 60 * MINUTE
  expect(Bars.spanFor(0, 10)).toBe(MINUTE)
  expect(Bars.spanFor(1000 * MINUTE, 1000)).toBe(2 * MINUTE)
  expect(Bars.spanFor(30 * day, 1000)).toBe(60 * MINUTE)
  expect(Bars.spanFor(0, 10, 60 * MINUTE)).toBe(60 * MINUTE)
  expect(Bars.spanFor(10_000 * day, 10) % (7 * day)).toBe(0)
})
