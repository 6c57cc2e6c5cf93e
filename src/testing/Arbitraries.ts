import * as Arbitrary from "effect/Arbitrary"
import * as FastCheck from "effect/FastCheck"
import * as AlertNoun from "../domain/Alert.ts"
import type { Candle } from "../domain/Candle.ts"
import { fromNumber } from "../domain/Decimal.ts"
import type { Fill } from "../domain/Fill.ts"
import * as MarketNoun from "../domain/Market.ts"
import type { Order } from "../domain/Order.ts"
import { OrderId } from "../domain/Order.ts"
import * as SignalNoun from "../domain/Signal.ts"
import * as StrategyNoun from "../domain/Strategy.ts"
import { ofLast, type Ticker } from "../domain/Ticker.ts"
import { fill as fixedFill, order as fixedOrder } from "./Fixtures.ts"

// Nouns at random, for properties: `FastCheck.assert(FastCheck.property(Arbitraries.signal(), (signal) => ...))`.

/** Any signal that may be stored. */
export const signal = () => Arbitrary.make(SignalNoun.Signal)

/** All that its owner may set of a signal. */
export const signalDraft = () => Arbitrary.make(SignalNoun.SignalDraft)

/** Any settings that have the shape of a strategy's; the rules between them are not looked at. */
export const settings = () => Arbitrary.make(StrategyNoun.Settings)

/** Any strategy of the like. */
export const strategy = () => Arbitrary.make(StrategyNoun.Strategy)

/** All that an alert may say. */
export const instruction = () => Arbitrary.make(AlertNoun.Instruction)

/** Any alert on disk. */
export const alert = () => Arbitrary.make(AlertNoun.Alert)

/** Any market, also of pairs that nobody trades. */
export const marketId = (): FastCheck.Arbitrary<MarketNoun.MarketId> =>
  FastCheck.record({
    exchange: Arbitrary.make(MarketNoun.ExchangeName),
    pair: Arbitrary.make(MarketNoun.Pair),
    kind: Arbitrary.make(MarketNoun.MarketKind)
  })

const price = () => FastCheck.double({ min: 1e-8, max: 1e7, noNaN: true })
const time = () => FastCheck.integer({ min: 0, max: 4_102_444_800_000 })

/** A sound price: positive and finite. */
export const ticker = (): FastCheck.Arbitrary<Ticker> =>
  FastCheck.tuple(price(), time()).map(([last, at]) => ofLast(last, at))

/** A sound candle: its extremes hold its open and its close. */
export const candle = (): FastCheck.Arbitrary<Candle> =>
  FastCheck.tuple(price(), price(), price(), price(), time()).map(([open, close, one, other, at]) => ({
    at,
    open,
    close,
    high: Math.max(open, close, one, other),
    low: Math.min(open, close, one, other),
    volume: 1
  }))

/** An order for any amount of any market, at any price. */
export const order = (): FastCheck.Arbitrary<Order> =>
  FastCheck.tuple(marketId(), price(), price(), time(), FastCheck.nat()).map(
    ([id, amount, at, when, place]) =>
      fixedOrder({
        ...id,
        id: OrderId.make(`1-1-${place}`),
        quantity: fromNumber(amount),
        price: at,
        at: when
      })
  )

/** What fills such an order whole. */
export const fill = (): FastCheck.Arbitrary<Fill> => order().map((one) => fixedFill(one))
