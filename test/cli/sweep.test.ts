// `sweep`: its ranking equals separate back-tests, with any number of threads.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ended, program } from "../lib/cli.ts"
import { STRATEGY } from "../lib/strategy.ts"

let folder = ""
const file = (name: string) => join(folder, name)

const strategy = STRATEGY
const MINUTE = 60_000
const SPLIT = 139

/** Minute candles of a growing wave, from the epoch's second hour on. */
const candles = Array.from({ length: 200 }, (_, minute) => {
  const price = (at: number) => 100 + (2 + at / 40) * Math.sin(at / 7)
  const [open, close] = [price(minute), price(minute + 1)]
  const row = [minute * MINUTE, open, Math.max(open, close) + 0.1, Math.min(open, close) - 0.1, close, 1]
  return row.join(",")
})
const alerts = Array.from({ length: 20 }, (_, hour) =>
  JSON.stringify({ time: hour * 10 * MINUTE + 1, coin: "BTC", quote_currency: "USDT", type: "buy" })
)
/** The same minutes, long and short by turns on the perpetual. */
const turns = alerts.map((line, index) =>
  JSON.stringify({ ...JSON.parse(line), type: index % 2 === 0 ? "long" : "short" })
)
const grid = { sell_minprofitpercent: { from: 0.5, to: 3, step: 0.5 }, stop_loss_percentage: [1, 2, 4, 8] }

const write = (name: string, lines: ReadonlyArray<string>) => Bun.write(file(name), lines.join("\n"))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sweep-"))
  await write("s.json", [JSON.stringify({ ...strategy, stop_loss: true })])
  await write("g.json", [JSON.stringify(grid)])
  await write("c.csv", candles)
  await write("train.csv", candles.slice(0, SPLIT + 1))
  await write("test.csv", candles.slice(SPLIT + 1))
  await write("a.jsonl", alerts)
  await write("bad.json", [JSON.stringify({ stop_loss_percentage: [4, 120], buy_percentage: [10, 20] })])
  await write("wide.json", [
    JSON.stringify({
      buy_percentage: { from: 0.001, to: 100, step: 0.001 },
      stop_loss: [true, false],
      trailing_sell: [false],
      dca_aftertime: { from: 0, to: 9, step: 1 }
    })
  ])
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the program; returns its exit code and output. */
const signalbox = (...args: ReadonlyArray<string>) =>
  ended(Bun.spawn([...program, ...args], { cwd: folder, stdout: "pipe", stderr: "pipe" }))
const recording = ["--candles", "BTC/USDT=c.csv", "--any-time"]
const usual = ["--strategy", "s.json", ...recording, "--alerts", "a.jsonl"]
const sweep = (...args: ReadonlyArray<string>) => signalbox("sweep", ...usual, ...args)

interface Told {
  readonly combinations: number
  readonly ran: number
  readonly skipped: number
  readonly split_at: number | null
  readonly rows: ReadonlyArray<Record<string, unknown>>
}
const told = (out: string): Told => JSON.parse(out)
const column = (rows: Told["rows"], name: string) => rows.map((row) => Number(row[name] ?? Number.NaN))

