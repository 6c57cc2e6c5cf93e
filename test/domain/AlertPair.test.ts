import { expect, test } from "bun:test"
import { Either } from "effect"
import { parse } from "../../src/domain/alert/AlertPair.ts"
import { shelve } from "../../src/domain/alert/AlertPairs.ts"
import { Pair } from "../../src/domain/Market.ts"

test.each([
  ["BTCUSDT", "BTC/USDT"],
  ["btcusdt", "BTC/USDT"],
  [" BINANCE:BTCUSDT ", "BTC/USDT"],
  ["BTC-USDT", "BTC/USDT"],
  ["BTC/USDT", "BTC/USDT"],
  ["BTC_USDT", "BTC/USDT"],
  ["BTC/USDT:USDT", "BTC/USDT"],
  ["BTCUSDT.P", "BTC/USDT perpetual"],
  ["BYBIT:BTCUSDT.P", "BTC/USDT perpetual"],
  ["BTC-USDT-SWAP", "BTC/USDT perpetual"],
  ["BTCUSDTPERP", "BTC/USDT perpetual"],
  ["BTCUSDT_PERP", "BTC/USDT perpetual"],
  ["BTCUSDT_UMCBL", "BTC/USDT perpetual"],
  ["BTCUSDTM", "BTC/USDT perpetual"],
  ["USDT_BTCUSDT", "BTC/USDT perpetual"],
  ["T/USDT", "T/USDT"],
  ["BINA_USDT_BTC", "BTC/USDT"],
  ["PERPUSDT", "PERP/USDT"],
  ["1000SHIBUSDT", "1000SHIB/USDT"],
  ["SHIBUSD", "SHIB/USD"],
  ["DOTUSD", "DOT/USD"],
  ["BTCFDUSD", "BTC/FDUSD"],
  ["ETHBTC", "ETH/BTC"],
  ["USDCUSDT", "USDC/USDT"],
  ["BTCUSDC", "BTC/USDC"],
  ["USDT", "none"],
  ["BTC-PERP", "none"],
  ["AAPL", "none"],
  ["", "none"],
  ["BTC USDT", "none"],
  ["ВТСUSDT", "none"],
  ["BTC/USDT/ETH", "none"],
  ["x".repeat(100), "none"]
])("%s is %s", (symbol, expected) => {
  const found = parse(symbol, { coin: undefined, quote: undefined })
  const shown = Either.map(
    found,
    ({ coin, perpetual, quote }) => `${coin}/${quote}${perpetual ? " perpetual" : ""}`
  )
  expect(Either.getOrElse(shown, () => "none")).toBe(expected)
})

const shelf = (...pairs: ReadonlyArray<string>) => shelve(pairs.map((pair) => Pair.make(pair)))
const own = shelf("BTC/USDT", "ETH/BTC", "ETH/USDT", "SOL/USDC", "AB/CUSDT", "ABC/USDT")
const all = shelf("DOGE/USDT", "XRP/BTC", "SHI/BUSD", "BTC/USDC", "BTC/USDT")

const named = (symbol: string, pairs: Parameters<typeof parse>[2]): string =>
  Either.match(parse(symbol, { coin: undefined, quote: undefined }, pairs), {
    onLeft: (why) => why,
    onRight: ({ coin, perpetual, quote, warning }) =>
      `${coin}/${quote}${perpetual ? " perpetual" : ""}${warning === undefined ? "" : " !"}`
  })

test.each([
  // The strategies' own pairs come first, whichever way round they are written.
  ["BTCUSDT", "BTC/USDT"],
  ["USDT-BTC", "BTC/USDT !"],
  ["USDT_BTC", "BTC/USDT !"],
  ["USDTBTC", "BTC/USDT !"],
  ["BTCETH", "ETH/BTC !"],
  ["BINA_BTC_ETH", "ETH/BTC"],
  ["XBTUSDTM", "BTC/USDT perpetual"],
  ["BTC-PERP", "BTC/USDT perpetual !"],
  ["BTCPERP", "BTC/USDT perpetual !"],
  ["SOL", "SOL/USDC !"],
  ["ETH-PERP", "several"],
  ["ABCUSDT", "ABC/USDT"],
  ["AB/CUSDT", "AB/CUSDT"],
  // Then those of the exchanges, then what the symbol looks like.
  ["USDT-DOGE", "DOGE/USDT !"],
  ["XRPBTC", "XRP/BTC"],
  ["SHIBUSD", "SHI/BUSD"],
  ["BTCUSDC", "BTC/USDC"],
  ["XAUUSD", "XAU/USD"],
  ["AAPL", "nameless"],
  ["DOGE", "nameless"]
])("%s is %s where pairs are known", (symbol, expected) => {
  expect(named(symbol, { own, all })).toBe(expected)
})

test("a symbol of no followed pair waits for the catalogue; explicit assets do not", () => {
  expect(named("BTCUSDT", { own })).toBe("BTC/USDT")
  expect(named("XRPBTC", { own })).toBe("unsure")
  expect(parse("USDT-BTC", { coin: "USDT", quote: undefined }, { own, all })).toEqual(
    Either.right({ coin: "USDT", quote: "BTC", perpetual: false })
  )
})
