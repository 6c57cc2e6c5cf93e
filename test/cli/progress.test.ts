// Progress bars and curves on a terminal: their text, and that nothing of them reaches a pipe.
import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { equityPlot } from "../../src/cli/backtest/equityPlot.ts"
import { CYAN, GREY, plot, pointsOf } from "../../src/cli/program/plot.ts"
import { barOn, isShown, lineOf, stepsOn } from "../../src/cli/program/progress.ts"
import { signalbox } from "../lib/cli.ts"

const terminal = (columns = 80) => {
  const written: Array<string> = []
  return { columns, isTTY: true, write: (text: string) => written.push(text), written }
}
const work = { unit: "candles", total: 2_000, json: false }

describe("a progress bar", () => {
  test("names what is done, of how much, and the time left once it can be guessed", () => {
    expect(lineOf(work, 1_000, 500)).toBe("[############............]  50 %  1,000 of 2,000 candles")
    expect(lineOf(work, 500, 3_000)).toBe("[######..................]  25 %  500 of 2,000 candles, 9 s left")
    expect(lineOf(work, 1, 3_600)).toEndWith("1 of 2,000 candles, 1 h 59 min left")
    expect(lineOf(work, 9_999, 5_000)).toBe("[########################] 100 %  2,000 of 2,000 candles")
    expect(lineOf({ ...work, total: 0 }, 0, 5_000)).toContain("100 %  0 of 0 candles")
  })

  test("is drawn a few times a second, within the terminal's width, and leaves an empty line", () => {
    const screen = terminal(30)
    let now = 0
    const bar = barOn(screen, work, () => now)
    for (; now < 1_000; now++) bar.show(now)
    bar.clear()
    bar.clear()
    expect(screen.written.length).toBe(11)
    for (const text of screen.written) expect(text.replaceAll("\r", "").length).toBeLessThan(30)
    expect(screen.written.at(-1)).toBe(`\r${" ".repeat(29)}\r`)
  })

  test("tells the steps of work on a database, with the time left of all of them, and is wiped when they are done", () => {
    const screen = terminal()
    let now = 0
    const { clear, listen } = stepsOn(screen, () => now)
    listen({ words: "verifying alerts", done: 0, total: 400 })
    now = 2_000
    listen({ words: "verifying alerts", done: 100, total: 400 })
    now = 2_010
    listen({ words: "verifying alerts", done: 101, total: 400 })
    listen({ words: "verifying the ledger", done: 200, total: 400 })
    listen({ words: "verified", done: 1, total: 1 })
    clear()
    expect(screen.written.map((text) => text.replaceAll("\r", "").trimEnd())).toEqual([
      "[........................]   0 %  verifying alerts",
      "[######..................]  25 %  verifying alerts, 6 s left",
      "[############............]  50 %  verifying the ledger, 2 s left",
      ""
    ])
  })

  test("is for terminals only, and not beside JSON that another program reads", () => {
    const [there, gone] = [{ isTTY: true }, { isTTY: false }]
    expect(isShown({ json: false }, there, there)).toBe(true)
    expect(isShown({ json: false }, there, gone)).toBe(true)
    expect(isShown({ json: true }, there, there)).toBe(true)
    expect(isShown({ json: true }, there, gone)).toBe(false)
    expect(isShown({ json: false }, gone, there)).toBe(false)
  })
})

describe("a curve as text", () => {
  const frame = { width: 40, height: 6, format: (value: number) => value.toFixed(0) }

  test("has its highest value at the top and its lowest at the bottom", () => {
    const lines = plot([{ points: pointsOf([1, 2, 3, 4]), colour: CYAN }], frame).map(Bun.stripANSI)
    expect(lines.map((line) => line.slice(0, 3))).toEqual(["4 │", "  │", "  │", "3 │", "  │", "1 │"])
    expect(lines[0]).toMatch(/[⠀-⣿]$/)
    expect(lines[5]?.charAt(3)).toMatch(/[⠁-⣿]/)
  })

  test("fits its frame whatever the values are, and without any there is none", () => {
    const values = FastCheck.array(FastCheck.double(), { maxLength: 300 })
    const size = FastCheck.integer({ min: 20, max: 200 })
    FastCheck.assert(
      FastCheck.property(
        values,
        values,
        size,
        FastCheck.integer({ min: 1, max: 30 }),
        (one, other, width, height) => {
          const curves = [
            { points: pointsOf(one), colour: CYAN },
            { points: pointsOf(other), colour: GREY }
          ]
          const lines = plot(curves, { width, height, format: () => "1" }).map(Bun.stripANSI)
          expect(lines.length).toBe([...one, ...other].some(Number.isFinite) ? height : 0)
          for (const line of lines) {
            expect(line.length).toBeLessThanOrEqual(width)
            expect(line).toMatch(/^[1 ] │[ ⠁-⣿]*$/)
          }
        }
      )
    )
  })
})

test("a command on a pipe prints neither a bar nor a colour", async () => {
  const { error, out } = await signalbox("verify", "--db", "/nowhere/signalbox.db")
  expect(out + error).not.toMatch(/[\r\u001b]/)
})

test("a back-test's plot has both curves, both times and the width of the terminal", () => {
  const points = Array.from(
    { length: 500 },
    (_, index) => [index * 60_000, 10_000 + index, 0, 10_000 - index] as const
  )
  const lines = equityPlot(points, "USDT", 60).split("\n").map(Bun.stripANSI)
  expect(lines.length).toBe(11)
  for (const line of lines.slice(1, -1)) expect(line.length).toBeLessThanOrEqual(60)
  expect(lines[1]).toStartWith("10499 │")
  expect(lines[9]).toStartWith(" 9501 │")
  expect(lines[10]).toBe(
    "1970-01-01 00:00 to 1970-01-01 08:19 (UTC): equity in USDT, marked at the close of each candle; dotted: buy and hold"
  )
  expect(equityPlot(points.slice(0, 1), "USDT", 60)).toBe("")
  expect(equityPlot(points, "USDT", 0)).toContain("│")
})
