// The Back-test page's data: files, the request, and errors by field.
import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import { MAX_BACKTEST_BYTES } from "../../src/api/Backtests.ts"
import { read } from "../../src/domain/requests/BacktestRequest.ts"
import * as Member from "../../src/prices/tape/Member.ts"
import { glanceAt, kindOf, MOST_BYTES, membersOf, pairIn, textOf } from "../../src/web/page/backtest/files.ts"
import { OFF } from "../../src/web/page/backtest/fills.ts"
import * as Setup from "../../src/web/page/backtest/setup.ts"
import { STRATEGY } from "../lib/strategy.ts"

test.each([
  ["binance_BTCUSDT_1m_2023-03-16_05-01.csv.gz", "BTC/USDT"],
  ["bitfinex_BTCUSD_1m.csv", "BTC/USD"],
  ["kraken_BTCUSDC_1m.csv.gz", "BTC/USDC"],
  ["binance_XRPETH_5m.csv", "XRP/ETH"],
  ["kraken_BTC-USD.csv", "BTC/USD"],
  ["eth_usdt.csv", "ETH/USDT"],
  ["1000PEPE-USDT.csv", "1000PEPE/USDT"],
  ["2026-11.csv.gz", undefined],
  ["candles.csv", undefined]
])("the name %s is of %p", (name, pair) => expect(pairIn(name)).toBe(pair))

describe("files", () => {
  test("are unpacked if they are gzip, whatever their name", async () => {
    expect(await textOf(new File(["a,b\n"], "a.csv.gz"))).toBe("a,b\n")
    expect(await textOf(new File([Bun.gzipSync("a,b\n")], "a.csv"))).toBe("a,b\n")
    const torn = new File([Bun.gzipSync("a,b\n").slice(0, 12)], "a.csv.gz")
    expect(textOf(torn)).rejects.toThrow("cannot be unpacked")
  })
  test("in recording are unpacked, without a truncated last member", async () => {
    const rows = Array.from({ length: 200 }, (_, minute) => `${1672531200000 + minute * 60_000},1,1,1,1,1\n`)
    const members = rows.map(Member.encode)
    expect(await textOf(new File(members, "2023-01.csv.gz"))).toBe(rows.join(""))
    const last = members.at(-1) ?? Buffer.alloc(0)
    const torn = new File([...members.slice(0, -1), last.subarray(0, 40)], "2023-01.csv.gz")
    expect(await textOf(torn)).toBe(rows.slice(0, -1).join(""))
    expect(membersOf(Bun.gzipSync("a,b\n"))).toHaveLength(1)
  })
  test("are described by their first and last row", () => {
    const rows = "1672531200000,1,1,1,1,1\n1672531260000,1,1,1,1,1\n"
    const told = { rows: 2, from: 1_672_531_200, to: 1_672_531_260 }
    expect(glanceAt(rows)).toEqual(told)
    expect(glanceAt(`time,open\n${rows}`)).toEqual(told)
    expect(glanceAt(`\ufeff${rows.trimEnd()}`)).toEqual(told)
    expect(glanceAt("")).toEqual({ rows: 0, from: undefined, to: undefined })
    // The server reads these as the same times.
    expect(glanceAt(rows.replaceAll("000,", ","))).toEqual(told)
    expect(glanceAt(rows.replaceAll("000,", "000000,"))).toEqual(told)
    expect(glanceAt("time\n2023-01-01T00:00:00Z,1\n2023-01-01T01:01:00+01:00,1")).toEqual(told)
    expect(glanceAt("[[1672531200000,1,1,1,1,1],\n[1672531260000,1,1,1,1,1]]\n")).toEqual(told)
  })
  test("alerts and lists of trades are told apart", () => {
    expect([`\n {"time":1}`, "Trade #,Type,Date", ""].map(kindOf)).toEqual(["alerts", "trades", "trades"])
  })
  test("may be as large as the server accepts", () => expect(MOST_BYTES).toBe(MAX_BACKTEST_BYTES))
})

const recording = {
  exchange: "binance",
  pair: "ETH/USDT",
  kind: "spot",
  from: 1000,
  to: 900_000,
  bytes: 1
} as const
const file: Setup.Source = {
  ...{ kind: "file", key: 1, name: "a.csv", pair: " btc/usdt ", csv: "1,1,1,1,1,1\n" },
  glance: { rows: 1, from: 60, to: 120 }
}
const recorded: Setup.Source = { kind: "recorded", key: 2, recording, from: "1970-01-02", to: "1970-01-03" }
const sent = { choice: "none", name: "", text: "", pair: "", rule: "" }
const setup: Setup.Setup = { sources: [file, recorded], sent, balance: "", fills: OFF }

