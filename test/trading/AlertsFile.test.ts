import { expect, test } from "bun:test"
import * as Either from "effect/Either"
import { type FileTimes, MADE_UP, real } from "../../src/domain/candles/CandleTime.ts"
import * as AlertsFile from "../../src/trading/backtest/AlertsFile.ts"

const within = (times: FileTimes, ...lines: ReadonlyArray<string>) =>
  Either.merge(AlertsFile.parse(new TextEncoder().encode(lines.join("\n")), times))

const parse = (...lines: ReadonlyArray<string>) => within(MADE_UP, ...lines)

test("an alerts file has one JSON object a line, and keeps the sequence of its lines", () => {
  const first = `{"time":60000,"signal_id":7,"coin":"btc","quote_currency":"USDT","type":"BUY","tp":110.5,"sl":null}`
  const second = `{"time":0,"coin":"ETH","quote_currency":"USDT","type":"close_short","sl":"90"}`
  expect(JSON.stringify(parse(first, "", second, ""))).toBe(
    JSON.stringify([
      { type: "buy", pair: "BTC/USDT", at: 60000, tp: 110.5 },
      { type: "close_short", pair: "ETH/USDT", at: 0, sl: 90 }
    ])
  )
})

const good = { time: 1, coin: "BTC", quote_currency: "USDT", type: "buy" }
test.each([
  ["not json", "is not a JSON object"],
  ["[1]", "is not a JSON object"],
  [JSON.stringify({ ...good, time: "1" }), "time must be a whole number of milliseconds, like 1706706000000"],
  [JSON.stringify({ ...good, time: 1.5 }), "time must be a whole number of milliseconds, like 1706706000000"],
  [
    JSON.stringify({ ...good, type: "hold" }),
    "type must be one of buy, sell, long, short, close_long, close_short"
  ],
  [JSON.stringify({ ...good, coin: "" }), "coin and quote_currency must be asset codes"],
  [JSON.stringify({ ...good, tp: 0 }), "tp must be a price above 0 and at most 1e12"],
  [JSON.stringify({ ...good, sl: "x" }), "sl must be a price above 0 and at most 1e12"]
])("%s", (line, text) => {
  expect(parse(JSON.stringify(good), line)).toEqual({ line: 2, text })
})

test.each([
  [60_000, "its time is in the year 1970, and not from 2009 to a year from now: say --any-time"],
  [1_706_706_000, "time seems to be in seconds, and must be in milliseconds"],
  [1_706_706_000_000_000, "time seems to be in microseconds, and must be in milliseconds"],
  [Date.UTC(2030, 0, 1), "its time is in the year 2030"]
])("an implausible time is refused with its line: %p", (time, text) => {
  const told = within(
    real(Date.UTC(2026, 10, 22)),
    JSON.stringify({ ...good, time: 1_706_706_000_000 }),
    JSON.stringify({ ...good, time })
  )
  expect(told).toEqual({ line: 2, text: expect.stringContaining(text) })
})
