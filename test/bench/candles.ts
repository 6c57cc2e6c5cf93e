// Reads a candle file into columns: our reader, which names every error, against a minimal parser of such bytes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Either from "effect/Either"
import { type Columns, parse } from "../../src/domain/candles/CandleFile.ts"
import { DAY_MS } from "../../src/domain/candles/CandleSeries.ts"
import { real } from "../../src/domain/candles/CandleTime.ts"
import * as Member from "../../src/prices/tape/Member.ts"
import * as Place from "../../src/prices/tape/Place.ts"
import * as SeriesFiles from "../../src/prices/tape/SeriesFiles.ts"
import { compare } from "./compare.ts"
import type { Line } from "./line.ts"
import { drawing } from "./liveWorld.ts"

const ROWS = 1_000_000
const ROUNDS = 5
const FLOOR = 0.5
const GOAL = 0.9
const TIMES = real(1_600_000_000_000)

/** Minute candles as an exchange exports them, with prices in cents and volumes with five places. */
const file = (): Uint8Array => {
  const draw = drawing(3)
  const lines = ["timestamp,open,high,low,close,volume"]
  let price = 25_000
  for (let i = 0; i < ROWS; i++) {
    const open = price
    price = Math.round(open * 100 * (1 + (draw.next() - 0.5) * 0.002)) / 100
    const high = Math.max(open, price) + draw.next() * 10
    const low = Math.min(open, price) - draw.next() * 10
    const prices = [open, high, low, price].map((each) => each.toFixed(2))
    lines.push(`${1_500_000_000_000 + i * 60_000},${prices.join(",")},${(draw.next() * 100).toFixed(5)}`)
  }
  return new TextEncoder().encode(`${lines.join("\n")}\n`)
}

/**
 * The bare reader trusts the whole file, its number of rows included, and reads one number after the other. It knows
 * digits, points, commas and ends of lines. It checks no sequence, signs, exponents, long numbers, missing fields or
 * impossible prices, and skips the volume.
 */
const bare = (bytes: Uint8Array): Columns => {
  const at = new Float64Array(ROWS)
  const open = new Float64Array(ROWS)
  const high = new Float64Array(ROWS)
  const low = new Float64Array(ROWS)
  const close = new Float64Array(ROWS)
  let next = bytes.indexOf(10) + 1
  const number = (): number => {
    let digits = 0
    let byte = bytes[next] ?? 0
    for (; byte >= 48; byte = bytes[++next] ?? 0) digits = digits * 10 + (byte - 48)
    if (byte !== 46) {
      next++
      return digits
    }
    const point = next
    for (byte = bytes[++next] ?? 0; byte >= 48; byte = bytes[++next] ?? 0) digits = digits * 10 + (byte - 48)
    return digits / (POWERS[next++ - point - 1] ?? 1)
  }
  let length = 0
  while (next < bytes.length) {
    at[length] = number()
    open[length] = number()
    high[length] = number()
    low[length] = number()
    close[length] = number()
    while ((bytes[next] ?? 10) !== 10) next++
    next++
    length++
  }
  return { at, open, high, low, close, length }
}
const POWERS = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)

const isSame = (one: Columns, other: Columns): boolean =>
  one.length === other.length &&
  ([one.at, one.open, one.high, one.low, one.close] as const).every((column, index) => {
    const against = [other.at, other.open, other.high, other.low, other.close][index]
    return column.every((value, row) => value === against?.[row])
  })

const MONTH_DAYS = 31
const MONTH_MS = 50

/** A month of downloaded minutes, a file for each day, from the disk into columns. */
const month = async (bytes: Uint8Array): Promise<Line> => {
  const folder = mkdtempSync(join(tmpdir(), "month-"))
  const lines = new TextDecoder().decode(bytes).split("\n").slice(1)
  const first = Date.UTC(2026, 4, 1)
  for (let day = 0; day < MONTH_DAYS; day++) {
    const rows = lines.slice(day * 1440, (day + 1) * 1440)
    const text = rows.map((row, minute) => `${first + (day * 1440 + minute) * 60_000}${row.slice(13)}\n`)
    const name = Place.dayName({ day: first + day * DAY_MS, until: first + (day + 1) * DAY_MS })
    writeFileSync(join(folder, name), Member.encode(text.join("")))
  }
  const load = () => Either.getOrThrow(SeriesFiles.readFiles(folder, SeriesFiles.filesIn(folder)))
  const { left } = await compare(load, () => undefined, 11)
  const { length } = load()
  rmSync(folder, { recursive: true })
  const text = `${length.toLocaleString("en")} one-minute candles in ${MONTH_DAYS} files: ${left.toFixed(1)} ms (ceiling ${MONTH_MS})`
  return { name: "candles.month", text, ok: left < MONTH_MS && length === MONTH_DAYS * 1440 }
}

export default async (): Promise<ReadonlyArray<Line>> => {
  const bytes = file()
  const same = isSame(Either.getOrThrow(parse(bytes, TIMES)), bare(bytes))
  const { left, ratio, right } = await compare(
    () => parse(bytes, TIMES),
    () => bare(bytes),
    ROUNDS
  )
  const speed = (ms: number) => `${ms.toFixed(0)} ms (${(bytes.length / 1000 / ms).toFixed(0)} MB/s)`
  const text =
    `1,000,000 rows: ${speed(left)}; byte parser ${speed(right)}; ratio ${ratio.toFixed(2)} (floor ${FLOOR}, goal ${GOAL}); ` +
    (same ? "the same columns" : "NOT THE SAME COLUMNS")
  return [{ name: "backtest.load", text, ok: ratio >= FLOOR && same }, await month(bytes)]
}
