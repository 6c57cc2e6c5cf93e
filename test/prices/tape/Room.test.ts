import { afterAll, beforeEach, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { freeBytes, trimmed } from "../../../src/prices/tape/Room.ts"

const folder = mkdtempSync(join(tmpdir(), "room-"))
afterAll(() => rmSync(folder, { recursive: true }))

const NOW = Date.UTC(2026, 10, 23)
const candles = join(folder, "candles")
const months = ["2025-08", "2025-10", "2026-09", "2026-10", "2026-11"]
const paths = months.map((month) => join(candles, "binance", "BTC-USDT-spot", `${month}.csv.gz`))
const day = join(candles, "binance", "BTC-USDT-spot", "2020-01-01.csv.gz")

beforeEach(() => {
  rmSync(candles, { recursive: true, force: true })
  mkdirSync(dirname(day), { recursive: true })
  for (const path of [...paths, day]) writeFileSync(path, new Uint8Array(1000))
})
const names = (removed: ReadonlyArray<string>) => removed.map((path) => basename(path, ".csv.gz"))

test("months that ended before the days that are kept are removed, and no downloaded day", async () => {
  expect(names(await trimmed(candles, { days: 400, bytes: 0 }, NOW))).toEqual(["2025-08"])
  expect(existsSync(day)).toBe(true)
  expect(await trimmed(candles, { days: 400, bytes: 0 }, NOW)).toEqual([])
})

test("the oldest months are removed once all candles take too much, but never the present one", async () => {
  expect(names(await trimmed(candles, { days: 0, bytes: 4500 }, NOW))).toEqual(["2025-08", "2025-10"])
  expect(names(await trimmed(candles, { days: 0, bytes: 1 }, NOW))).toEqual(["2026-09", "2026-10"])
  expect(existsSync(day)).toBe(true)
})

test("without bounds nothing is removed, and a folder that is missing has nothing to remove", async () => {
  expect(await trimmed(candles, { days: 0, bytes: 0 }, NOW)).toEqual([])
  expect(await trimmed(join(folder, "none"), { days: 1, bytes: 1 }, NOW)).toEqual([])
})

test("the free disk of a folder that is not made yet is that of the one above", async () => {
  expect(await freeBytes(join(folder, "not", "yet"))).toBeGreaterThan(0)
})
