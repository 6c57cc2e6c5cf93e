// The map of a sweep's report as a reader turns it.
import { expect, test } from "bun:test"
import { figureText, labelOf } from "../../src/web/page/report/figures.ts"
import { gridOf, type MapQuery } from "../../src/web/page/report/maps.ts"
import type { SweepData } from "../../src/web/page/report/report.ts"

const data: SweepData = {
  fields: ["a", "b"],
  values: ["1, 2", "x, y"],
  rank: "roi_pct",
  parts: ["train", "test"],
  caution: [],
  figures: [
    { name: "roi_pct", isLess: false, pivot: 0 },
    { name: "profit_factor", isLess: false, pivot: 1 }
  ],
  shown: ["roi_pct"],
  rows: [],
  ran: 3,
  maps: [
    {
      row: 0,
      column: 1,
      rows: ["1", "2"],
      columns: ["x", "y"],
      counts: [1, 2, 0, 1],
      ranks: [2, 1, null, 3],
      best: [
        [1, 2, null, 4],
        [5, null, null, 8],
        [-1, -2, null, -4],
        [-5, -6, null, -8]
      ],
      mean: [
        [11, 12, null, 14],
        [15, 16, null, 18],
        [-11, -12, null, -14],
        [-15, -16, null, -18]
      ]
    }
  ],
  dots: [],
  settings: {},
  candles: []
}
const query: MapQuery = { row: 0, column: 1, figure: "roi_pct", part: "train", measure: "best" }
const valuesOf = (change: Partial<MapQuery>) =>
  gridOf(data, { ...query, ...change })?.cells.map((row) => row.map(({ value }) => value))

test("each choice shows its own figures, and a cell in which nothing ran has none", () => {
  const none = undefined
  expect(valuesOf({})).toEqual([
    [1, 2],
    [none, 4]
  ])
  expect(valuesOf({ part: "test" })).toEqual([
    [-1, -2],
    [none, -4]
  ])
  expect(valuesOf({ measure: "mean", part: "test" })).toEqual([
    [-11, -12],
    [none, -14]
  ])
  expect(valuesOf({ figure: "profit_factor" })).toEqual([
    [5, null],
    [none, 8]
  ])
})

test("a map whose settings are chosen the other way round is turned", () => {
  const turned = gridOf(data, { ...query, row: 1, column: 0 })
  expect([turned?.rows, turned?.columns]).toEqual([
    ["x", "y"],
    ["1", "2"]
  ])
  expect(turned?.cells).toEqual([
    [
      { value: 1, count: 1, rank: 2 },
      { value: undefined, count: 0, rank: null }
    ],
    [
      { value: 2, count: 2, rank: 1 },
      { value: 4, count: 1, rank: 3 }
    ]
  ])
})

test("two fields without a map, and a figure that nobody knows, show nothing", () => {
  expect(gridOf(data, { ...query, column: 0 })).toBeUndefined()
  expect(gridOf(data, { ...query, figure: "luck" })).toBeUndefined()
})

test.each([
  ["roi_pct", 1.234, "1.23 %"],
  ["roi_pct", null, "–"],
  ["profit_factor", null, "no loss"],
  ["profit_factor", undefined, "–"],
  ["trade_count", 1234, "1,234"],
  ["avg_hold_time_min", 90, "1 h 30 min"],
  ["net_pnl", -1234.5, "−1,234.50"]
] as const)("%s of %p reads %p", (figure, value, text) => expect(figureText(figure, value)).toBe(text))

test("a figure has a name in words, and one that nobody knows its own", () => {
  expect([labelOf("roi_pct"), labelOf("luck")]).toEqual(["ROI", "luck"])
})
