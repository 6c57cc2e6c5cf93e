// `backtest --html`: what the file holds, which files it replaces, and its size after a year of minutes.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { commandLine } from "../../src/cli/program/reportFile.ts"
import { signalbox } from "../lib/cli.ts"
import { STRATEGY } from "../lib/strategy.ts"

let folder = ""
const file = (name: string) => join(folder, name)
const MINUTE = 60_000
const YEAR_OF_MINUTES = 525_600

/** A price that rises and falls by a third, twice a day. */
const candles = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const price = (place: number) => (100 + 30 * Math.sin(place / 115)).toFixed(4)
    const ends = [price(index), price(index + 1)].map(Number)
    return [
      1_700_000_000_000 + index * MINUTE,
      ends[0],
      Math.max(...ends),
      Math.min(...ends),
      ends[1],
      1
    ].join()
  }).join("\n")
const alerts = (count: number, every: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      time: 1_700_000_000_000 + index * every * MINUTE,
      type: index % 2 === 0 ? "buy" : "sell",
      coin: "BTC",
      quote_currency: "USDT"
    })
  ).join("\n")

const HOSTILE = `</script><img src=x onerror="alert(1)"><!--`
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "report-"))
  await Bun.write(file("s.json"), JSON.stringify({ ...STRATEGY, name: HOSTILE, stray: "</script>" }))
  await Bun.write(file("c.csv"), candles(2_000))
  await Bun.write(file("a.jsonl"), alerts(20, 90))
})
afterAll(() => rmSync(folder, { recursive: true }))

const usual = () => [
  "backtest",
  ...["--strategy", file("s.json")],
  ...["--candles", `BTC/USDT=${file("c.csv")}`],
  ...["--alerts", file("a.jsonl")]
]
const dataOf = async (name: string) => {
  const [, json = ""] = /id="report\.data">(.*?)<\/script>/s.exec(await Bun.file(file(name)).text()) ?? []
  return JSON.parse(json)
}

test("the report holds the result, the settings, and the command that made it", async () => {
  const plain = await signalbox(...usual())
  const { code, error, out } = await signalbox(...usual(), "--html", file("r.html"))
  expect({ code, error, out }).toEqual({ ...plain, code: 0 })
  const { command, data, page, title } = await dataOf("r.html")
  expect({ page, title }).toEqual({ page: "backtest", title: `${HOSTILE}: back-test` })
  expect(command).toStartWith("signalbox backtest --strategy ")
  expect(command).toContain("--html")
  expect(data.settings).toEqual({ ...STRATEGY, name: HOSTILE })
  expect(data.statement.join(" ")).toContain("of the equity with an entry alert")
  expect(data.candles).toEqual([
    { exchange: "binance", pair: "BTC/USDT", from: 1_700_000_000, to: 1_700_119_940, candles: 2_000 }
  ])
  expect(data.result.trades.length).toBeGreaterThan(2)
  // The orders of a back-test have one id: each fill is told apart all the same.
  const roles = data.result.charts[0].chart.markers.map(({ role }: { readonly role: string }) => role)
  expect(roles.slice(0, 4)).toEqual(["open", "close", "open", "close"])
  expect(readdirSync(folder).filter((name) => name.includes("part"))).toEqual([])
})

test("--json prints the same document with and without a report", async () => {
  const plain = await signalbox(...usual(), "--json")
  expect(await signalbox(...usual(), "--json", "--html", file("j.html"))).toEqual(plain)
  expect(existsSync(file("j.html"))).toBe(true)
})

test("an earlier page is replaced; a file of another kind, a folder and standard output are refused at once", async () => {
  await Bun.write(file("old.html"), "<!doctype html><p>old</p>")
  expect((await signalbox(...usual(), "--html", file("old.html"))).code).toBe(0)
  expect((await dataOf("old.html")).page).toBe("backtest")
  const strategy = await Bun.file(file("s.json")).text()
  const refusals: ReadonlyArray<readonly [string, number, string]> = [
    [file("s.json"), 1, "is there already and is no HTML page"],
    [folder, 1, "is there already and is no HTML page"],
    [file("none/r.html"), 1, "cannot be written"],
    ["-", 2, "--html takes the name of a file"],
    ["", 2, "--html takes the name of a file"]
  ]
  for (const [name, code, text] of refusals) {
    const ended = await signalbox(...usual(), "--html", name)
    expect([name, ended.code, ended.out, ended.error]).toEqual([
      name,
      code,
      "",
      expect.stringContaining(text)
    ])
  }
  expect(await Bun.file(file("s.json")).text()).toBe(strategy)
})

test("a year of minutes with a thousand fills and more is a file of less than 1.5 MB that says what it left out", async () => {
  await Bun.write(file("year.csv"), candles(YEAR_OF_MINUTES))
  await Bun.write(file("many.jsonl"), alerts(5_000, 105))
  const args = usual()
    .with(4, `BTC/USDT=${file("year.csv")}`)
    .with(6, file("many.jsonl"))
  expect((await signalbox(...args, "--html", file("y.html"))).code).toBe(0)
  expect(Bun.file(file("y.html")).size).toBeLessThan(1_500_000)
  const { result } = (await dataOf("y.html")).data
  expect([result.trades.length, result.trades_total > 1_200, result.candles]).toEqual([
    1_200,
    true,
    YEAR_OF_MINUTES
  ])
  const { chart } = result.charts[0]
  expect(chart.markers_total).toBeGreaterThan(chart.markers.length)
  expect(chart.candles.length).toBeLessThanOrEqual(2_000)
}, 60_000)

/** The last is no address: it holds a password all the same. */
const URLS = [
  "postgres://ann:geheim@db/bots",
  "postgresql://db/bots?password=geheim",
  "postgres://ann:geheim@"
]

test("the command line is one that a shell takes", () => {
  const addresses = [...URLS, ...URLS.map((url) => `--database=${url}`)]
  expect(commandLine(addresses)).not.toMatch(/ann|geheim/)
  expect(commandLine(addresses)).toStartWith("signalbox postgres://db/bots postgresql://db/bots postgres://")
  expect(commandLine(["backtest", "--candles", "BTC/USDT=a b.csv", "it's", ""])).toBe(
    `signalbox backtest --candles 'BTC/USDT=a b.csv' 'it'\\''s' ''`
  )
})
