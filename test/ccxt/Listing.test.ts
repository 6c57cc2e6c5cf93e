import { expect, test } from "bun:test"
import { Either, Option } from "effect"
import { listingOf } from "../../src/ccxt/Listing.ts"
import { markets as shippedMarkets } from "../../src/domain/catalogue/Catalogue.ts"
import { type Decimal, toText } from "../../src/domain/Decimal.ts"
import type { KnownExchange } from "../../src/domain/Market.ts"
import type { Listed } from "../../src/domain/market/Listing.ts"

const LIMITS = { amount: { min: 0.00001, max: 9000 }, price: { min: 0.01 }, cost: { min: 5 } }
const SPOT = {
  ...{ id: "BTCUSDT", symbol: "BTC/USDT", base: "BTC", quote: "USDT", settle: undefined, type: "spot" },
  ...{ spot: true, swap: false, linear: undefined, contractSize: undefined, active: true },
  ...{ taker: 0.001, maker: 0.0008, precision: { amount: 0.00001, price: 0.01 }, limits: LIMITS }
}
const SWAP = {
  ...{ ...SPOT, id: "BTC-USDT-SWAP", symbol: "BTC/USDT:USDT", settle: "USDT", type: "swap", spot: false },
  ...{ swap: true, linear: true, contractSize: 0.01, precision: { amount: 0.1, price: 0.1 } },
  ...{ taker: 0.0005, maker: 0.0002, limits: { leverage: { max: 100 }, amount: { min: 0.1 }, cost: {} } }
}

const read = (exchange: KnownExchange, ...entries: ReadonlyArray<unknown>) =>
  Either.getOrThrow(listingOf(exchange, { ...entries }))

const text = (value: Option.Option<Decimal>) => Option.getOrElse(Option.map(value, toText), () => "-")
const row = ({ active, amountStep, kind, minAmount, minCost, pair, priceStep }: Listed) =>
  [pair, kind, toText(priceStep), toText(amountStep), text(minAmount), text(minCost), active].join(" ")

test.each<[string, unknown, ReadonlyArray<string>]>([
  ["a spot pair", SPOT, ["BTC/USDT spot 0.01 0.00001 0.00001 5 true"]],
  ["a perpetual, contracts in coins", SWAP, ["BTC/USDT swap 0.1 0.001 0.001 - true"]],
  ["a halted market", { ...SPOT, active: false }, ["BTC/USDT spot 0.01 0.00001 0.00001 5 false"]],
  ["no word of activity", { ...SPOT, active: undefined }, ["BTC/USDT spot 0.01 0.00001 0.00001 5 true"]],
  [
    "steps that doubles write with an exponent",
    { ...SPOT, precision: { amount: 1e-8, price: 2.5e-9 } },
    ["BTC/USDT spot 0.0000000025 0.00000001 0.00001 5 true"]
  ],
  [
    "contracts whose product as doubles is noise",
    { ...SWAP, contractSize: 0.1, precision: { amount: 3, price: 0.7 } },
    ["BTC/USDT swap 0.7 0.3 0.01 - true"]
  ],
  [
    "many coins to a contract",
    { ...SWAP, contractSize: 1000, precision: { amount: 1, price: 0.1 } },
    ["BTC/USDT swap 0.1 1000 100 - true"]
  ],
  ["no limits at all", { ...SPOT, limits: undefined }, ["BTC/USDT spot 0.01 0.00001 - - true"]],
  ["nulls for limits", { ...SPOT, limits: { amount: null } }, ["BTC/USDT spot 0.01 0.00001 - - true"]],
  [
    "KuCoin's own least order",
    { ...SPOT, info: { minFunds: "7.1" } },
    ["BTC/USDT spot 0.01 0.00001 0.00001 7.1 true"]
  ],
  [
    "nonsense for it",
    { ...SPOT, info: { minFunds: "Infinity" } },
    ["BTC/USDT spot 0.01 0.00001 0.00001 5 true"]
  ],
  ["other words of the exchange", { ...SPOT, info: [1] }, ["BTC/USDT spot 0.01 0.00001 0.00001 5 true"]]
])("%s is read", (_, entry, rows) => {
  const { markets, unreadable } = read("kucoin", entry)
  expect(markets.map(row)).toEqual([...rows])
  expect(unreadable).toEqual([])
})

test.each<[string, unknown]>([
  [
    "a coin-settled perpetual",
    { ...SWAP, symbol: "BTC/USD:BTC", quote: "USD", settle: "BTC", linear: false }
  ],
  ["one settled in another currency", { ...SWAP, symbol: "BTC/USD:USDC", quote: "USD", settle: "USDC" }],
  ["a future", { ...SWAP, type: "future", symbol: "BTC/USDT:USDT-261225" }],
  ["an option", { ...SPOT, type: "option" }],
  ["a currency that nobody trades in here", { ...SPOT, symbol: "BTC/TRY", quote: "TRY" }],
  ["the same with nonsense in it", { ...SPOT, symbol: "BTC/TRY", quote: "TRY", precision: undefined }]
])("%s is skipped", (_, entry) => {
  expect(read("okx", entry)).toMatchObject({ markets: [], unreadable: [] })
})

