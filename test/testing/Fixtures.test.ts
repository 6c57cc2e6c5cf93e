// Every fixture is valid, and so is everything drawn at random.
import { expect, test } from "bun:test"
import { FastCheck, Schema } from "effect"
import * as Account from "../../src/domain/Account.ts"
import * as Alert from "../../src/domain/Alert.ts"
import { BotState } from "../../src/domain/Bot.ts"
import * as Candle from "../../src/domain/Candle.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Fill } from "../../src/domain/Fill.ts"
import { Market } from "../../src/domain/Market.ts"
import { Order } from "../../src/domain/Order.ts"
import { Position } from "../../src/domain/Position.ts"
import { Signal } from "../../src/domain/Signal.ts"
import { Strategy } from "../../src/domain/Strategy.ts"
import * as Ticker from "../../src/domain/Ticker.ts"
import { TimelineEntry } from "../../src/domain/Timeline.ts"
import { Trade } from "../../src/domain/Trade.ts"
import * as Arbitraries from "../../src/testing/Arbitraries.ts"
import * as Fixtures from "../../src/testing/Fixtures.ts"

/** Whether a value is what its noun's rows may hold, and comes back from a row as it was. */
const holds = <A, I>(schema: Schema.Schema<A, I>, value: A): boolean => {
  const row = Schema.encodeSync(schema)(value)
  const back = Schema.encodeSync(schema)(Schema.decodeUnknownSync(schema)(JSON.parse(JSON.stringify(row))))
  return Schema.is(schema)(value) && JSON.stringify(back) === JSON.stringify(row)
}

test("every fixture is valid as it stands", () => {
  const { close, high, low, open } = Fixtures.candle({ open: 5, close: 4 })
  expect([high >= open, low <= close]).toEqual([true, true])
  expect(
    [
      holds(Account.Token, Fixtures.token()),
      holds(Signal, Fixtures.signal()),
      holds(Strategy, Fixtures.strategy()),
      holds(Alert.Alert, Fixtures.alert()),
      holds(Alert.Outcome, Fixtures.outcome()),
      holds(Market, Fixtures.market()),
      holds(Ticker.Ticker, Fixtures.ticker()) && Ticker.isSound(Fixtures.ticker()),
      holds(Candle.Candle, Fixtures.candle()) && Candle.isSound(Fixtures.candle()),
      holds(Order, Fixtures.order()),
      holds(Fill, Fixtures.fill()),
      holds(Position, Fixtures.position()),
      holds(Trade, Fixtures.trade()),
      holds(BotState, Fixtures.botState()),
      holds(TimelineEntry, Fixtures.timelineEntry())
    ].indexOf(false)
  ).toBe(-1)
})

test("a trade's figures follow from its position, and a fill's fee from its order", () => {
  const { cost, fees, pnl, proceeds, profitPercent } = Fixtures.trade()
  expect(Decimal.toText(Decimal.subtract(proceeds, cost))).toBe(Decimal.toText(pnl))
  expect(Decimal.toNumber(fees)).toBe(12.1)
  expect(profitPercent).toBeCloseTo((Decimal.toNumber(pnl) / Decimal.toNumber(cost)) * 100, 9)
  const order = Fixtures.order({ quantity: Decimal.unsafeFromText("2"), price: 10 })
  expect(Decimal.toText(Fixtures.fill(order).fee)).toBe("0.02")
})

test("arbitrary values can be stored", () => {
  const always = <A>(arbitrary: FastCheck.Arbitrary<A>, holds: (value: A) => boolean) =>
    FastCheck.assert(FastCheck.property(arbitrary, holds), { numRuns: 30, seed: 7 })
  always(Arbitraries.signal(), (one) => holds(Signal, one))
  always(Arbitraries.strategy(), (one) => Schema.is(Strategy)(one))
  always(Arbitraries.alert(), (one) => Schema.is(Alert.Alert)(one))
  always(Arbitraries.order(), (one) => holds(Order, one))
  always(Arbitraries.fill(), (one) => holds(Fill, one))
  always(Arbitraries.candle(), Candle.isSound)
  always(Arbitraries.ticker(), Ticker.isSound)
})
