// Recorded spreads: from the quotes of the stream to a file, and back into a back-test.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { type MarketId, Pair } from "../../src/domain/Market.ts"
import * as SpreadFiles from "../../src/prices/SpreadFiles.ts"
import * as Tape from "../../src/prices/Tape.ts"
import * as Packing from "../../src/prices/tape/Packing.ts"
import * as Place from "../../src/prices/tape/Place.ts"
import * as Room from "../../src/prices/tape/Room.ts"
import * as SpreadReels from "../../src/prices/tape/SpreadReels.ts"
import * as Writer from "../../src/prices/tape/Writer.ts"
import { it } from "../lib/effect.ts"

const BTC: MarketId = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" }
const MINUTE = 60_000
const BEGIN = Date.UTC(2026, 9, 31, 23, 58)

let folder = ""
let count = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "spreads-"))
})
afterAll(() => rmSync(folder, { recursive: true }))
const aFolder = () => join(folder, String(count++))
const rowsOf = (candles: string) => {
  const { at, percent } = SpreadFiles.read(candles, BTC)
  return Array.from(at, (time, row) => [(time - BEGIN) / MINUTE, percent[row]])
}

/** Quotes three times a minute; the spread of a minute is its number in hundredths of a percent, and at last four times that. */
const quoted = (data: string, minutes: ReadonlyArray<number>) =>
  Effect.zipRight(
    TestClock.setTime(BEGIN + (minutes[0] ?? 0) * MINUTE),
    Effect.gen(function* () {
      const tape = yield* Tape.Tape
      for (const minute of minutes) {
        for (const factor of [1, 1, 4]) {
          const half = ((minute + 1) * factor) / 20_000
          tape.quoted(BTC, 100 * (1 - half), 100 * (1 + half))
        }
        yield* TestClock.adjust(MINUTE)
      }
    }).pipe(Effect.provide(Layer.fresh(Tape.layer({ folder: data }))), Effect.scoped)
  )

it.effect("each minute's mean is recorded in its month, once, over a restart too", () =>
  Effect.gen(function* () {
    const data = aFolder()
    const candles = Place.candlesIn(data)
    yield* quoted(data, [0, 1])
    // The clock was set back.
    yield* quoted(data, [1, 2])
    expect(rowsOf(candles)).toEqual([
      [0, 0.02],
      [1, 0.04],
      [2, 0.06]
    ])
    expect(readdirSync(Place.folderOf(candles, BTC)).sort()).toEqual([
      "2026-10.spreads.gz",
      "2026-11.spreads.gz"
    ])
  })
)

test("a minute without quotes is missing, and quotes that cannot be are left out", () => {
  const reels = SpreadReels.make()
  reels.quoted(BTC, 99, 101, 0)
  for (const [bid, ask] of [
    [0, 1],
    [-1, 1],
    [101, 99],
    [50, 100],
    [Number.NaN, 1],
    [1, Number.POSITIVE_INFINITY]
  ] as const)
    reels.quoted(BTC, bid, ask, 30_000)
  reels.quoted(BTC, 100, 100, 3 * MINUTE)
  expect(reels.take(3 * MINUTE + 59_999)).toEqual([{ market: BTC, rows: [{ at: 0, percent: 2 }] }])
  expect(reels.take(4 * MINUTE)).toEqual([{ market: BTC, rows: [{ at: 3 * MINUTE, percent: 0 }] }])
  expect(reels.take(5 * MINUTE)).toEqual([])
})

test("while the disk is slow, the newest hour waits and no more", () => {
  const reels = SpreadReels.make()
  for (let minute = 0; minute < 200; minute++) reels.quoted(BTC, 99, 101, minute * MINUTE)
  const [page] = reels.take(200 * MINUTE)
  expect(page?.rows).toHaveLength(60)
  expect(page?.rows.at(-1)?.at).toBe(199 * MINUTE)
})

test("other lines, a damaged file and older times are left out", () => {
  const candles = aFolder()
  const place = Place.folderOf(candles, BTC)
  mkdirSync(place, { recursive: true })
  const lines = ["1,0.5", "x,1", "3,", "4,-1", "5,1e3", "2,0.25", "2,0.75", "1,9", "7,0.125"]
  writeFileSync(join(place, "2026-10.spreads.gz"), gzipSync(lines.join("\n")))
  writeFileSync(join(place, "2026-11.spreads.gz"), "this is no gzip")
  const { at, percent } = SpreadFiles.read(candles, BTC)
  expect([...at]).toEqual([1, 2, 7])
  expect([...percent]).toEqual([0.5, 0.25, 0.125])
  expect(SpreadFiles.read(candles, { ...BTC, kind: "swap" }).at).toHaveLength(0)
})

it.effect("a month of spreads is packed, and goes when it is too old", () =>
  Effect.gen(function* () {
    const candles = Place.candlesIn(aFolder())
    const write = Writer.make(candles, Writer.SPREADS)
    for (const minute of [0, 1])
      yield* write([{ market: BTC, rows: [{ at: BEGIN + minute * MINUTE, percent: 0.1 }] }])
    const path = join(Place.folderOf(candles, BTC), "2026-10.spreads.gz")
    const [before, bytes] = [rowsOf(candles), statSync(path).size]
    yield* TestClock.setTime(Date.UTC(2026, 11, 5))
    const packing = yield* Effect.fork(Packing.packing(candles))
    yield* TestClock.adjust("1 minute")
    while (statSync(path).size === bytes) yield* Effect.promise(() => Bun.sleep(1))
    yield* Fiber.interrupt(packing)
    expect(before).toHaveLength(2)
    expect(rowsOf(candles)).toEqual(before)
    const gone = yield* Effect.promise(() => Room.trimmed(candles, Room.USUAL, Date.UTC(2027, 11, 31)))
    expect(gone).toEqual([path])
    expect(rowsOf(candles)).toEqual([])
  })
)
