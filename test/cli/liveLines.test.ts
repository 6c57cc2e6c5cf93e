// The live table of long work: what stands on the screen after each drawing, and the plain lines where there is no terminal.
import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { countsOf, linesOn, plainOn } from "../../src/cli/program/liveLines.ts"
import * as Job from "../../src/cli/sweep/Job.ts"
import { leaderRows } from "../../src/cli/sweep/leaders.ts"
import { placeOf } from "../../src/trading/sweep/SweepFigures.ts"

const work = { unit: "combinations back-tested", total: 2_000, before: 500, json: false }

/** A terminal that obeys what the table uses, and nothing else. It keeps what has scrolled away. */
const screen = (columns: number, rows: number) => {
  const lines = [""]
  let [row, column, writes] = [0, 0, 0]
  const put = (letter: string) => {
    const line = (lines[row] ?? "").padEnd(column)
    if (column >= columns) throw new Error("a line is wider than the screen")
    lines[row] = line.slice(0, column) + letter + line.slice(column + 1)
    column++
  }
  const obey = (count: number, letter: string) => {
    if (letter === "A") row = Math.max(row - count, 0)
    else if (letter === "K") lines[row] = (lines[row] ?? "").slice(0, column)
    else if (letter === "J") {
      lines[row] = (lines[row] ?? "").slice(0, column)
      lines.length = row + 1
    } else throw new Error(`nobody knows ${letter}`)
  }
  return {
    isTTY: true,
    columns,
    rows,
    writes: () => writes,
    shown: () => lines.map((line) => line.trimEnd()),
    write: (text: string) => {
      writes++
      for (const [, count, letter = "", other] of text.matchAll(
        /\u001b\[(?:\?2026[hl]|(\d*)([A-Z]))|([\s\S])/g
      )) {
        if (other === undefined) {
          if (letter !== "") obey(Number(count === "" ? 1 : count), letter)
        } else if (other === "\r") column = 0
        else if (other === "\n") {
          row++
          column = 0
          lines[row] ??= ""
        } else put(other)
      }
    }
  }
}

describe("the live table", () => {
  test("shows the last rows and counts only, and leaves nothing behind", () => {
    const terminal = screen(100, 24)
    let now = 0
    const live = linesOn(terminal, work, () => now)
    live.show(0, () => ["#  stop", "1  2", "2  4"])
    now = 2_000
    live.show(500, () => ["#  stop", "1  4"])
    expect(terminal.shown()).toEqual([
      "#  stop",
      "1  4",
      "[############............]  50 %  1,000 of 2,000 combinations back-tested, 250 a second, 4 s left",
      ""
    ])
    live.clear()
    live.clear()
    expect(terminal.shown()).toEqual([""])
  })

  test("never writes a full line, never scrolls away, and draws twice a second at most", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: 4, max: 60 }),
        FastCheck.integer({ min: 3, max: 12 }),
        FastCheck.array(FastCheck.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 20 }),
        (columns, rows, heights) => {
          const terminal = screen(columns, rows)
          let now = 0
          const live = linesOn(terminal, work, () => now)
          for (const height of heights) {
            live.show(now, () => Array.from({ length: height }, (_, row) => `${row} `.repeat(40)))
            expect(terminal.shown().length).toBeLessThanOrEqual(rows)
            now += 100
          }
          expect(terminal.writes()).toBe(Math.ceil(heights.length / 5))
          live.clear()
          expect(terminal.shown()).toEqual([""])
        }
      )
    )
  })

  test("counts what an earlier run has done, but not in the rate", () => {
    expect(countsOf(work, 0, 9_000)).toBe("500 of 2,000 combinations back-tested")
    expect(countsOf(work, 5, 2_000)).toBe(
      "505 of 2,000 combinations back-tested, 2.5 a second, 9 min 58 s left"
    )
    expect(countsOf(work, 1_500, 1_000)).toBe("2,000 of 2,000 combinations back-tested, 1,500 a second")
  })

  test("is a plain line every half minute where standard error is no terminal", () => {
    const written: Array<string> = []
    let now = 0
    const live = plainOn({ write: (text) => written.push(text) }, work, () => now)
    for (; now <= 65_000; now += 100) live.show(now / 100, () => ["never"])
    live.clear()
    expect(written).toEqual([
      "800 of 2,000 combinations back-tested, 10 a second, 2 min 0 s left\n",
      "1,100 of 2,000 combinations back-tested, 10 a second, 1 min 30 s left\n"
    ])
  })
})

describe("the rows of a sweep that runs", () => {
  const grid = [{ field: "stop_loss_percentage", values: [1, 2, 3, 4, 5, 6, 7, 8] }]
  const run = (stretches: number) => {
    const count = grid[0]?.values.length ?? 0
    const board = Job.boardOf(Array.from({ length: count * stretches }, (_, place) => place % count))
    const results = Job.numbers(board.indexes.length * Job.PLACE_WIDTH)
    const stretch = { from: 0, testFrom: 1, to: 2 }
    return {
      round: 0,
      board,
      results,
      blocks: 0,
      sums: Job.numbers(0),
      places: Uint32Array.from(board.indexes, (_, place) => place),
      stretches: Array.from({ length: stretches }, () => stretch),
      fill: (place: number, roi: number) => {
        results[place * Job.PLACE_WIDTH + placeOf("roi_pct")] = roi
        results[place * Job.PLACE_WIDTH + placeOf("trade_count")] = 9
        // A figure of test, which must not be shown.
        results[place * Job.PLACE_WIDTH + Job.PLACE_WIDTH / 2 + placeOf("roi_pct")] = 777
        board.done[place] = 1
      }
    }
  }

  test("are the first five of what is done, by train only, without invalid ones", () => {
    const one = run(1)
    expect(leaderRows(grid, one, "roi_pct")).toEqual([])
    for (const [place, roi] of [5, 9, 1, 9, 3, 8, 2].entries()) one.fill(place, roi)
    one.board.broken[5] = Job.BROKEN
    const [, ...rows] = leaderRows(grid, one, "roi_pct")
    expect(rows.map((row) => row.split(/ +/).slice(0, 3))).toEqual([
      ["1", "2", "9"],
      ["2", "4", "9"],
      ["3", "1", "5"],
      ["4", "5", "3"],
      ["5", "7", "2"]
    ])
    expect(rows.join()).not.toContain("777")
  })

  test("are the first of each of the newest stretches of a walk", () => {
    const seven = run(7)
    for (let place = 0; place < 6 * 8; place++) seven.fill(place, place === 41 ? 50 : place % 8)
    const [head, ...rows] = leaderRows(grid, seven, "roi_pct")
    expect(head).toStartWith("stretch  stop_loss_percentage  train_roi_pct")
    expect(rows.map((row) => row.split(/ +/).slice(0, 2).join(" "))).toEqual([
      "2 8",
      "3 8",
      "4 8",
      "5 8",
      "6 2"
    ])
  })
})