test.each<[string, unknown]>([
  ["precision.price is 0", { ...SPOT, precision: { amount: 1, price: 0 } }],
  ["precision.price is -0.1", { ...SPOT, precision: { amount: 1, price: -0.1 } }],
  ["precision.price is NaN", { ...SPOT, precision: { amount: 1, price: Number.NaN } }],
  ["precision.price is Infinity", { ...SPOT, precision: { amount: 1, price: Number.POSITIVE_INFINITY } }],
  ["precision.price is 0.01", { ...SPOT, precision: { amount: 1, price: "0.01" } }],
  ["precision.price is missing", { ...SPOT, precision: { amount: 1, price: undefined } }],
  ["precision.amount is missing", { ...SPOT, precision: { price: 1 } }],
  ["precision.amount is 1e-30", { ...SPOT, precision: { amount: 1e-30, price: 1 } }],
  ["limits.cost.min is -5", { ...SPOT, limits: { cost: { min: -5 } } }],
  ["limits.amount.min is 1e+300", { ...SPOT, limits: { amount: { min: 1e300 } } }],
  ["contractSize is missing", { ...SWAP, contractSize: undefined }],
  ["contractSize is 0", { ...SWAP, contractSize: 0 }],
  ["its steps have too many places", { ...SPOT, precision: { amount: 1, price: 1 / 70_000 } }],
  ["precision.price is ?[2J", { ...SPOT, precision: { amount: 1, price: "\u001b[2J" } }],
  ["its steps have too many places", { ...SWAP, contractSize: 1e-12, precision: { amount: 1e-12, price: 1 } }]
])("%s: listed as unreadable with its market", (error, entry) => {
  const { markets, unreadable } = read("okx", entry)
  expect(markets).toEqual([])
  expect(unreadable.map((one) => one.error)).toEqual([error])
  expect(unreadable.map(({ id }) => Option.isSome(id))).toEqual([true])
})

test.each<[string, unknown]>([
  ["no name", { ...SPOT, symbol: undefined }],
  ["a name with more to it", { ...SPOT, symbol: "BTC/USDT.D" }],
  ["a name in another script", { ...SPOT, symbol: "币/USDT" }],
  ["a quote that is another", { ...SPOT, symbol: "BTC/USD" }],
  ["no type", { ...SPOT, type: 7 }],
  ["no market", "BTC/USDT"],
  ["nothing", null]
])("%s: listed as unreadable without a market", (_, entry) => {
  const { markets, unreadable } = read("okx", entry)
  expect([markets, unreadable.map(({ id }) => id)]).toEqual([[], [Option.none()]])
})

test("an answer without a list of markets is an error", () => {
  for (const reply of [undefined, null, 7, "<html>"]) {
    expect(listingOf("okx", reply)).toEqual(Either.left("no list of markets"))
  }
  expect(listingOf("okx", Array(20_001).fill(SPOT))).toEqual(Either.left("a list of 20001 markets"))
  expect(read("okx")).toMatchObject({ markets: [], unreadable: [], fees: Option.none() })
})

test("quote currencies of shipped markets are wanted, besides those of strategies", () => {
  expect(shippedMarkets("kraken").some(({ pair }) => pair.endsWith("/USDC"))).toBe(true)
  expect(read("kraken", { ...SPOT, symbol: "BTC/USDC", quote: "USDC" }).markets).toHaveLength(1)
})

test("the fees are those of most spot markets, in percent", () => {
  const fee = (maker: unknown, taker: unknown) => ({ ...SPOT, maker, taker })
  const feesOf = (...entries: ReadonlyArray<unknown>) =>
    Option.map(read("okx", ...entries).fees, (fees) =>
      [fees.makerFeePercent, fees.takerFeePercent].map(toText).join(" ")
    )
  expect(feesOf(fee(0, 0.001), fee(0.0016, 0.0026), fee(0.0016, 0.0026), SWAP, SWAP, SWAP)).toEqual(
    Option.some("0.16 0.26")
  )
  expect(feesOf(fee(0.006, 0.012))).toEqual(Option.some("0.6 1.2"))
  for (const nonsense of [-0.001, 0.11, Number.NaN, "0.001", undefined]) {
    expect(feesOf(fee(nonsense, 0.001), fee(0.001, nonsense), SWAP)).toEqual(Option.none())
  }
})
