// The table of a chart's messages: what each change of position means on spot and on a perpetual, as an alert is read.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { Effect } from "effect"
import { TestServer } from "../../src/testing.ts"

type Held = readonly [side: "flat" | "long" | "short", size: number]
interface Read {
  readonly type: string
  readonly reverse?: boolean
  readonly close_percent?: number
}

const FLAT: Held = ["flat", 0]
const part = (type: string, close_percent: number): Read => ({ type, close_percent })
const turn = (type: string): Read => ({ type, reverse: true })

const TABLE: ReadonlyArray<readonly [before: Held, now: Held, spot: Read, perpetual: Read]> = [
  [FLAT, ["long", 2], { type: "buy" }, turn("long")],
  [FLAT, ["short", 2], { type: "sell" }, turn("short")],
  [["long", 2], FLAT, { type: "sell" }, { type: "close_long" }],
  [["short", 2], FLAT, { type: "sell" }, { type: "close_short" }],
  [["long", 2], ["short", 3], { type: "sell" }, turn("short")],
  [["short", 2], ["long", 1], { type: "buy" }, turn("long")],
  [["long", 4], ["long", 3], part("sell", 25), part("close_long", 25)],
  [["long", 2], ["long", 3], { type: "buy" }, { type: "long" }],
  // On spot nothing is held below zero, so whether the sell is of a part or of all changes nothing.
  [["short", 4], ["short", 1], { type: "sell", close_percent: Number.NaN }, part("close_short", 75)],
  [["short", 1], ["short", 4], { type: "sell" }, { type: "short" }]
]

const waiting: Array<() => void> = []
let parse: (body: object) => Promise<{ readonly status: number; readonly read: Record<string, unknown> }>

beforeAll(
  () =>
    new Promise<void>((ready) => {
      void TestServer.run({}, (server) =>
        Effect.gen(function* () {
          parse = async (body) => {
            const answer = await server.fetch("/v1/alerts/parse", {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ signal_id: server.signal.id, ...body })
            })
            return { status: answer.status, read: Object(await answer.json()) }
          }
          ready()
          yield* Effect.promise(() => new Promise<void>((over) => waiting.push(over)))
        })
      )
    })
)
afterAll(() => {
  for (const over of waiting) over()
})

const fieldsOf = ([side, size]: Held, prefix = "") => ({
  [`${prefix}market_position`]: side,
  [`${prefix}market_position_size`]: String(size)
})
const signed = ([side, size]: Held) => (side === "short" ? -size : size)
const actionOf = (before: Held, now: Held) => (signed(now) > signed(before) ? "buy" : "sell")

const SHAPES: ReadonlyArray<readonly [name: string, shape: (fields: object) => object]> = [
  ["plain", (fields) => fields],
  ["nested", ({ ...fields }) => ({ strategy_info: fields })],
  [
    "prefixed",
    (fields) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [`strategy_info.${name}`, value]))
  ]
]

const SYMBOLS = [
  ["BTCUSDT", 2],
  ["BTCUSDT.P", 3]
] as const

for (const [shape, shaped] of SHAPES)
  for (const row of TABLE)
    for (const [symbol, column] of SYMBOLS) {
      const [before, now] = row
      const meant = row[column]
      test(`${before.join(" ")} to ${now.join(" ")} in a ${shape} message for ${symbol} is ${meant.type} ${meant.close_percent ?? ""}`, async () => {
        const stated = { ...fieldsOf(before, "prev_"), ...fieldsOf(now) }
        const { read, status } = await parse({ symbol, action: actionOf(before, now), ...shaped(stated) })
        expect(status).toBe(200)
        expect(read["type"]).toBe(meant.type)
        expect(read["reverse"] ?? undefined).toBe(meant.reverse)
        if (Number.isNaN(meant.close_percent)) return
        if (meant.close_percent === undefined) expect(read["close_percent"] ?? undefined).toBeUndefined()
        else expect(read["close_percent"]).toBeCloseTo(meant.close_percent, 9)
      })
    }

test.each([
  ["long", "BTCUSDT", { type: "buy" }],
  ["long", "BTCUSDT.P", { type: "long", reverse: true }],
  ["short", "BTCUSDT", { type: "sell" }],
  ["short", "BTCUSDT.P", { type: "short", reverse: true }],
  ["flat", "BTCUSDT", { type: "sell" }]
])("without the position before, %s on %s is %j", async (market_position, symbol, meant) => {
  const action = market_position === "long" ? "buy" : "sell"
  const { read, status } = await parse({ symbol, action, market_position })
  expect(status).toBe(200)
  expect(read).toMatchObject(meant)
})

test("without the position before, flat on a perpetual closes whichever side is held", async () => {
  for (const action of ["buy", "sell"]) {
    const { read, status } = await parse({ symbol: "BTCUSDT.P", action, market_position: "flat" })
    expect(status).toBe(200)
    expect(String(read["type"])).toStartWith("close_")
  }
})

test("a part of unknown size is refused, and the placeholder to add is named", async () => {
  for (const symbol of ["BTCUSDT", "BTCUSDT.P"]) {
    const { read, status } = await parse({
      symbol,
      action: "sell",
      market_position: "long",
      prev_market_position: "long"
    })
    expect(status).toBe(422)
    expect(JSON.stringify(read["errors"])).toMatch(/strategy\.(prev_)?market_position_size/)
  }
})

test("growth of unknown size is an entry like any other", async () => {
  const { read } = await parse({
    symbol: "BTCUSDT.P",
    action: "buy",
    market_position: "long",
    prev_market_position: "long"
  })
  expect(read["type"]).toBe("long")
  expect(read["reverse"] ?? undefined).toBeUndefined()
})

test("covering a short never buys on spot", async () => {
  const { read } = await parse({
    symbol: "BTCUSDT",
    type: "buy",
    action: "buy",
    ...fieldsOf(["short", 2], "prev_"),
    ...fieldsOf(FLAT)
  })
  expect(read["type"]).toBe("sell")
})
