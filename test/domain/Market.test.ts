import { expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { EXCHANGE_NAMES, exchangeNameOf } from "../../src/domain/Market.ts"
import * as BacktestRequest from "../../src/domain/requests/BacktestRequest.ts"
import * as MarketRequest from "../../src/domain/requests/MarketRequest.ts"
import * as StrategyRequest from "../../src/domain/requests/StrategyRequest.ts"
import { strategyRequest } from "../../src/testing/Fixtures.ts"

test.each([
  ["Binance", "binance"],
  ["binance.com", "binance"],
  [" BYBIT ", "bybit"],
  ["OKX", "okx"],
  ["okex", "okx"],
  ["OKEx", "okx"],
  ["okex5", "okx"],
  ["Kraken", "kraken"],
  ["Coinbase", "coinbase"],
  ["coinbasepro", "coinbase"],
  ["Coinbase Pro", "coinbase"],
  ["coinbase-advanced", "coinbase"],
  ["coinbaseadvanced", "coinbase"],
  ["coinbase_advanced_trade", "coinbase"],
  ["GDAX", "coinbase"],
  ["KuCoin", "kucoin"],
  ["Bitget", "bitget"]
] as const)("%p is %s", (written, name) => {
  expect(exchangeNameOf(written)).toBe(name)
})

test.each([
  "",
  "binanceus",
  "binance us",
  "krakenfutures",
  "okcoin",
  "ftx",
  "constructor",
  1,
  null,
  { name: "binance" }
])("%p is refused: it is the name of no supported exchange", (written) => {
  expect(exchangeNameOf(written)).toBeUndefined()
})

const ALL = `must be one of ${EXCHANGE_NAMES.join(", ")}`
const listing = (exchange_name: unknown) => ({ exchange_name, coin_pairs: ["BTC/USDT"] })
const reading = (changes: object) => StrategyRequest.read({ ...strategyRequest(), ...changes }, Option.none())

test("a strategy may name exchanges as people write them, and stores their ids", () => {
  const read = reading({
    default_exchange_name: "KuCoin",
    exchanges: [listing("OKEx"), listing("Coinbase Pro")]
  })
  const settings = Option.getOrThrow(read.settings)
  expect(settings.defaultExchange).toBe("kucoin")
  expect(settings.exchanges.map(({ exchange }) => exchange)).toEqual(["okx", "coinbase"])
  // The rule that an exchange is listed once sees these: two spellings are one exchange twice.
  expect(Option.getOrThrow(read.listings).map(({ exchange }) => exchange)).toEqual(["okx", "coinbase"])
})

test("an unknown exchange is refused with the list of the seven", () => {
  const { violations } = reading({
    default_exchange_name: "ftx",
    exchanges: [listing("Binance"), listing(7)]
  })
  expect(violations).toEqual([
    { field: "default_exchange_name", text: ALL },
    { field: "exchanges", text: `[1].exchange_name ${ALL}` }
  ])
})

test("every other request accepts such names too", () => {
  const recorded = { pair: "BTC/USDT", exchange: "OKEX" }
  const asked = BacktestRequest.read({ strategy: strategyRequest(), candles: [recorded] })
  expect(Either.getOrThrow(asked).candles).toMatchObject([{ exchange: "okx" }])
  expect(Either.getOrThrow(MarketRequest.readExchange({ name: "Bitget", active: true })).name).toBe("bitget")
  const market = { exchange: "GDAX", pair: "BTC/USD", kind: "spot", active: false }
  expect(Either.getOrThrow(MarketRequest.readMarket(market)).ids).toMatchObject([{ exchange: "coinbase" }])
  expect(Either.getOrThrow(MarketRequest.readMarketQuery({ exchange: "Kraken" })).exchange).toBe("kraken")
})
