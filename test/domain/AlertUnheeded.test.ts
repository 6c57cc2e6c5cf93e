import { expect, test } from "bun:test"
import { Either } from "effect"
import * as AlertBody from "../../src/domain/alert/AlertBody.ts"
import * as AlertReading from "../../src/domain/alert/AlertReading.ts"

// Plays a sender who relies on a size, an order type or a leverage that nobody reads here.

const warned = (fields: Record<string, unknown>): ReadonlyArray<string> =>
  Either.match(
    AlertBody.decode({
      body: JSON.stringify({ action: "buy", symbol: "BTCUSDT", ...fields }),
      contentType: "",
      query: "signal_id=1"
    }),
    { onLeft: () => ["refused"], onRight: ({ warnings }) => warnings }
  )

const told = (...names: ReadonlyArray<string>) => [
  `ignored: ${names.join(", ")} (the strategy's own settings decide)`
]

test.each([
  [{ qty: 1 }, ["qty"]],
  [{ quantity: "0.5" }, ["quantity"]],
  [{ contracts: 2 }, ["contracts"]],
  [{ strategy: { order: { contracts: 2 } } }, ["order_contracts"]],
  [{ "strategy.order.contracts": "2" }, ["order_contracts"]],
  [{ orderType: "limit" }, ["order_type"]],
  [{ type: "limit" }, ["type"]],
  [{ leverage: "10x" }, ["leverage"]],
  [{ settings: { futures: { leverage: 5 } } }, ["leverage"]],
  [{ margin: 100, marginMode: "isolated" }, ["margin", "margin_mode"]],
  [{ amount: 10 }, ["amount"]],
  [{ request: { amount: 10 } }, ["amount"]],
  [{ orders: [{ amount: 10 }, { amount: 20 }] }, ["amount"]],
  [{ price: "60000" }, ["price"]],
  [{ limit_price: 1 }, ["limit_price"]],
  [{ exitPercent: 50 }, ["exit_percent"]],
  [{ quantityType: "percent_of_equity" }, ["quantity_type"]],
  [{ order: { equity_percent: 5, callbackRate: 1 } }, ["equity_percent", "callback_rate"]],
  [{ vol_lots: 0.1, trailPercent: 2 }, ["vol_lots", "trail_percent"]],
  [{ q: "5%", lev: 3, usdt: 100 }, ["q", "lev", "usdt"]],
  [{ cancel: true, closeAll: true, timeout: 60 }, ["cancel", "close_all", "timeout"]],
  [{ position_size: 5 }, ["position_size"]],
  [{ volume: 5 }, ["volume"]],
  [{ order: { close_percent: 50 }, my_buy_percentage: 5 }, ["buy_percentage", "close_percent"]],
  [{ delay_seconds: 30, time_in_force: "ioc" }, ["delay_seconds", "time_in_force"]]
] as const)("%j", (fields, names) => {
  expect(warned(fields)).toEqual(told(...names))
})

test("empty instructions, and fields that belong to no order, cause no warning", () => {
  for (const fields of [
    { leverage: null, qty: "", delay_seconds: 0, amount: "NaN" },
    { open: 1, high: 2, low: 1, close: 2, volume: 700 },
    { bar: { close: 2, volume: 700, price: 2 } },
    { tick_size: 1, mark_price: 2, trigger_price: 3 },
    {
      market_position: "long",
      market_position_size: 5,
      prev_market_position: "flat",
      prev_market_position_size: 0
    }
  ])
    expect([fields, warned(fields)]).toEqual([fields, []])
})

test("a warning has known names only, never a sender's own names or values", () => {
  const all = warned({ my_secret_name: { qty: "VALUE", SECRET_leverage: "VALUE" } })
  expect(all).toEqual(told("qty", "leverage"))
  const many = warned(
    Object.fromEntries(
      "qty quantity size amount contracts volume price margin lots units notional funds cost percent risk offset tif sz px hedge dca trailing leverage lever margin_mode margin_type order_type order_price limit_price entry_price time_in_force post_only stake_amount"
        .split(" ")
        .flatMap((name) => [
          [name, "VALUE"],
          [`order.${name}`, "VALUE"],
          [`x_${name}_${name}`, "VALUE"]
        ])
    )
  )
  expect(many.length).toBeLessThan(8)
  for (const text of many) {
    expect(text.length).toBeLessThanOrEqual(200)
    expect(text).not.toContain("VALUE")
  }
  for (const name of ["qty", "leverage", "post_only", "px"]) expect(many.join(" ")).toContain(name)
})

test("the reading of an alert says where a nested name was", () => {
  const read = (body: string, query: string) =>
    Either.map(
      AlertReading.read({ body, contentType: "", query }, () => undefined),
      ({ fields }) => fields.find(({ field }) => field === "type")
    )
  expect(read('{"strategy_info":{"market_position":"long"}}', "signal_id=1&symbol=BTCUSDT")).toEqual(
    Either.right({ field: "type", value: "buy", from: "market_position", in: "body" })
  )
  expect(read('{"signal_id":1}', "symbol=BTCUSDT&tv.market_position=long")).toEqual(
    Either.right({ field: "type", value: "buy", from: "market_position", in: "address" })
  )
})
