// Random nouns for property tests: `FastCheck.assert(FastCheck.property(Arbitraries.signal(), (signal) => ...))`.
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

/** Any signal that can be stored. */
export const signal = () => Arbitrary.make(SignalNoun.Signal)

/** Any draft of a signal. */
export const signalDraft = () => Arbitrary.make(SignalNoun.SignalDraft)

/** Any settings of the right shape; rules between settings may be violated. */
export const settings = () => Arbitrary.make(StrategyNoun.Settings)

/** Any strategy, with such settings. */
export const strategy = () => Arbitrary.make(StrategyNoun.Strategy)

/** Anything that an alert can say. */
export const instruction = () => Arbitrary.make(AlertNoun.Instruction)

/** Any stored alert. */
export const alert = () => Arbitrary.make(AlertNoun.Alert)

/** Any market, including pairs that nobody trades. */
export const marketId = (): FastCheck.Arbitrary<MarketNoun.MarketId> =>
  FastCheck.record({
    exchange: Arbitrary.make(MarketNoun.ExchangeName),
    pair: Arbitrary.make(MarketNoun.Pair),
    kind: Arbitrary.make(MarketNoun.MarketKind)
  })

const price = () => FastCheck.double({ min: 1e-8, max: 1e7, noNaN: true })
const time = () => FastCheck.integer({ min: 0, max: 4_102_444_800_000 })

/** A valid price: positive and finite. */
export const ticker = (): FastCheck.Arbitrary<Ticker> =>
  FastCheck.tuple(price(), time()).map(([last, at]) => ofLast(last, at))

/** A valid candle: open and close lie between low and high. */
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

/** A fill of such an order, for its whole quantity. */
export const fill = (): FastCheck.Arbitrary<Fill> => order().map((one) => fixedFill(one))