describe("a setup", () => {
  test("is a request that the server understands", () => {
    const rule = JSON.stringify({
      ...{ markets: [{ exchange: "binance", pairs: ["BTC/USDT"] }], timeframe: "1h" },
      on: [{ type: "buy", when: "close > open" }]
    })
    const choices = [
      ...[sent, { ...sent, choice: "signal:3" }, { ...sent, choice: "file", text: "{}" }],
      { ...sent, choice: "rule", rule }
    ]
    const payloads = choices.map((sent) => Setup.payloadOf(STRATEGY, { ...setup, sent, balance: "12,5" }))
    for (const payload of payloads) expect(Either.isRight(read(payload))).toBe(true)
    expect(payloads[0]).toEqual({
      strategy: STRATEGY,
      candles: [
        { pair: "BTC/USDT", csv: "1,1,1,1,1,1\n" },
        { pair: "ETH/USDT", exchange: "binance", kind: "spot", from: 86_400, to: 3 * 86_400 - 1 }
      ],
      balance: 12.5
    })
    // Alerts on record are those of the whole time that there are candles of.
    expect(payloads[1]?.alerts).toEqual({ recorded: "signal", id: 3, from: 60, to: 3 * 86_400 - 1 + 59 })
    expect(payloads[2]?.alerts).toEqual({ text: "{}" })
  })

  test("reports what is missing, under the field names of the server's errors", () => {
    expect(Setup.missing({ ...setup, sources: [], sent: { ...sent, choice: "file" }, balance: "x" })).toEqual(
      {
        candles: ["choose a file or recorded prices"],
        alerts: ["choose a file"],
        balance: ["must be an amount of 0 or more, at most 1e12"]
      }
    )
    const twice: Setup.Source = { ...file, key: 3, pair: "ETH/USDT" }
    const late: Setup.Source = { ...recorded, from: "1970-01-04" }
    expect(Setup.missing({ ...setup, sources: [{ ...file, pair: "" }, late, twice] })).toEqual({
      "candles[0].pair": ["must be a pair like BTC/USDT"],
      "candles[1].to": ["must not be before the first day"],
      "candles[2].pair": ["has candles already: each pair is given once"]
    })
    expect(Setup.missing(setup)).toEqual({})
  })

  test("sends fills nearer to life only where some are on, and reports their errors by name", () => {
    const typed = { ...OFF, slippage: "0", spread: "0,5", latency: "250", hasFunding: true }
    const payload = Setup.payloadOf(STRATEGY, { ...setup, fills: typed })
    expect(payload.fills).toEqual({ spread_percent: 0.5, latency_ms: 250, funding: true })
    expect(Either.getOrThrow(read(payload)).fillModel).toEqual({
      spreadPercent: 0.5,
      latencyMs: 250,
      funding: true
    })
    const ticks = { ...OFF, slippage: "3", slippageIn: "ticks", limits: "through" } as const
    expect(Setup.payloadOf(STRATEGY, { ...setup, fills: ticks }).fills).toEqual({
      slippage_ticks: 3,
      limits: "through"
    })
    const recorded = { ...OFF, spread: "x", spreadIn: "recorded" } as const
    expect(Setup.payloadOf(STRATEGY, { ...setup, fills: recorded }).fills).toEqual({ spread: "recorded" })
    expect(Setup.missing({ ...setup, fills: recorded })).toEqual({})
    const wrong = { ...ticks, slippage: "1.5", spread: "11", latency: "x" }
    expect(Setup.missing({ ...setup, fills: wrong })).toEqual({
      "fills.slippage_ticks": ["must be a whole number from 0 to 1000"],
      "fills.spread_percent": ["must be from 0 to 10"],
      "fills.latency_ms": ["must be a whole number of ms from 0 to 600000"]
    })
  })

  test("assigns errors to their fields", () => {
    const errors = {
      "strategy.stop_loss": ["a"],
      "candles[1].csv": ["b"],
      "candles[10]": ["c"],
      balance: ["d"]
    }
    expect(Setup.strategyErrors(errors)).toEqual({ stop_loss: ["a"] })
    expect(Setup.errorsUnder(errors, "candles[1]")).toEqual(["b"])
    expect(Setup.errorsUnder(errors, "alerts")).toBeUndefined()
  })
})
