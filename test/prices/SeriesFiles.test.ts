// Recorded months and downloaded days of one market are one series for everybody who reads them.
import { describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect, Either, Option, TestClock } from "effect"
import * as RecordedOfBacktests from "../../src/backtests/Recorded.ts"
import { DAY_MS } from "../../src/domain/candles/CandleSeries.ts"
import { MADE_UP } from "../../src/domain/candles/CandleTime.ts"
import { Pair } from "../../src/domain/Market.ts"
import { read } from "../../src/prices/CandleFiles.ts"
import * as Recorded from "../../src/prices/Recorded.ts"
import * as Member from "../../src/prices/tape/Member.ts"
import * as Place from "../../src/prices/tape/Place.ts"
import * as Recordings from "../../src/prices/tape/Recordings.ts"
import * as SeriesFiles from "../../src/prices/tape/SeriesFiles.ts"
import { Candles } from "../../src/services/feeds/Candles.ts"
import { it } from "../lib/effect.ts"

const MINUTE = 60_000
const JUNE = Date.UTC(2026, 5, 1)
const market = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" } as const

const data = mkdtempSync(join(tmpdir(), "series-"))
process.on("exit", () => rmSync(data, { recursive: true, force: true }))
const candles = Place.candlesIn(data)
const folder = Place.folderOf(candles, market)

const write = (path: string, rows: ReadonlyArray<readonly [at: number, price: number]>) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(
    path,
    Member.encode(rows.map(([at, price]) => `${at},${price},${price},${price},${price},1\n`).join(""))
  )
}
const file = (name: string) => join(folder, name)

// Recorded: two minutes of the first day, and one of the third. Downloaded: the first two days, of which the second has no
// candle, and the beginning of the third.
write(file("2026-06.csv.gz"), [
  [JUNE, 1],
  [JUNE + 3 * MINUTE, 2],
  [JUNE + 2 * DAY_MS + 5 * MINUTE, 3]
])
write(file("2026-06-01T0002.csv.gz"), [[JUNE, 8]])
write(file("2026-06-01.csv.gz"), [
  [JUNE, 10],
  [JUNE + MINUTE, 11]
])
write(file("2026-06-02.csv.gz"), [])
write(file("2026-06-03T0002.csv.gz"), [[JUNE + 2 * DAY_MS, 20]])
write(join(folder, "1h", "2026-06-01.csv.gz"), [[JUNE, 99]])

const WHOLE = [
  [JUNE, 10],
  [JUNE + MINUTE, 11],
  [JUNE + 3 * MINUTE, 2],
  [JUNE + 2 * DAY_MS, 20],
  [JUNE + 2 * DAY_MS + 5 * MINUTE, 3]
]
const rowsOf = ({ at, close, length }: { at: Float64Array; close: Float64Array; length: number }) =>
  Array.from({ length }, (_, row) => [at[row] ?? 0, close[row] ?? 0])

describe("recorded months and downloaded days are one series", () => {
  test("of which a whole day replaces its beginning, and a downloaded candle the recorded one", () => {
    const files = SeriesFiles.filesIn(folder)
    expect(files.map(({ fetchedUntil, name }) => [name, fetchedUntil])).toEqual([
      ["2026-06.csv.gz", undefined],
      ["2026-06-01.csv.gz", JUNE + DAY_MS],
      ["2026-06-02.csv.gz", JUNE + 2 * DAY_MS],
      ["2026-06-03T0002.csv.gz", JUNE + 2 * DAY_MS + 2 * MINUTE]
    ])
    expect(rowsOf(Either.getOrThrow(SeriesFiles.readFiles(folder, files)))).toEqual(WHOLE)
  })

  test("for a replay, which takes the shortest timeframe of a folder", () => {
    for (const path of [candles, folder]) {
      const [recording, ...others] = Either.getOrThrow(read(path, MADE_UP))
      expect(others).toEqual([])
      expect(recording).toMatchObject({ exchange: "binance", pair: "BTC/USDT" })
      expect(
        rowsOf(recording?.columns ?? { at: new Float64Array(), close: new Float64Array(), length: 0 })
      ).toEqual(WHOLE)
    }
    const [hours] = Either.getOrThrow(read(join(folder, "1h"), MADE_UP))
    expect(hours).toMatchObject({ exchange: "binance", pair: "BTC/USDT", columns: { length: 1 } })
  })

  test("for a back-test over HTTP", () => {
    const query = { _tag: "Recorded", ...market, from: JUNE, until: JUNE + 2 * DAY_MS + MINUTE } as const
    expect(rowsOf(Either.getOrThrow(RecordedOfBacktests.candles(candles, query, 10)))).toEqual(
      WHOLE.slice(0, 4)
    )
    expect(RecordedOfBacktests.candles(candles, query, 3)).toEqual(
      Either.left("makes more than 3 candles in all: choose a shorter time")
    )
  })

  it.scoped("for a chart, and for the list of recordings", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(JUNE + 3 * DAY_MS)
      const range = { from: JUNE, until: JUNE + 3 * DAY_MS, points: 1000 }
      const charted = yield* Effect.flatMap(Candles, (it) => it.range(market, range)).pipe(
        Effect.provide(Recorded.layer({ folder: data }))
      )
      expect(charted.source).toBe("recorded")
      const close = Array.from(charted.columns.close.subarray(0, charted.columns.length))
      expect([close[0], close.at(-1)]).toEqual([10, 3])
      const recordings = yield* yield* Recordings.make(candles).pipe(Effect.map(Effect.succeed))
      expect(recordings).toMatchObject([{ ...market, from: JUNE, to: JUNE + 2 * DAY_MS + 5 * MINUTE }])
    })
  )

  test("whose files are known by their names", () => {
    const day = { day: JUNE, until: JUNE + 90 * MINUTE }
    expect(Place.dayName(day)).toBe("2026-06-01T0130.csv.gz")
    expect(Place.dayIn(Place.dayName(day))).toEqual(day)
    expect(Place.dayIn("2026-06-01.csv.gz")).toEqual({ day: JUNE, until: JUNE + DAY_MS })
    for (const name of [
      "2026-06.csv.gz",
      ".2026-06-01.csv.gz.12.part",
      "2026-06-01.csv",
      "x2026-06-01.csv.gz"
    ])
      expect(Option.fromNullable(Place.dayIn(name))).toEqual(Option.none())
  })
})
