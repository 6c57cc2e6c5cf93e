import { expect, test } from "bun:test"
import { Either } from "effect"
import { parse } from "../../src/domain/AlertPair.ts"

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
