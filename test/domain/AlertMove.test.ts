import { expect, test } from "bun:test"
import { Either } from "effect"
import * as AlertBody from "../../src/domain/alert/AlertBody.ts"

const refused = "-"

/** Position before, position after, order: on a perpetual, on spot; `!` where the sender is warned. */
const moves: ReadonlyArray<
  readonly [before: string, after: string, order: string, swap: string, spot: string]
> = [
  ["flat", "long", "buy", "long", "buy"],
  ["long", "flat", "sell", "close_long", "sell"],
  ["flat", "short", "sell", "short", "sell!"],
  ["short", "flat", "buy", "close_short", "sell!"],
  ["short", "flat", "", "close_short", "sell!"],
  ["long", "short", "sell", "short", "sell!"],
  ["short", "long", "buy", "long", "buy!"],
  ["long", "long", "buy", "long", "buy"],
  ["long", "long", "", refused, refused],
  ["long", "long", "sell", refused, refused],
  ["short", "short", "sell", "short", "sell!"],
  ["short", "short", "buy", refused, "sell!"],
  ["flat", "flat", "sell", refused, refused],
  ["", "long", "buy", "long", "buy"],
  ["", "long", "sell", refused, refused],
  ["", "flat", "sell", "close_long", "sell"],
  ["", "flat", "buy", "close_short", "sell!"],
  ["", "flat", "", "close_long", "sell"],
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

test("a position decides over every word but a type of the perpetual, and a word that says another is told", () => {
  const fields = { symbol: "BTCUSDT.P", market_position: "flat", prev_market_position: "long" }
  expect(said({ ...fields, type: "sell" })).toBe("close_long")
  expect(said({ ...fields, type: "buy" })).toBe("close_long")
  expect(said({ ...fields, action: "close_short" })).toBe("close_long!")
  expect(said({ ...fields, action: "exit_long" })).toBe("close_long")
  expect(said({ ...fields, type: "close_short" })).toBe("close_short")
  // As a bare name, a position may be the side that an order is for.
  expect(said({ action: "close_short", position: "long", symbol: "BTCUSDT.P" })).toBe("close_short")
})

test("a smaller position means a part was closed, unless nothing was held before", () => {
  const part = { market_position_size: "1", prev_market_position_size: 2 }
  const fields = { symbol: "BTCUSDT", market_position: "long", prev_market_position: "long", ...part }
  expect(said(fields)).toBe("sell")
  expect(said({ ...fields, prev_market_position: "flat", prev_market_position_size: 0 })).toBe("buy")
})

test("words and field names of other services are understood", () => {
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
    [{ type: "limit", action: "buy", symbol: "BTCUSDT" }, "buy!"],
    [{ type: "entry", action: "sell", symbol: "BTCUSDT" }, refused],
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

test("a position is found in any nesting and spelling, and a buy never covers a short", () => {
  const covered = (now: string, before: string): ReadonlyArray<Record<string, unknown>> => [
    { [now]: "flat", [before]: "short" },
    { strategy_info: { [now]: "flat", [before]: "short" } },
    { data: { strategy_info: { [now]: "flat", [before]: "short" } } },
    { a: { b: { c: { d: { [now]: "flat", [before]: "short" } } } } },
    { alerts: [{ [now]: "flat", [before]: "short" }] },
    { [`strategy.${now}`]: "flat", [`strategy.${before}`]: "short" },
    { [`strategy_info[${now}]`]: "flat", [`strategy_info[${before}]`]: "short" },
    { [`tv-${now}`]: "FLAT", [`tv-${before}`]: " Short " },
    { [now]: "flat" }
  ]
  const spellings = [
    ["market_position", "prev_market_position"],
    ["marketPosition", "prevMarketPosition"],
    ["MarketPosition", "PrevMarketPosition"],
    ["MARKET_POSITION", "PREV_MARKET_POSITION"],
    ["marketposition", "prevmarketposition"],
    ["Market Position", "Previous Market Position"],
    ["market-position", "previous-market-position"],
    ["position", "prev_position"],
    ["current_position", "previous_position"],
    ["market_position_now", "market_position_before"],
    ["market_position.current", "market_position.previous"]
  ] as const
  for (const [now, before] of spellings)
    for (const fields of covered(now, before)) {
      expect([fields, said({ ...fields, action: "buy", symbol: "BTCUSDT" })]).toEqual([fields, "sell!"])
      expect([fields, said({ ...fields, action: "buy", symbol: "BTCUSDT.P" })]).toEqual([
        fields,
        "close_short"
      ])
    }
})

test("a form and the URL may state the position too", () => {
  const decoded = (body: string, query: string) =>
    Either.match(AlertBody.decode({ body, contentType: "", query }), {
      onLeft: () => refused,
      onRight: ({ instruction }) => instruction.type
    })
  const form =
    "action=buy&symbol=BTCUSDT&strategy_info%5Bmarket_position%5D=flat&strategy_info%5Bprev_market_position%5D=short"
  expect(decoded(form, "signal_id=1")).toBe("sell")
  expect(decoded('{"action":"buy"}', `signal_id=1&symbol=BTCUSDT&strategy.market_position=flat`)).toBe("sell")
})

test("a size may state that nothing is held, or a short", () => {
  const table: ReadonlyArray<readonly [Record<string, unknown>, spot: string, swap: string]> = [
    [{ action: "buy", position_size: 0 }, "sell!", "close_short"],
    [{ action: "buy", position_size: "0.0" }, "sell!", "close_short"],
    [{ action: "sell", data: { position_size: "0" } }, "sell", "close_long"],
    [{ action: "sell", position_size: -2 }, "sell!", "short"],
    [{ action: "buy", position_size: "-2" }, "sell!", refused],
    [{ action: "buy", position: "0" }, "sell!", "close_short"],
    [{ action: "buy", market_position_size: 2 }, refused, refused],
    [{ action: "buy", market_position_size: 2, prev_market_position_size: 0 }, "buy", "long"],
    [{ action: "sell", market_position_size: 2, prev_market_position_size: 0 }, "sell!", "short"],
    // A size above 0 may be an order's.
    [{ action: "buy", position_size: 2 }, "buy!", "buy!"]
  ]
  for (const [fields, spot, swap] of table) {
    expect([fields, said({ ...fields, symbol: "BTCUSDT" })]).toEqual([fields, spot])
    expect([fields, said({ ...fields, symbol: "BTCUSDT.P" })]).toEqual([fields, swap])
  }
})

test("an alert that contradicts itself is refused", () => {
  for (const fields of [
    { action: "buy", market_position: "long", strategy_info: { market_position: "flat" } },
    { action: "buy", market_position: "long", position: "flat" },
    { action: "buy", prev_market_position: "flat", strategy: { prev_market_position: "short" } },
    { action: "buy", data: { action: "sell" } },
    { action: "buy", side: "sell" },
    { action: "sell", order_action: "buy" },
    { action: "buy", signal: "exit_long" },
    { action: "buy", position_side: "short", direction: "long" },
    { action: "buy", market_position: ["flat", "long"] },
    { action: "buy", position: "{{strategy.market_position}}" },
    { type: "buy", position: "flat" },
    { action: "buy", market_position: "long", market_position_size: 0 },
    { action: "buy", market_position: "long", market_position_size: -1 },
    { action: "buy", market_position: "long", market_position_size: "NaN" },
    { action: "buy", market_position: "long", market_position_size: "1e308" },
    { action: "buy", market_position: "long", market_position_size: "{{strategy.market_position_size}}" },
    {
      action: "buy",
      market_position: "long",
      market_position_size: 1,
      strategy: { market_position_size: 2 }
    },
    { action: "buy", market_position: "long", prev_market_position: "short", prev_market_position_size: 0 }
  ]) {
    for (const symbol of ["BTCUSDT", "BTCUSDT.P"])
      expect([fields, said({ ...fields, symbol })]).toEqual([fields, refused])
  }
})

test("fields beside an order that state no position are ignored", () => {
  for (const fields of [
    { comment: "close above the average" },
    { message: "Exit strategy: none" },
    { market_sentiment: "greed" },
    { close_position: false },
    { reduce_only: "0" },
    { position_id: "flat" },
    { direction: "up" },
    { position: "1st" }
  ])
    expect([fields, said({ ...fields, action: "buy", symbol: "BTCUSDT" })]).toEqual([fields, "buy"])
})

test("a position that may lie beyond the bounds of reading is not assumed absent", () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`plot_${index}`, index]))
  const deep = { a: { b: { c: { d: { e: { f: { market_position: "flat" } } } } } } }
  for (const hidden of [{ ...many, market_position: "flat" }, deep]) {
    expect(said({ action: "buy", symbol: "BTCUSDT", ...hidden })).toBe(refused)
    // What is said outright needs no search.
    expect(said({ type: "buy", symbol: "BTCUSDT", ...many })).toBe("buy")
  }
})