describe("sweep", () => {
  test("ranks all combinations by the train part, with the figures that back-tests of both parts give", async () => {
    const { code, error, out } = await sweep("--grid", "g.json", "--json", "--csv", "out.csv")
    expect([code, error]).toEqual([0, ""])
    const { rows, ...head } = told(out)
    expect(head).toMatchObject({ combinations: 24, ran: 24, skipped: 0, holdout: 30, rank: "roi_pct" })
    expect(head.split_at).toBe((SPLIT + 1) * MINUTE)
    const roi = column(rows, "train_roi_pct")
    expect(roi).toEqual(roi.toSorted((left, right) => right - left))
    expect(new Set(roi).size).toBeGreaterThan(5)

    const [best] = rows
    const { sell_minprofitpercent, stop_loss_percentage } = best ?? {}
    const chosen = { ...strategy, stop_loss: true, sell_minprofitpercent, stop_loss_percentage }
    await write("best.json", [JSON.stringify(chosen)])
    for (const part of ["train", "test"]) {
      const kept = alerts.filter(
        (line) => JSON.parse(line).time < (SPLIT + 1) * MINUTE === (part === "train")
      )
      await write("part.jsonl", kept)
      const args = [
        "--strategy",
        "best.json",
        "--candles",
        `BTC/USDT=${part}.csv`,
        "--alerts",
        "part.jsonl",
        "--any-time"
      ]
      const single = await signalbox("backtest", ...args, "--json")
      const { summary } = JSON.parse(single.out).performance
      const prefixed = Object.entries(summary).map(([name, value]) => [`${part}_${name}`, value])
      expect(best).toMatchObject(Object.fromEntries(prefixed))
    }

    const [header = "", first = "", ...others] = (await Bun.file(file("out.csv")).text())
      .trimEnd()
      .split("\n")
    expect(header).toStartWith(
      "sell_minprofitpercent,stop_loss_percentage,train_period,train_starting_equity,"
    )
    expect(header).toContain(",test_roi_pct,")
    expect(others).toHaveLength(23)
    const cells = new Map(header.split(",").map((name, place) => [name, first.split(",")[place]]))
    for (const [name, value] of Object.entries(best ?? {}))
      if (typeof value === "number") expect(Number(cells.get(name))).toBe(value)
    expect([header, first, ...others].join()).not.toMatch(/\de[-+]?\d|NaN|null/)
  })

  test("takes fills nearer to life into every row, and says so", async () => {
    const fills = ["--fills", "slippage=0.5%,latency=90000ms,limits=through"]
    await write("one.json", [JSON.stringify({ stop_loss_percentage: [2, 4] })])
    const swept = await sweep("--grid", "one.json", "--holdout", "0", ...fills, "--json")
    const { fills: shown, rows } = JSON.parse(swept.out)
    expect(shown).toEqual({
      ...{ slippage_percent: 0.5, latency_ms: 90_000, limits: "through" },
      text: "slippage=0.5%,latency=90000ms,limits=through"
    })
    for (const row of rows) {
      await write("same.json", [
        JSON.stringify({ ...strategy, stop_loss: true, stop_loss_percentage: row.stop_loss_percentage })
      ])
      const tested = await signalbox("backtest", ...usual.with(1, "same.json"), ...fills, "--json")
      const { performance } = JSON.parse(tested.out)
      expect(row.train_net_pnl).toBe(performance.summary.net_pnl)
    }
    const table = await sweep("--grid", "one.json", ...fills, "--csv", "fills.csv")
    const [head = "", ...lines] = (await Bun.file(file("fills.csv")).text()).trimEnd().split("\n")
    expect(head).toEndWith(",fills")
    expect(lines.map((line) => line.slice(line.indexOf('"')))).toEqual([`"${fills[1]}"`, `"${fills[1]}"`])
    expect(table.out).toContain(
      "Fills nearer to life: slippage of 0.5 % on market orders; market orders fill 90000 ms late;"
    )
  })

  test("gives the same result with any number of threads; a seed chooses the sample", async () => {
    const args = ["--grid", "g.json", "--json", "--sample", "10", "--seed", "7", "--rank", "max_drawdown_pct"]
    const [one, three] = await Promise.all([
      sweep(...args, "--workers", "1"),
      sweep(...args, "--workers", "3")
    ])
    expect(one).toEqual(three)
    expect(told(one.out)).toMatchObject({ combinations: 24, ran: 10 })
    const chosen = ({ rows }: Told) =>
      rows.map((row) => `${row["sell_minprofitpercent"]} ${row["stop_loss_percentage"]}`).toSorted()
    expect(new Set(chosen(told(one.out))).size).toBe(10)
  })

  test("prints a table with both figures and a warning, and says when there is no holdout", async () => {
    const [held, whole] = await Promise.all([
      sweep("--grid", "g.json", "--top", "3"),
      sweep("--grid", "g.json", "--top", "3", "--holdout", "0")
    ])
    const lines = held.out.split("\n")
    expect(lines[0]).toMatch(
      /^# {2}sell_minprofitpercent {2}stop_loss_percentage {2}train_roi_pct {2}test_roi_pct /
    )
    expect(lines[3]).toStartWith("3 ")
    expect(lines[4]).toBe("")
    expect(held.out).toContain("24 of 24 combinations were tried; ranked by roi_pct in train.")
    expect(held.out).toContain("The first of many tries looks better than it is")
    expect(held.out).toContain("from 1970-01-01 02:20 UTC")
    expect(held.out).toMatch(/The order in train agrees with that in test by -?[\d.]+ /)
    expect(whole.out).not.toContain("test_")
    expect(whole.out).toContain("Nothing was held out")
  })

  test("tries texts and lists of steps, each as a back-test with these settings gives", async () => {
    const steps = [
      { profit_percent: 1, close_percent: 50 },
      { profit_percent: 1.5, close_percent: 50 }
    ]
    await write("steps.json", [
      JSON.stringify({
        take_profit_steps: [null, steps],
        on_opposite: ["ignore", "reverse"],
        break_even_after: [null, 1, 3]
      })
    ])
    await write("turns.jsonl", turns)
    const common = { ...strategy, stop_loss: true, stop_loss_percentage: 4 }
    await write("t.json", [JSON.stringify(common)])
    const files = [...recording, "--alerts", "turns.jsonl"]
    const tried = (...args: ReadonlyArray<string>) =>
      signalbox("sweep", "--strategy", "t.json", "--grid", "steps.json", "--holdout", "0", ...files, ...args)
    const [one, three, refused] = await Promise.all([
      tried("--skip-invalid", "--json", "--csv", "steps.csv", "--workers", "1"),
      tried("--skip-invalid", "--json", "--workers", "3"),
      tried()
    ])
    expect(one).toEqual(three)
    expect(refused.error).toContain(
      "(take_profit_steps 1%:50 1.5%:50, on_opposite ignore, break_even_after 3): break_even_after must be at most the number of take_profit_steps"
    )
    const { ran, rows, skipped } = told(one.out)
    expect([ran, skipped]).toEqual([10, 2])
    expect(new Set(column(rows, "train_net_pnl")).size).toBeGreaterThan(3)
    const some = rows.filter(({ break_even_after }) => break_even_after === null)
    expect(some).toHaveLength(4)
    for (const row of some) {
      const { on_opposite, take_profit_steps } = row
      await write("one.json", [JSON.stringify({ ...common, on_opposite, take_profit_steps })])
      const { out } = await signalbox("backtest", "--strategy", "one.json", ...files, "--json")
      const { net_pnl, trade_count } = JSON.parse(out).performance.summary
      expect(row).toMatchObject({ train_net_pnl: net_pnl, train_trade_count: trade_count })
    }

    const [header = "", ...lines] = (await Bun.file(file("steps.csv")).text()).trimEnd().split("\n")
    expect(header).toStartWith("take_profit_steps,on_opposite,break_even_after,train_period,")
    const cells = lines.map((line) => line.split(","))
    expect(cells.every((row) => row.length === header.split(",").length)).toBe(true)
    expect(new Set(cells.map(([first]) => first))).toEqual(new Set(["", "1%:50 1.5%:50"]))
    expect(new Set(cells.map(([, second]) => second))).toEqual(new Set(["ignore", "reverse"]))
  })

  test("prints a map of two settings, and writes a report beside the same output", async () => {
    const map = ["--grid", "g.json", "--top", "3", "--map", "stop_loss_percentage, sell_minprofitpercent"]
    const [drawn, html] = [await sweep(...map), await sweep(...map, "--html", "r.html")]
    expect([drawn.code, drawn.error]).toEqual([0, ""])
    expect(html).toEqual(drawn)
    const [, train = "", later = ""] = drawn.out.trimEnd().split(/\n\n(?=roi_pct in )/)
    expect(
      train
        .split("\n")
        .slice(1)
        .map((line) => line.split(/ +/)[0])
    ).toEqual(["", "1", "2", "4", "8"])
    expect(later).toStartWith("roi_pct in test, the combination that ranks first in train of each cell:")
    expect(drawn.out).not.toContain("\u001b")
    const { rows } = told((await sweep("--grid", "g.json", "--json")).out)
    const cell = rows.find((row) => row["stop_loss_percentage"] === 2 && row["sell_minprofitpercent"] === 0.5)
    const shown = train.split("\n")[3]?.split(/ +/)[1]
    expect(Number(shown)).toBe(Number(Number(cell?.["train_roi_pct"]).toPrecision(4)))
    expect(await Bun.file(file("r.html")).text()).toContain('"page":"sweep"')
  })

  test("refuses a map of settings that the grid does not have, and a report in a place that is taken", async () => {
    const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, number, string]> = [
      [
        ["--map", "stop_loss_percentage,buy_percentage"],
        2,
        "--map takes two settings of the grid, as FIELD,FIELD"
      ],
      [["--map", "stop_loss_percentage,stop_loss_percentage"], 2, "--map takes two settings of the grid"],
      [["--map", "stop_loss_percentage"], 2, "--map takes two settings of the grid"],
      [["--map", "stop_loss_percentage,sell_minprofitpercent", "--json"], 2, "it does not go with --json"],
      [["--html", "s.json"], 1, "s.json: is there already and is no HTML page"]
    ]
    for (const [args, code, text] of refusals) {
      const ended = await sweep("--grid", "g.json", ...args)
      expect([ended.code, ended.out, ended.error]).toEqual([code, "", expect.stringContaining(text)])
    }
  })

  test("refuses a grid with a field that is there twice, and one whose values are wrong, by field and index", async () => {
    await write("twice.json", ['{"stop_loss_percentage": [1], "stop_loss_percentag\\u0065": [2]}'])
    await write("word.json", ['{"on_opposite": ["close", "turn"]}'])
    const [twice, word] = await Promise.all([sweep("--grid", "twice.json"), sweep("--grid", "word.json")])
    expect([twice.code, twice.error]).toEqual([
      1,
      "signalbox: twice.json: names stop_loss_percentage twice\n"
    ])
    expect([word.code, word.error]).toEqual([
      1,
      "signalbox: word.json: on_opposite[1] must be one of ignore, close, reverse\n"
    ])
  })

  test("exits with 1 for files that it cannot use, with 2 for a bad command line", async () => {
    const [broken, without, wide, holdout] = await Promise.all([
      sweep("--grid", "bad.json"),
      sweep("--grid", "bad.json", "--skip-invalid", "--json"),
      sweep("--grid", "wide.json"),
      sweep("--grid", "g.json", "--holdout", "100")
    ])
    expect(broken.code).toBe(1)
    expect(broken.error).toContain(
      "bad.json: combination 3 of 4 (stop_loss_percentage 120, buy_percentage 10): stop_loss_percentage must be"
    )
    expect(told(without.out)).toMatchObject({ combinations: 4, ran: 2, skipped: 2 })
    expect([wide.code, wide.error]).toEqual([
      2,
      "signalbox: the grid has 2000000 combinations, more than 1000000: use --sample N\n"
    ])
    expect([holdout.code, holdout.out]).toEqual([2, ""])
  })
})
