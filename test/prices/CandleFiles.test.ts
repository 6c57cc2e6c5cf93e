import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import * as Either from "effect/Either"
import { type FileTimes, MADE_UP, real } from "../../src/domain/candles/CandleTime.ts"
import * as CandleFiles from "../../src/prices/CandleFiles.ts"
import * as Member from "../../src/prices/tape/Member.ts"

let root = ""
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "candle-files-"))
})
afterAll(() => rmSync(root, { recursive: true }))

const row = (at: number, price: number) => `${at},${price},${price},${price},${price},1\n`
const members = (...rows: ReadonlyArray<string>) => Buffer.concat(rows.map((row) => Member.encode(row)))

/** A folder of these files; what the reader makes of it: times and closes by market, or what it says. */
const read = (files: Record<string, string | Buffer>, path = ""): unknown => {
  const folder = join(root, String(count++))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return Either.match(CandleFiles.read(join(folder, path), MADE_UP), {
    onLeft: ({ message }) => message.replaceAll(`${folder}/`, ""),
    onRight: (found) =>
      found.map(({ columns, exchange, pair }) => [exchange, pair, [...columns.at], [...columns.close]])
  })
}

test("months of one market form one recording sorted by time, whatever their number of gzip members", () => {
  const files = {
    "binance/BTC-USDT-spot/2026-10.csv.gz": members(row(1, 10), row(2, 11)),
    "binance/BTC-USDT-spot/2026-11.csv.gz": members(row(5, 12), row(6, 13)),
    "okx/ETH-USDT-spot/2026-10.csv.gz": members(row(1, 7))
  }
  const btc = ["binance", "BTC/USDT", [1, 2, 5, 6], [10, 11, 12, 13]]
  expect(read(files)).toEqual([btc, ["okx", "ETH/USDT", [1], [7]]])
  expect(read(files, "binance")).toEqual([btc])
  expect(read(files, "binance/BTC-USDT-spot/2026-11.csv.gz")).toEqual([
    ["binance", "BTC/USDT", [5, 6], [12, 13]]
  ])
})

test("funding rates and spreads that lie beside candles are not read as candles", () => {
  const files = {
    "binance/BTC-USDT-swap/2026-10.csv.gz": members(row(1, 10)),
    "binance/BTC-USDT-swap/2026-10.spreads.gz": members("1,0.01\n"),
    "binance/BTC-USDT-swap/funding.csv": "1,0.0001\n"
  }
  expect(read(files)).toEqual([["binance", "BTC/USDT", [1], [10]]])
})

test("parts of a market may have any names and folders", () => {
  expect(
    read({
      "a/kraken_BTC-USD_later.csv": row(9, 2),
      "b/kraken_BTC-USD_earlier.csv.gz": gzipSync(`ts,o,h,l,c,v\n${row(1, 1)}`),
      "b/kraken_BTC-USD_empty.csv": ""
    })
  ).toEqual([["kraken", "BTC/USD", [1, 9], [1, 2]]])
})

test("one price serves spot and perpetual; the perpetual's is used if there is no other", () => {
  const files = {
    "bybit/BTC-USDT-spot/2026-10.csv.gz": members(row(1, 10)),
    "bybit/BTC-USDT-swap/2026-10.csv.gz": members(row(1, 11)),
    "bybit/ETH-USDT-swap/2026-10.csv.gz": members(row(1, 5)),
    "okx/BTC-USDT-swap/2026-10.csv.gz": members(row(1, 12))
  }
  expect(read(files)).toEqual([
    ["bybit", "BTC/USDT", [1], [10]],
    ["bybit", "ETH/USDT", [1], [5]],
    ["okx", "BTC/USDT", [1], [12]]
  ])
})

test("a part cut short by a crash is omitted; overlapping files are refused by name", () => {
  const torn = members(row(1, 10), row(2, 11))
  expect(read({ "binance/BTC-USDT-spot/2026-10.csv.gz": torn.subarray(0, torn.length - 1) })).toEqual([
    ["binance", "BTC/USDT", [1], [10]]
  ])
  expect(read({ "binance_BTCUSDT_1m.csv": row(1, 1) + row(5, 1), "binance_BTCUSDT_1h.csv": row(3, 1) })).toBe(
    "cannot replay binance_BTCUSDT_1h.csv: it overlaps in time with binance_BTCUSDT_1m.csv, which is of the same market"
  )
  expect(read({ "2026-10.csv.gz": torn })).toContain("its name has no market")
})

test("a freqtrade folder is read by its file names, and other JSON is ignored", () => {
  const lists = (...rows: ReadonlyArray<readonly [number, number]>) =>
    JSON.stringify(rows.map(([at, price]) => [at, price, price, price, price, 1]))
  const files = {
    "binance/BTC_USDT-5m.json": lists([1, 10], [2, 11]),
    "binance/futures/ETH_USDT_USDT-1h-futures.json.gz": gzipSync(lists([1, 7])),
    "binance/futures/ETH_USDT_USDT-1h-mark.json": lists([1, 8]),
    "binance/strategy.json": "{}"
  }
  expect(read(files)).toEqual([
    ["binance", "BTC/USDT", [1, 2], [10, 11]],
    ["binance", "ETH/USDT", [1], [7]]
  ])
})

test("a file may name its exchange as people write it", () => {
  const files = { "Binance_BTCUSDT_1h.csv": row(1, 10), "OKEX_ETH-USDT.csv": row(1, 7) }
  expect(read(files)).toEqual([
    ["binance", "BTC/USDT", [1], [10]],
    ["okx", "ETH/USDT", [1], [7]]
  ])
})

test("implausible times are refused with file, line and year, unless they are made up", () => {
  const folder = join(root, String(count++))
  mkdirSync(folder)
  writeFileSync(join(folder, "binance_BTC-USDT.csv"), row(60_000, 10))
  const told = (times: FileTimes) =>
    Either.match(CandleFiles.read(folder, times), {
      onLeft: ({ message }) => message,
      onRight: (found) => found.length
    })
  expect(told(MADE_UP)).toBe(1)
  expect(told(real(Date.UTC(2026, 0, 1)))).toMatch(
    /^cannot replay .*binance_BTC-USDT.csv: line 1: its time is in the year 1970, .*--any-time/
  )
})
