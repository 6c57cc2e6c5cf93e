import { expect, test } from "bun:test"
import { Option } from "effect"
import * as Catalogue from "../../src/domain/catalogue/Catalogue.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { EXCHANGE_NAMES, Pair } from "../../src/domain/Market.ts"

test.each([...EXCHANGE_NAMES])("every line of %s is a market, and each is found again", (name) => {
  const exchange = Catalogue.exchange(name)
  expect([exchange.name, exchange.active]).toEqual([name, true])
  const markets = Catalogue.markets(name)
  expect(markets.length).toBeGreaterThan(20)
  for (const market of markets) {
    expect(market.exchange).toBe(name)
    expect([market.active, market.buyEnabled]).toEqual([true, true])
    expect(Decimal.isPositive(market.priceStep) && Decimal.isPositive(market.amountStep)).toBe(true)
    expect(Catalogue.find(market)).toEqual(Option.some(market))
  }
})

test("a market that is not shipped is not found", () => {
  expect(Catalogue.find({ exchange: "okx", pair: Pair.make("NO/PE"), kind: "spot" })).toEqual(Option.none())
  expect(Catalogue.exchanges().map(({ name }) => name)).toEqual([...EXCHANGE_NAMES])
  expect(Catalogue.all().length).toBe(EXCHANGE_NAMES.flatMap(Catalogue.markets).length)
})
