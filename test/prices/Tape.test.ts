import { afterAll, beforeAll, expect } from "bun:test"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Effect, Layer, Logger, type Scope, TestClock } from "effect"
import { type MarketId, Pair } from "../../src/domain/Market.ts"
import * as Tape from "../../src/prices/Tape.ts"
import * as Member from "../../src/prices/tape/Member.ts"
import { CandleRecording } from "../../src/services/feeds/CandleRecording.ts"
import { it } from "../lib/effect.ts"

const BTC: MarketId = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" }
const SWAP: MarketId = { exchange: "okx", pair: Pair.make("ETH/USDT"), kind: "swap" }
const BEGIN = Date.UTC(2026, 9, 31, 23, 57)
const MINUTE = 60_000

let folder = ""
let count = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tape-"))
})
afterAll(() => rmSync(folder, { recursive: true }))
const aFolder = () => join(folder, String(count++))

const fileIn = (data: string, market: string, month: string) =>
  join(data, "candles", market, `${month}.csv.gz`)
const read = (path: string) => gunzipSync(readFileSync(path)).toString().trim().split("\n")
const minutesIn = (path: string) => read(path).map((line) => (Number.parseInt(line, 10) - BEGIN) / MINUTE)

/** With a tape that begins at a time: the clock moves first, for there are years of beats until then. */
const onTape =
  (data: string, begin: number) =>
  <A, E>(self: Effect.Effect<A, E, Tape.Tape | Scope.Scope>) =>
    Effect.zipRight(
      TestClock.setTime(begin),
      Effect.scoped(Effect.provide(self, Layer.fresh(Tape.layer({ folder: data }))))
    )

/** Records from minute to minute after the beginning, a trade every five seconds. What is due is written by its end. */
const record = (
  data: string,
  from: number,
  until: number,
  during: (tape: Tape.Tape["Type"], at: number) => void
) =>
  Effect.gen(function* () {
    const tape = yield* Tape.Tape
    for (let at = BEGIN + from * MINUTE; at < BEGIN + until * MINUTE; at += 5_000) {
      during(tape, at)
      tape.traded(BTC, 100 + (at % 60_000) / 10_000, 0.1, at)
      tape.traded(SWAP, 3e-7, 2, at)
      yield* TestClock.adjust(5_000)
    }
  }).pipe(onTape(data, BEGIN + from * MINUTE))

const wholeAt = (start: number) => (tape: Tape.Tape["Type"], at: number) => {
  if (at === start) tape.whole([BTC, SWAP])
}

it.effect(
  "minutes go to the month's file of their market, for its owner only; a restart writes nothing twice",
  () =>
    Effect.gen(function* () {
      const data = aFolder()
      yield* record(data, 0, 5, wholeAt(BEGIN))
      const october = fileIn(data, "binance/BTC-USDT-spot", "2026-10")
      const november = fileIn(data, "binance/BTC-USDT-spot", "2026-11")
      expect(read(october)).toEqual([
        `${BEGIN + MINUTE},100,105.5,100,105.5,1.2`,
        `${BEGIN + 2 * MINUTE},100,105.5,100,105.5,1.2`
      ])
      // The fifth minute ended with the tape: no grace was left for it.
      expect(minutesIn(november)).toEqual([3])
      expect(read(fileIn(data, "okx/ETH-USDT-swap", "2026-11"))[0]).toEndWith(
        ",0.0000003,0.0000003,0.0000003,0.0000003,24"
      )
      for (const entry of readdirSync(data, { recursive: true, withFileTypes: true })) {
        const { mode } = statSync(join(entry.parentPath, entry.name))
        expect([entry.name, mode & 0o777]).toEqual([entry.name, entry.isFile() ? 0o600 : 0o700])
      }
      // Another start, with the clock set back to what was recorded already.
      yield* record(data, 2, 8, wholeAt(BEGIN + 2 * MINUTE))
      expect(minutesIn(october)).toEqual([1, 2])
      expect(minutesIn(november)).toEqual([3, 4, 5, 6])
    })
)

it.effect("a break leaves a hole in its own market only", () =>
  Effect.gen(function* () {
    const data = aFolder()
    yield* record(data, 3, 10, (tape, at) => {
      wholeAt(BEGIN + 3 * MINUTE)(tape, at)
      // Told five seconds after the minute: it may have begun within it.
      if (at === BEGIN + 7 * MINUTE + 5_000) tape.broken([BTC])
      if (at === BEGIN + 7 * MINUTE + 10_000) tape.whole([BTC])
    })
    expect(minutesIn(fileIn(data, "binance/BTC-USDT-spot", "2026-11"))).toEqual([4, 5, 8])
    expect(minutesIn(fileIn(data, "okx/ETH-USDT-swap", "2026-11"))).toEqual([4, 5, 6, 7, 8])
  })
)

