// `sweep --html`: its figures are those of the ranking, hostile names stay data, and a huge sweep stays a small file.
import { describe, expect, test } from "bun:test"
import { lineOf } from "../../src/cli/sweep/RankedResults.ts"
import { reportOf } from "../../src/cli/sweep/sweepReport.ts"
import { combination, type Grid, valueText } from "../../src/trading/sweep/SweepGrid.ts"
import { reportTemplate } from "../../src/web/bundle.ts"
import { DATA_ID, documentOf } from "../../src/web/ReportDocument.ts"
import { outcome } from "./sweepOutcome.ts"

const SPLIT = 1_700_000_000_000
const NONE = { series: [], alerts: [] }
const steps = [{ profit_percent: 1, close_percent: 50 }]
const grid: Grid = [
  { field: "take_profit_steps", values: [null, steps] },
  { field: "on_opposite", values: ["close", "reverse", "ignore"] },
  { field: "max_entries", values: [1, 2, 3, 4] }
]
/** Figures without a pattern that a wrong index would keep. */
const figure = (index: number, part: number) => ((index * 37) % 101) - 50 + part * 1000
const ran = outcome(grid, "net_pnl", figure, SPLIT)
const body = { name: "Trend", buy_percentage: 10, stray: 1 }

describe("the report of a sweep", () => {
  const { data, page, title } = reportOf(ran, body, NONE)

  test("has the ranking with the figures of both parts, and the grid", () => {
    expect([page, title, data.ran]).toEqual(["sweep", "Trend: sweep", 24])
    expect(data.settings).toEqual({ name: "Trend", buy_percentage: 10 })
    expect(data.values).toEqual(["-, 1%:50", "close, reverse, ignore", "1, 2, 3, 4"])
    expect<unknown>(data.rows).toEqual(
      Array.from(ran.ranked, (place) => {
        const { test: later, train } = lineOf(ran, place)
        const values = combination(grid, place).map((value) => valueText(value) || "-")
        const figures = [train, later].flatMap((summary) =>
          data.shown.map((name) => Object.entries(summary ?? {}).find(([key]) => key === name)?.[1])
        )
        return { values, figures }
      })
    )
    expect(data.dots).toEqual(Array.from(ran.ranked, (place) => [figure(place, 0), figure(place, 1)]))
    expect(data.caution.join()).toContain("The first of many tries looks better than it is")
  })

  test("has a map for every two settings, whose cells equal those reckoned from all combinations", () => {
    expect(data.maps.map(({ column, row }) => [row, column])).toEqual([
      [0, 1],
      [0, 2],
      [1, 2]
    ])
    const at = data.figures.findIndex(({ name }) => name === "net_pnl")
    const indexes = Array.from({ length: 24 }, (_, index) => index)
    for (const { best, column, columns, counts, mean, ranks, row, rows } of data.maps)
      for (const [cell, count] of counts.entries()) {
        const wanted = [rows[Math.floor(cell / columns.length)], columns[cell % columns.length]]
        const inside = indexes.filter((index) => {
          const values = combination(grid, index)
          return [row, column].every(
            (place, side) => (valueText(values[place] ?? null) || "-") === wanted[side]
          )
        })
        expect(count).toBe(inside.length)
        const top = inside.toSorted((left, right) => figure(right, 0) - figure(left, 0))[0] ?? -1
        expect(ranks[cell]).toBe(ran.ranked.indexOf(top) + 1)
        for (const part of [0, 1]) {
          const sum = inside.reduce((all, index) => all + figure(index, part), 0)
          const place = part * data.figures.length + at
          expect(best[place]?.[cell]).toBe(figure(top, part))
          expect(mean[place]?.[cell]).toBeCloseTo(sum / inside.length, 2)
        }
      }
  })

  test("has one part and no comparison where nothing was held out", () => {
    const { data } = reportOf(outcome(grid, "net_pnl", figure, undefined), {}, NONE)
    expect([data.parts, data.dots, data.rows[0]?.figures.length]).toEqual([["train"], [], data.shown.length])
  })
})

test("a sweep of a hundred thousand combinations is a file of less than 1.5 MB", async () => {
  const values = (size: number) => Array.from({ length: size }, (_, value) => value * 1.000001)
  const wide: Grid = [
    { field: "buy_percentage", values: values(20) },
    { field: "stop_loss_percentage", values: values(50) },
    { field: "sell_minprofitpercent", values: values(20) },
    { field: "max_entries", values: values(5) }
  ]
  const noisy = outcome(wide, "roi_pct", (index) => Math.sin(index) * 123.456789, SPLIT)
  const report = reportOf(noisy, { ...body, name: `</script><img src=x onerror="alert(1)"><!--` }, NONE)
  const html = documentOf(await reportTemplate(), { ...report, made_at: 1_700_000_000, version: "1" })
  expect(html.length).toBeLessThan(1_500_000)
  expect(report.data.rows).toHaveLength(1_000)
  expect(report.data.maps).toHaveLength(6)
  const held = new RegExp(`id="${DATA_ID}">(.*?)</script>`, "s").exec(html)?.[1] ?? ""
  expect(JSON.parse(held).title).toBe(`</script><img src=x onerror="alert(1)"><!--: sweep`)
  expect(held).not.toContain("<")
})
