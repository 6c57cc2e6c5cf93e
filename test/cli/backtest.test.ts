// `backtest`: its document and table, its input formats, and its errors with their lines.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Command from "@effect/cli/Command"
import * as BunContext from "@effect/platform-bun/BunContext"
import * as Cause from "effect/Cause"
import type * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { backtest } from "../../src/cli/backtest.ts"
import { UsageError } from "../../src/cli/program/usage.ts"
import * as Member from "../../src/prices/tape/Member.ts"
import { STRATEGY } from "../lib/strategy.ts"

let folder = ""
const file = (name: string) => join(folder, name)

const strategy = { ...STRATEGY, sell_minprofitpercent: 5 }
const market = {
  price_step: 0.01,
  amount_step: 0.0001,
  min_amount: 0.0001,
  min_cost: 5,
  active: true,
  buy_enabled: true
}
const candles = "ts,o,h,l,c,v\n60000,100,101,99,100,1\n120000,100,120,99,119,1\n180000,119,119,118,118,1\n"
const alerts = [
  { time: 60000, coin: "BTC", quote_currency: "USDT", type: "buy" },
  { time: 120000, coin: "BTC", quote_currency: "USDT", type: "buy" },
  { time: 150000, coin: "BTC", quote_currency: "USDT", type: "long" },
  { time: 900000, coin: "BTC", quote_currency: "USDT", type: "sell" }
]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backtest-"))
  await Bun.write(file("s.json"), JSON.stringify(strategy))
  await Bun.write(file("bad.json"), JSON.stringify({ ...strategy, buy_percentage: 101, stop_loss: true }))
  await Bun.write(file("m.json"), JSON.stringify(market))
  await Bun.write(file("c.csv"), candles)
  await Bun.write(file("c.csv.gz"), Bun.gzipSync(candles))
  await Bun.write(file("broken.csv"), `${candles}240000,1,2\n`)
  await Bun.write(file("a.jsonl"), alerts.map((alert) => JSON.stringify(alert)).join("\n"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const warnings: Array<string> = []

/** Runs the command; returns its output, or its exit code and error. */
const run = async (...args: ReadonlyArray<string>) => {
  const lines: Array<string> = []
  const quiet: Console.Console = {
    ...(await Effect.runPromise(Effect.console)),
    log: (line) => Effect.sync(() => void lines.push(String(line))),
    error: (line) => Effect.sync(() => void warnings.push(String(line)))
  }
  const exit = await Command.run(Command.make("signalbox").pipe(Command.withSubcommands([backtest])), {
    name: "signalbox",
    version: "0"
  })(["bun", "signalbox", "backtest", ...args]).pipe(
    Effect.provide(BunContext.layer),
    Effect.withConsole(quiet),
    Effect.runPromiseExit
  )
  if (Exit.isSuccess(exit)) return lines.join("\n")
  const failure = Option.getOrUndefined(Cause.failureOption(exit.cause))
  return `${failure instanceof UsageError ? 2 : 1} ${failure instanceof Error ? failure.message : ""}`
}
const usual = () => ["--strategy", file("s.json"), "--market", `BTC/USDT=${file("m.json")}`, "--any-time"]

test("a misspelt field of a strategy is ignored, and named with the field that was meant", async () => {
  warnings.length = 0
  await Bun.write(file("misspelt.json"), JSON.stringify({ ...strategy, stop_los: true }))
  await run(
    ...usual().with(1, file("misspelt.json")),
    "--alerts",
    file("a.jsonl"),
    "--candles",
    `BTC/USDT=${file("c.csv")}`
  )
  expect(warnings).toEqual([
    `${file("misspelt.json")}: stop_los is ignored: no strategy has this field: did you mean stop_loss?`
  ])
})

test("--json prints the documented fields, for plain and for gzipped candles", async () => {
  const args = [...usual(), "--alerts", file("a.jsonl"), "--json"]
  const told = await run(...args, "--candles", `BTC/USDT=${file("c.csv.gz")}`)
  expect(told).toBe(await run(...args, "--candles", `BTC/USDT=${file("c.csv")}`))
  const { figures, performance, points, ...rest } = JSON.parse(told)
  expect(performance.summary).toMatchObject({
    period: { start: "1970-01-01", end: "1970-01-01", timezone: "UTC" },
    starting_equity: 10000,
    trade_count: 1
  })
  // In at 100 with a fee of 5; out at the target; in again at 119, which is 118 at the end.
  expect(points).toEqual([
    [60000, 10000, 0, 10000],
    [60000, 9995, -0.05, 10000],
    [120000, 10250.5, 0, 11900],
    [180000, 10202.3054533, -0.4702, 11800]
  ])
  const sums = { trades: 1, wins: 1, net_pnl: 250.5, fees: 5 }
  expect(figures).toEqual({
    currency: "USDT",
    since: 60000,
    until: 180000,
    samples: 3,
    marked: {
      starting_equity: 10000,
      equity: 10202.3054533,
      return_pct: 2.0231,
      max_drawdown_pct: -0.4702,
      drawdown_now_pct: -0.4702,
      longest_drawdown_ms: 60000,
      longest_drawdown_recovered: true,
      exposure_pct: 33.2797,
      time_in_market_pct: 66.6667,
      hold_return_pct: 18,
      annual_return_pct: null,
      sharpe: null,
      sortino: null,
      calmar: null
    },
    completed: {
      trades: 1,
      expectancy: 250.5,
      expectancy_ratio: null,
      by_pair: [{ exchange: "binance", pair: "BTC/USDT", kind: "spot", ...sums }],
      by_exit_reason: [{ exit_reason: "take_profit", ...sums }],
      by_month: [{ month: "1970-01", ...sums }]
    }
  })
  // The cost is 5005 for 50: the target is 5005 x 1.05 / 50 = 105.105, rounded to 105.11.
  expect(rest).toEqual({
    trades: [
      {
        exchange: "binance",
        pair: "BTC/USDT",
        kind: "spot",
        side: "long",
        opened_at: 60000,
        closed_at: 120000,
        entry_price: 100,
        exit_price: 105.11,
        quantity: 50,
        cost: 5005,
        proceeds: 5255.5,
        fees: 5,
        pnl: 250.5,
        profit_pct: expect.closeTo(5.004995, 6),
        exit_reason: "take_profit",
        entries: 1,
        exits: 1,
        exit_fills: [{ at: 120000, price: 105.11, quantity: 50, reason: "take_profit" }]
      }
    ],
    ignored: [
      { time: 120000, reason: "already_open" },
      { time: 900000, reason: "no_price" }
    ],
    open: [
      {
        exchange: "binance",
        pair: "BTC/USDT",
        kind: "swap",
        side: "long",
        opened_at: 180000,
        entry_price: 119,
        quantity: 43.0693,
        cost: expect.closeTo(5130.3719, 3),
        fees: expect.closeTo(5.1252, 3),
        entries: 1
      }
    ],
    ambiguous_candles: 0,
    candles: 3
  })
})

test("times in seconds, in microseconds, as dates and in freqtrade's JSON give the same trades as milliseconds", async () => {
  const began = Date.UTC(2024, 0, 31, 13)
  const rows = candles
    .split("\n")
    .slice(1, -1)
    .map((line) => line.split(","))
  const at = (cells: ReadonlyArray<string>) => began + Number(cells[0])
  const written = (time: (at: number) => string) =>
    rows.map((cells) => [time(at(cells)), ...cells.slice(1)].join(",")).join("\n")
  const sent = alerts.map((alert) => JSON.stringify({ ...alert, time: began + alert.time }))
  await Bun.write(file("real.jsonl"), sent.join("\n"))
  const told = async (name: string, text: string | Uint8Array) => {
    await Bun.write(file(name), text)
    const args = [...usual().slice(0, -1), "--alerts", file("real.jsonl"), "--json"]
    return run(...args, "--candles", `BTC/USDT=${file(name)}`)
  }
  const expected = await told("ms.csv", written(String))
  expect(JSON.parse(expected).trades).toMatchObject([{ opened_at: began + 60_000, exit_price: 105.11 }])
  expect(
    await told(
      "s.csv",
      written((time) => String(time / 1000))
    )
  ).toBe(expected)
  expect(
    await told(
      "us.csv",
      written((time) => `${time}000`)
    )
  ).toBe(expected)
  expect(
    await told(
      "iso.csv",
      written((time) => new Date(time).toISOString())
    )
  ).toBe(expected)
  const lists = JSON.stringify(rows.map((cells) => [at(cells), ...cells.slice(1).map(Number)]))
  expect(await told("BTC_USDT-1m.json", lists)).toBe(expected)
  expect(await told("BTC_USDT-1m.json.gz", Bun.gzipSync(lists))).toBe(expected)
  expect(await told("mixed.csv", `${written(String)}\n${began + 240_000}000,118,118,118,118,1`)).toBe(
    `1 ${file("mixed.csv")}: line 4: timestamp is written in microseconds, and those before it in milliseconds`
  )
  expect(await told("c.csv", candles)).toBe(
    `1 ${file("c.csv")}: line 2: its time is in the year 1970, and not from 2009 to a year from now: say --any-time (any_time in a request) if times are made up`
  )
})

test("the command prints a table; alerts and balance are optional", async () => {
  const told = await run(...usual(), "--candles", `BTC/USDT=${file("c.csv")}`, "--balance", "500")
  expect(told).toContain("starting equity    500")
  expect(told).toContain("3 candles, 0 of them ambiguous; 0 positions still open.")
})

test("an error names the line, and exits with 1 for files and markets, with 2 for the command line", async () => {
  const candles = ["--candles", `BTC/USDT=${file("c.csv")}`]
  expect(await run(...usual(), "--candles", `BTC/USDT=${file("broken.csv")}`)).toBe(
    `1 ${file("broken.csv")}: line 5: has 3 fields, needs timestamp,open,high,low,close,volume`
  )
  expect(await run(...usual(), "--candles", `BTC/USDT=${file("none.csv")}`)).toContain(
    "there is no such file"
  )
  expect(await run(...usual(), "--candles", `NOPE/USDT=${file("c.csv")}`)).toContain(
    "there is no market NOPE/USDT"
  )
  expect(await run("--strategy", file("bad.json"), ...candles)).toContain(
    "buy_percentage must be from 0 to 100"
  )
  expect(await run("--strategy", file("c.csv"), ...candles)).toContain("1 ")
  expect(await run(...usual(), "--candles", "BTC/USDT=")).toStartWith("2 ")
  expect(await run(...usual(), "--candles", "BTC")).toStartWith("2 ")
  expect(await run(...usual(), ...candles, ...candles)).toStartWith("2 ")
  expect(await run(...usual(), ...candles, "--balance", "-1")).toStartWith("2 ")
})

describe("recorded candles", () => {
  const MINUTE = 60_000
  const DAY = Date.UTC(2026, 9, 31)
  /** Writes recorded minutes of a market beside a database, from a time on, at prices that rise by one. */
  const record = async (data: string, market: string, month: string, begin: number, price: number) => {
    const rows = Array.from({ length: 3 }, (_, minute) => {
      const open = price + minute
      return `${begin + minute * MINUTE},${open},${open + 0.5},${open - 0.5},${open},1\n`
    })
    // The recorder writes one gzip member after the other.
    const packed = Buffer.concat(rows.map((row) => Member.encode(row)))
    await Bun.write(join(folder, data, "candles", market, `${month}.csv.gz`), packed)
  }
  const late = DAY + 1440 * MINUTE - 3 * MINUTE
  beforeAll(async () => {
    await record("data", "binance/BTC-USDT-spot", "2026-11", DAY + 1440 * MINUTE, 200)
    await record("data", "binance/BTC-USDT-spot", "2026-10", late, 100)
    await record("data", "binance/BTC-USDT-swap", "2026-10", late, 900)
    await record("data", "okx/BTC-USDT-spot", "2026-10", late, 500)
    await record("data", "binance/ETH-USDT-swap", "2026-10", late, 50)
    await Bun.write(file("data/candles/binance/BTC-USDT-spot/2026-09.csv.gz.damaged"), "no candles")
    const lists = { exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/USDT"] }
    await Bun.write(file("two.json"), JSON.stringify({ ...strategy, exchanges: [lists] }))
    const sent = [late, late + 3 * MINUTE].map((time) => ({ ...alerts[0], time }))
    await Bun.write(file("sent.jsonl"), sent.map((alert) => JSON.stringify(alert)).join("\n"))
  })
  const tell = async (...args: ReadonlyArray<string>) => {
    const told = await run(...usual(), "--alerts", file("sent.jsonl"), "--json", ...args)
    if (!told.startsWith("{")) return told
    const { candles, ignored, open, trades } = JSON.parse(told)
    return {
      candles,
      bought: [...trades, ...open].map(({ entry_price: price }) => price),
      ignored: ignored.length
    }
  }
  const db = () => ["--db", file("data/none.db")]

  test("are those of the pair's spot market, sorted by month; a file and a folder give the same", async () => {
    const all = { candles: 6, bought: [100, 200], ignored: 0 }
    expect(await tell("--candles", "btc/usdt", ...db())).toEqual(all)
    expect(await tell("--candles", `BTC/USDT=${file("data/candles/binance/BTC-USDT-spot")}`)).toEqual(all)
    expect(await tell("--candles", `BTC/USDT=${file("data/candles/binance/BTC-USDT-swap")}`)).toMatchObject({
      candles: 3,
      bought: [900]
    })
  })

  test("are those of the perpetual if only that was recorded", async () => {
    const told = await run("--strategy", file("two.json"), "--candles", "ETH/USDT", ...db(), "--json")
    expect(JSON.parse(told).candles).toBe(3)
  })

  test("are limited by --from and --to, as alerts are, with both days included", async () => {
    const some = ["--candles", "BTC/USDT", ...db()]
    expect(await tell(...some, "--to", "2026-10-31")).toEqual({ candles: 3, bought: [100], ignored: 0 })
    expect(await tell(...some, "--from", "2026-11-01")).toEqual({ candles: 3, bought: [200], ignored: 0 })
    expect(await tell(...some, "--from", "2026-10-31", "--to", "2026-11-01")).toMatchObject({ candles: 6 })
    expect(await tell(...some, "--from", "2026-11-02")).toContain("holds no candles from --from to --to")
    for (const bad of ["2026-11-31", "yesterday", "2026-1-1"]) {
      expect(await tell(...some, "--from", bad)).toBe("2 --from takes a day, like 2026-11-01")
    }
    expect(await tell(...some, "--from", "2026-11-02", "--to", "2026-11-01")).toBe("2 --from is after --to")
  })

  test("that are missing are reported with the folder and its content; overlapping files are rejected", async () => {
    expect(await run("--strategy", file("s.json"), "--candles", "ETH/BTC", ...db())).toBe(
      `1 ${file("data/candles")}: there are no stored candles of ETH/BTC on binance: signalbox candles download binance ETH/BTC --from DAY fetches them; there are binance/BTC-USDT-spot, binance/BTC-USDT-swap, binance/ETH-USDT-swap, okx/BTC-USDT-spot`
    )
    expect(await run(...usual(), "--candles", "BTC/USDT", "--db", file("none.db"))).toBe(
      `1 ${file("candles")}: there are no stored candles of BTC/USDT on binance: signalbox candles download binance BTC/USDT --from DAY fetches them; nothing is stored there yet`
    )
    await record("twice", "x", "2026-10", late, 100)
    await record("twice", "x", "2026-11", late + 2 * MINUTE, 100)
    const [october, november] = ["2026-10", "2026-11"].map((month) => file(`twice/candles/x/${month}.csv.gz`))
    expect(await tell("--candles", `BTC/USDT=${file("twice/candles/x")}`)).toBe(
      `1 ${november}: it overlaps in time with ${october}, which is of the same market`
    )
    expect(await tell("--candles", `BTC/USDT=${file("data/candles")}`)).toContain("holds no candles")
  })
})

describe("--fills", () => {
  const perpetual = ["long", "close_long"].map((type, index) =>
    JSON.stringify({ time: 60_000 + index * 120_000, coin: "BTC", quote_currency: "USDT", type })
  )
  const told = async (...args: ReadonlyArray<string>) =>
    JSON.parse(
      await run(
        ...usual(),
        "--candles",
        `BTC/USDT=${file("c.csv")}`,
        "--alerts",
        file("a.jsonl"),
        ...args,
        "--json"
      )
    )

  test("changes the fills, and says so with its values, in JSON, in the table and in the report", async () => {
    const fills = ["--fills", "limits=through,slippage=1%"]
    const { fills: shown, trades } = await told(...fills)
    expect(shown).toEqual({
      slippage_percent: 1,
      limits: "through",
      text: "slippage=1%,limits=through",
      remarks: []
    })
    expect(trades[0].entry_price).toBe(101)
    const table = await run(
      ...usual(),
      ...["--candles", `BTC/USDT=${file("c.csv")}`, "--alerts", file("a.jsonl"), ...fills],
      ...["--html", file("fills.html")]
    )
    const words = "slippage of 1 % on market orders; limits fill only where the price goes through them"
    expect(table).toStartWith(`Fills nearer to life: ${words}.`)
    expect(await Bun.file(file("fills.html")).text()).toContain('"text":"slippage=1%,limits=through"')
  })

  test("that is all off is no option at all, to the last byte", async () => {
    const off = await told("--fills", "slippage=0%,latency=0ms,limits=touched,funding=off")
    expect(off).toEqual(await told())
    expect(off.fills).toBeUndefined()
  })

  test("takes stored funding rates, and says for which times there are none", async () => {
    await Bun.write(file("p.jsonl"), perpetual.join("\n"))
    await Bun.write(file("candles/binance/BTC-USDT-swap/funding.csv"), "120000,0.001\n")
    const args = ["--fills", "funding=on", "--db", file("signalbox.db"), "--alerts", file("p.jsonl")]
    const plain = [...usual(), "--candles", `BTC/USDT=${file("c.csv")}`]
    const { fills, trades } = JSON.parse(await run(...plain, ...args, "--json"))
    // 10 BTC, at the open of 100, pay a thousandth.
    expect(fills).toMatchObject({ funding: true, text: "funding=on", remarks: [] })
    expect(fills.funding_received).toBeCloseTo(-trades[0].quantity * 100 * 0.001, 9)
    expect(trades[0].funding).toBe(fills.funding_received)
    expect(await run(...plain, ...args)).toContain(`Funding came to ${fills.funding_received}.`)
  })

  test("takes the spreads that a server recorded, and says for which times there are none", async () => {
    await Bun.write(file("p.jsonl"), perpetual.join("\n"))
    const args = ["--fills", "spread=recorded", "--db", file("signalbox.db"), "--alerts", file("p.jsonl")]
    const plain = [...usual(), "--candles", `BTC/USDT=${file("c.csv")}`]
    const before = JSON.parse(await run(...plain, ...args, "--json"))
    expect(before.fills.remarks).toHaveLength(1)
    expect(before.fills.remarks[0]).toStartWith(
      "The spread of the perpetual of BTC/USDT on binance is not recorded"
    )
    const month = Member.encode("0,2\n")
    await Bun.write(file("candles/binance/BTC-USDT-swap/1970-01.spreads.gz"), month)
    const { fills, trades } = JSON.parse(await run(...plain, ...args, "--json"))
    expect(fills).toEqual({ spread: "recorded", text: "spread=recorded", remarks: [] })
    expect(trades[0].entry_price).toBeCloseTo(before.trades[0].entry_price * 1.01, 6)
    expect(await run(...plain, ...args)).toContain(
      "Fills nearer to life: the recorded spread of each minute, half on each side."
    )
  })

  test("is refused with its form where it cannot be read", async () => {
    const form =
      /^2 --fills takes slippage=0\.05% or slippage=2ticks, spread=0\.02% or spread=recorded, latency=500ms/
    const plain = [...usual(), "--candles", `BTC/USDT=${file("c.csv")}`]
    expect(await run(...plain, "--fills", "slippage=1")).toMatch(form)
    expect(await run(...plain, "--fills", "latency=700000ms")).toBe(
      "2 --fills latency must be a whole number of ms from 0 to 600000"
    )
  })
})