it.effect(
  "a failed write is reported once, its candles are dropped, and recording continues when it can",
  () => {
    const said: Array<string> = []
    const logs = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => void said.push(String(message)))
    )
    return Effect.gen(function* () {
      const data = aFolder()
      mkdirSync(join(data, "candles"), { recursive: true })
      const inTheWay = join(data, "candles/binance")
      writeFileSync(inTheWay, "a file where the folder should be")
      const other = fileIn(data, "okx/ETH-USDT-swap", "2026-11")
      yield* record(data, 3, 12, (tape, at) => {
        wholeAt(BEGIN + 3 * MINUTE)(tape, at)
        if (at === BEGIN + 9 * MINUTE) {
          // Whatever is being written by now: the files are real, and only the clock is not.
          expect(said).toHaveLength(1)
          rmSync(inTheWay)
        }
      })
      expect(said).toEqual([
        expect.stringContaining("candles cannot be written, and are dropped until they can: "),
        "candles are recorded again"
      ])
      expect(minutesIn(other)).toEqual([4, 5, 6, 7, 8, 9, 10])
      const kept = minutesIn(fileIn(data, "binance/BTC-USDT-spot", "2026-11"))
      expect(kept.at(-1)).toBe(10)
      expect(kept).not.toContain(4)
    }).pipe(Effect.provide(logs))
  }
)

it.effect("a month that is over is packed into one member, and a running one is not touched", () =>
  Effect.gen(function* () {
    const data = aFolder()
    yield* record(data, 0, 6, wholeAt(BEGIN))
    const [october, november] = ["2026-10", "2026-11"].map((month) =>
      fileIn(data, "binance/BTC-USDT-spot", month)
    )
    const before = read(october ?? "")
    const packed = (path = "") => Member.chainOf(readFileSync(path)).last === 0
    expect([packed(october), packed(november)]).toEqual([false, false])
    yield* Effect.gen(function* () {
      yield* Tape.Tape
      yield* TestClock.adjust("61 seconds")
      yield* Effect.promise(async () => {
        for (let look = 0; look < 500 && !packed(october); look++) await Bun.sleep(2)
      })
    }).pipe(onTape(data, BEGIN + 13 * MINUTE))
    expect([packed(october), packed(november)]).toEqual([true, false])
    expect(read(october ?? "")).toEqual(before)
  })
)

it.effect("without trades or without a tape no file or folder is made", () =>
  Effect.gen(function* () {
    const data = aFolder()
    yield* Effect.gen(function* () {
      const tape = yield* Tape.Tape
      tape.whole([BTC])
      yield* TestClock.adjust("5 minutes")
    }).pipe(onTape(data, BEGIN))
    yield* record(data, 0, 3, () => {})
    const none = yield* Layer.build(Tape.Tape.layerNone)
    expect(none).toBeDefined()
    expect(existsSync(data)).toBe(false)
  })
)

it.effect(
  "with less than 1 GB of disk free candles are dropped, which is told, and recorded again once there is room",
  () =>
    Effect.gen(function* () {
      const data = aFolder()
      let free = 5e9
      const inRoom = Layer.fresh(Tape.layer({ folder: data, free: () => Promise.resolve(free) }))
      yield* TestClock.setTime(BEGIN)
      yield* Effect.gen(function* () {
        const { state } = yield* CandleRecording
        const tape = yield* Tape.Tape
        const trade = (minutes: number) =>
          Effect.forEach(Array.from({ length: minutes * 12 }), () =>
            Effect.gen(function* () {
              tape.traded(BTC, 100, 0.1, yield* TestClock.currentTimeMillis)
              yield* TestClock.adjust(5_000)
              yield* Effect.promise(() => Bun.sleep(1))
            })
          )
        tape.whole([BTC])
        yield* trade(10)
        free = 5e8
        yield* trade(5)
        expect(yield* state).toBe("paused")
        free = 5e9
        yield* trade(5)
        expect(yield* state).toBe("on")
      }).pipe(Effect.provide(inRoom), Effect.scoped)
      const minutes = minutesIn(fileIn(data, "binance/BTC-USDT-spot", "2026-11"))
      expect(minutes).toEqual([3, 4, 5, 6, 7, 8, 14, 15, 16, 17, 18])
    })
)
