import { expect, test } from "bun:test"
import { Either } from "effect"
import * as AlertBody from "../../src/domain/AlertBody.ts"

const refused = "-"

/** Position before, position after, order: on a perpetual, on spot; `!` where the sender is warned. */
const moves: ReadonlyArray<
  readonly [before: string, after: string, order: string, swap: string, spot: string]
> = [
  ["flat", "long", "buy", "long", "buy"],
  ["long", "flat", "sell", "close_long", "sell"],
  ["flat", "short", "sell", "short", "sell!"],
  ["short", "flat", "buy", "close_short", refused],
  ["long", "short", "sell", "close_long!", "sell!"],
  ["short", "long", "buy", "close_short!", "buy!"],
  ["long", "long", "buy", "long", "buy"],
  ["long", "long", "", "long", "buy"],
  ["long", "long", "sell", refused, refused],
  ["short", "short", "sell", "short", "sell!"],
  ["short", "short", "buy", refused, refused],
  ["flat", "flat", "sell", refused, refused],
  ["", "long", "buy", "long", "buy"],
  ["", "long", "sell", refused, refused],
  ["", "flat", "sell", "close_long", "sell"],
  ["", "flat", "buy", "close_short", refused],
  ["", "flat", "", refused, "sell"],
  ["", "short", "sell", "short", "sell!"],
  ["flat", "", "buy", "long", "buy"],
  ["flat", "", "sell", "short", "sell!"],
  ["long", "", "sell", "close_long", "sell"],
  ["long", "", "buy", "long", "buy"],
  ["short", "", "buy", "close_short", refused],
  ["flat", "", "", refused, refused],
  ["sideways", "long", "buy", refused, refused]
]

const said = (fields: Record<string, unknown>): string =>
  Either.match(AlertBody.decode({ body: JSON.stringify(fields), contentType: "", query: "signal_id=1" }), {
    onLeft: () => refused,
    onRight: ({ instruction, warnings }) => `${instruction.type}${warnings.length > 0 ? "!" : ""}`
  })

const only = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""))

test.each(moves)("from %s to %s by %s: %s, on spot %s", (before, after, action, swap, spot) => {
  const fields = only({ prev_market_position: before, market_position: after, action })
  expect(said({ ...fields, symbol: "BTCUSDT.P" })).toBe(swap)
  expect(said({ ...fields, symbol: "BTCUSDT" })).toBe(spot)
})

test("what is said outright wins over what the strategy holds", () => {
  const fields = { symbol: "BTCUSDT", market_position: "flat", prev_market_position: "long" }
  expect(said({ ...fields, type: "buy" })).toBe("buy")
  expect(said({ ...fields, action: "close_short" })).toBe("close_short")
})

test("a smaller position is a part that was closed", () => {
  const part = { market_position_size: "1", prev_market_position_size: 2 }
  const fields = { symbol: "BTCUSDT", market_position: "long", prev_market_position: "long", ...part }
  expect(said(fields)).toBe(refused)
  expect(said({ ...fields, prev_market_position: "flat", prev_market_position_size: 0 })).toBe("buy")
})

test("words, and names, of other services", () => {
  const table: ReadonlyArray<readonly [Record<string, unknown>, string]> = [
    [{ action: "ENTER_LONG", instrument: "BTC-USDT-SWAP" }, "long"],
    [{ action: "enter_long", tv_instrument: "BTCUSDT" }, "long!"],
    [{ action: "exit-short", symbol: "BTCUSDT.P" }, "close_short"],
    [{ action: "exit", ticker: "BTCUSDT" }, "sell!"],
    [{ action: "exit", ticker: "BTCUSDT.P" }, refused],
    [{ action: "close", side: "short", symbol: "BTCUSDT.P" }, "close_short"],
    [{ action: "exit", sentiment: "flat", ticker: "BTCUSDT" }, "sell"],
    [{ action: "buy", sentiment: "bullish", ticker: "BTCUSDT" }, "buy"],
    [{ type: "entry", pair: "ethusdt", key: "k" }, "buy"],
    [{ type: "entry", side: "long", exchangeAccountType: "futures", pair: "ethusdt" }, "long"],
    [{ type: "exit", side: "long", exchangeAccountType: "futures", pair: "ethusdt" }, "close_long"],
    [{ type: "limit", action: "buy", symbol: "BTCUSDT" }, "buy"],
    [{ type: "limit", symbol: "BTCUSDT" }, refused],
    [{ action: "stop_bot", symbol: "BTCUSDT" }, refused],
    [{ action: "buy|sell", symbol: "BTCUSDT" }, refused],
    [{ code: "ENTER-SHORT_BINANCE-FUTURES_BTC/USDT_Bot_1H_ab12" }, "short"],
    [{ code: "EXIT-ALL_BINANCE_BTC/USDT_Bot_1H_ab12" }, "sell!"],
    [{ data: { strategy: { order: { action: "sell" } }, ticker: "BTC/USDT" } }, "sell"],
    [{ Action: "SELL", Symbol: "BTC/USDT" }, "sell"]
  ]
  for (const [fields, expected] of table) expect([fields, said(fields)]).toEqual([fields, expected])
})
