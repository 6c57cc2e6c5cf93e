import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { type ExactCandle, textOf } from "../../../src/domain/candles/CandleRowWriter.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import * as Member from "../../../src/prices/tape/Member.ts"
import * as MonthFile from "../../../src/prices/tape/MonthFile.ts"

let folder = ""
let count = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "month-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const aFile = () => join(folder, `binance/BTC-USDT-spot-${count++}/2026-11.csv.gz`)
const candle = (minute: number): ExactCandle => ({
  at: minute * 60_000,
  open: 100,
  high: 102.5,
  low: 99,
  close: 101 + minute,
  volume: Decimal.unsafeFromText("0.3")
})
const row = (minute: number) => `${minute * 60_000},100,102.5,99,${101 + minute},0.3\n`
const rows = (...minutes: ReadonlyArray<number>) => minutes.map(row).join("")
const text = (path: string) => new TextDecoder().decode(Member.unpack(readFileSync(path)))

/** How long a file is that grew by so many minutes. */
const endAfter = (minutes: number) =>
  Array.from({ length: minutes }, (_, minute) => Member.encode(row(minute)).length).reduce((a, b) => a + b, 0)

/** A file that grew by one minute after the other. */
const grown = async (path: string, minutes: number) => {
  let known: MonthFile.Known = await MonthFile.inspect(path)
  for (let minute = 0; minute < minutes; minute++) {
    known = await MonthFile.append(path, [candle(minute)], known, textOf)
  }
  return known
}

test("a month's file grows by members that any gunzip reads, readable by its owner only", async () => {
  const path = aFile()
  const known = await grown(path, 5)
  expect(gunzipSync(readFileSync(path)).toString()).toBe(rows(0, 1, 2, 3, 4))
  expect(text(path)).toBe(rows(0, 1, 2, 3, 4))
  expect(known).toEqual({ bytes: statSync(path).size, last: 240_000 })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700)
})

test("no candle is written twice, whoever asks for it", async () => {
  const path = aFile()
  await grown(path, 3)
  const known = await MonthFile.inspect(path)
  await MonthFile.append(path, [candle(1), candle(2), candle(3)], known, textOf)
  expect(text(path)).toBe(rows(0, 1, 2, 3))
  expect(await MonthFile.append(path, [candle(2)], await MonthFile.inspect(path), textOf)).toMatchObject({
    last: 180_000
  })
  expect(text(path)).toBe(rows(0, 1, 2, 3))
})

test("a file cut short at any byte is readable at once, repaired at the next start, and continued", async () => {
  const path = aFile()
  await grown(path, 3)
  const whole = readFileSync(path)
  const ends = [0, 1, 2].map((minutes) => endAfter(minutes))
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length))
    const kept = ends.filter((end) => end > 0 && end <= length).length
    const before = rows(...[0, 1].slice(0, kept))
    if (kept > 0) expect(text(path)).toBe(before)
    const found = await MonthFile.inspect(path)
    expect(found).toEqual({
      bytes: ends[kept] ?? -1,
      last: kept === 0 ? -1 : (kept - 1) * 60_000,
      mended: length !== ends[kept]
    })
    await MonthFile.append(path, [candle(kept), candle(7)], found, textOf)
    expect(text(path)).toBe(`${before}${rows(kept, 7)}`)
  }
  expect(readdirSync(join(path, ".."))).toEqual(["2026-11.csv.gz"])
})

test("zeros after a power cut, and a last member with a wrong checksum, are cut off", async () => {
  const path = aFile()
  await grown(path, 2)
  const whole = readFileSync(path)
  const flipped = Buffer.from(whole)
  flipped[whole.length - 12] = (flipped[whole.length - 12] ?? 0) ^ 1
  writeFileSync(path, flipped)
  expect(await MonthFile.inspect(path)).toMatchObject({ bytes: endAfter(1), last: 0, mended: true })
  writeFileSync(path, Buffer.concat([whole, Buffer.alloc(300)]))
  expect(await MonthFile.inspect(path)).toEqual({ bytes: whole.length, last: 60_000, mended: true })
  expect(text(path)).toBe(rows(0, 1))
})

test("an unknown file is moved aside, another program's gzip is repacked, and large rests are kept", async () => {
  const path = aFile()
  await grown(path, 1)
  const whole = readFileSync(path)
  writeFileSync(path, "these are no candles")
  expect(await MonthFile.inspect(path)).toEqual({ bytes: 0, last: -1, mended: true })
  expect(readFileSync(`${path}.damaged`, "utf8")).toBe("these are no candles")
  writeFileSync(path, gzipSync(`timestamp,open,high,low,close,volume\n${rows(0, 1)}`))
  const found = await MonthFile.inspect(path)
  await MonthFile.append(path, [candle(1), candle(2)], found, textOf)
  expect(text(path)).toBe(`timestamp,open,high,low,close,volume\n${rows(0, 1, 2)}`)
  const rubbish = Buffer.concat([whole, Buffer.alloc(70_000, "x")])
  writeFileSync(path, rubbish)
  expect(await MonthFile.inspect(path)).toMatchObject({ last: 0, mended: true })
  expect(readFileSync(`${path}.damaged`)).toEqual(rubbish)
})

test("a month that is over becomes one member, once; a member cut short is omitted", async () => {
  const path = aFile()
  await grown(path, 300)
  const grew = readFileSync(path)
  writeFileSync(path, grew.subarray(0, grew.length - 3))
  await MonthFile.compact(path)
  const packed = readFileSync(path)
  expect(Member.chainOf(packed)).toEqual({ end: packed.length, last: 0 })
  expect(packed.length).toBeLessThan(grew.length / 5)
  expect(gunzipSync(packed).toString()).toBe(rows(...Array.from({ length: 299 }, (_, minute) => minute)))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const { ino } = statSync(path)
  await MonthFile.compact(path)
  expect(statSync(path).ino).toBe(ino)
  await MonthFile.append(path, [candle(299)], await MonthFile.inspect(path), textOf)
  expect(text(path)).toEndWith(rows(298, 299))
})

test("any gzip of any number of members is unpacked whole", () => {
  const decode = (bytes: Uint8Array<ArrayBuffer>) => new TextDecoder().decode(Member.unpack(bytes))
  expect(decode(gzipSync("one"))).toBe("one")
  expect(decode(Buffer.concat([gzipSync("one"), gzipSync("two")]))).toBe("onetwo")
  expect(decode(Buffer.concat([Member.encode("one"), Member.encode("one")]))).toBe("oneone")
  expect(() => decode(gzipSync("x".repeat(99)).subarray(0, 20))).toThrow()
  expect(existsSync(join(folder, "none"))).toBe(false)
})

test("a process killed at any moment, again and again, leaves a sorted file without repeats or gaps", async () => {
  const path = aFile()
  const child = join(import.meta.dir, "append.child.ts")
  let last = -1
  for (let kill = 0; kill < 4; kill++) {
    const running = Bun.spawn([process.execPath, child, path], { stdout: "pipe", stderr: "inherit" })
    const reader = running.stdout.getReader()
    const { value } = await reader.read()
    await Bun.sleep(20 + 17 * kill)
    running.kill("SIGKILL")
    await running.exited
    const told = Number(new TextDecoder().decode(value).split("\n")[0])
    const minutes = text(path)
      .trim()
      .split("\n")
      .map((line) => Number.parseInt(line, 10) / 60_000)
    expect(minutes).toEqual(minutes.map((_, index) => index))
    expect(told).toBeGreaterThan(last)
    last = minutes.at(-1) ?? -1
    expect(last).toBeGreaterThanOrEqual(told)
  }
}, 20_000)
