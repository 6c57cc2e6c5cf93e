// The heat map of a sweep as printed: colours on a terminal that wants them, and the same numbers everywhere.
import { expect, test } from "bun:test"
import { mapsText } from "../../src/cli/sweep/mapText.ts"
import type { Grid } from "../../src/trading/sweep/SweepGrid.ts"
import { outcome } from "./sweepOutcome.ts"

const grid: Grid = [
  { field: "stop_loss_percentage", values: [1, 2] },
  { field: "on_opposite", values: [null, "reverse", "close"] },
  { field: "max_entries", values: [1, 2] }
]
const SPLIT = 1_700_000_000_000
/** By index: 0 1 | 2 3 | 4 5 in the first row, 6 7 | 8 9 | 10 11 in the second. */
const ran = outcome(grid, "roi_pct", (index, part) => (part === 0 ? index - 5 : 0.123456 * index), SPLIT)
const PLAIN = { isColourful: false, width: undefined }

test("a cell shows the combination that ranks first in train, in both parts", () => {
  expect(mapsText(ran, { row: 0, column: 1, measure: "best" }, PLAIN).split("\n")).toEqual([
    "roi_pct in train, the combination that ranks first in train of each cell: stop_loss_percentage down, on_opposite across",
    "    -  reverse  close",
    "1  -4       -2      0",
    "2   2        4      6",
    "",
    "roi_pct in test, the combination that ranks first in train of each cell: stop_loss_percentage down, on_opposite across",
    "        -  reverse   close",
    "1  0.1235   0.3704  0.6173",
    "2  0.8642    1.111   1.358"
  ])
})

test("a cell shows the mean of all, and a figure without a loss in words", () => {
  const lossless = outcome(grid, "profit_factor", (index) => (index < 2 ? Number.NaN : index), undefined)
  const text = mapsText(lossless, { row: 1, column: 0, measure: "mean" }, PLAIN)
  expect(text.split("\n").slice(1)).toEqual([
    "               1     2",
    "-        no loss   6.5",
    "reverse      2.5   8.5",
    "close        4.5  10.5"
  ])
})

test("a terminal's map has the same numbers on coloured ground, in no more than its width", () => {
  const wide: Grid = [
    { field: "stop_loss_percentage", values: [1, 2] },
    { field: "buy_percentage", values: Array.from({ length: 100 }, (_, value) => value + 1) }
  ]
  const choice = { row: 0, column: 1, measure: "best" } as const
  const signed = outcome(wide, "net_pnl", (index) => 99.5 - index, SPLIT)
  for (const width of [40, 80, 132]) {
    const text = mapsText(signed, choice, { isColourful: true, width })
    expect(text).toMatch(/48;5;(?:195|153|117|75|33);38;5;16m/)
    if (width > 40) expect(text).toMatch(/48;5;(?:230|223|216|209|208);38;5;16m/)
    const plain = mapsText(signed, choice, { isColourful: false, width })
    const numbers = (all: string) => Bun.stripANSI(all).match(/-?\d+(?:\.\d+)?/g)
    expect(numbers(text)).toEqual(numbers(plain))
    // The first line of a map names what is shown, and may wrap.
    for (const lines of Bun.stripANSI(text).split("\n\n"))
      for (const line of lines.split("\n").slice(1)) expect(line.length).toBeLessThanOrEqual(width)
  }
})
