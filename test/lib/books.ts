// A database with interesting books: trades of all kinds, partial fills, open positions, and an order in flight.
import { Effect, Layer } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Fill } from "../../src/domain/Fill.ts"
import type { Order } from "../../src/domain/Order.ts"
import * as ReplayClock from "../../src/prices/ReplayClock.ts"
import { Exchange, Report, type Ticket } from "../../src/services/Exchange.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { fill } from "../../src/trading/books/Matching.ts"
import * as Disk from "./disk.ts"
import * as Flow from "./flow.ts"

/** Fills every second order in two parts; of one SOL order only half ever fills. */
const inParts = Layer.sync(Exchange, () => {
  const filled = new Map<string, ReadonlyArray<Fill>>()
  const answer = ({ at, fees, order }: Ticket<Order>) =>
    Effect.sync(() => {
      const whole = fill(order, fees, at)
      const isUnderWay = order.pair === "SOL/USDT"
      const parts = isUnderWay
        ? [half(whole, "1")]
        : filled.size % 2 === 0
          ? [whole]
          : [half(whole, "1"), half(whole, "2")]
      const fills = filled.get(order.id) ?? parts
      filled.set(order.id, fills)
      return Report.Filled({ order: order.id, fills, done: !isUnderWay })
    })
  return { submit: answer, lookup: answer }
})

/** `part` tells the two halves' fill ids apart. */
const half = (one: Fill, part: string): Fill => {
  const of = (amount: Decimal.Decimal) => Decimal.multiply(amount, Decimal.unsafeFromText("0.5"))
  const amounts = { quantity: of(one.quantity), notional: of(one.notional), fee: of(one.fee) }
  return Object.assign({}, one, amounts, { id: part })
}

const listing = (...coin_pairs: ReadonlyArray<string>) => [{ exchange_name: "binance", coin_pairs } as const]
const exchanges = listing("BTC/USDT", "ETH/USDT", "SOL/USDT", "ETH/BTC")

const HOUR = 3_600_000
const BEGIN = Date.UTC(2026, 2, 1)

/** Writes a database as a few days of trading leave it; strategies 1 to 4, of which the last is deleted. */
export const written = (filename: string) => {
  // The test clock is not used, because a poll every second would take days.
  const clock = ReplayClock.make(BEGIN, 1)
  let now = BEGIN
  const after = (hours: number) =>
    Effect.sync(() => {
      now += hours * HOUR
      clock.moveTo(now, now)
    })
  return Disk.run(
    filename,
    Effect.gen(function* () {
      const ann = yield* Flow.ann({
        exchanges,
        sell_minprofitpercent: 5,
        stop_loss: true,
        stop_loss_percentage: 20,
        strategy_dca_switch: true,
        dca_percentagetrigger: 5,
        dca_ordersize: 50,
        dca_maxretries: 2,
        dca_aftertime: 0
      })
      const swinging = yield* Flow.aStrategy(ann.account, { exchanges, signal_id: ann.signal })
      const moving = yield* Flow.aStrategy(ann.account, {
        exchanges,
        signal_id: ann.signal,
        buy_percentage: 33
      })
      const going = yield* Flow.aStrategy(ann.account, {
        exchanges: listing("BTC/USDT", "ETH/USDT"),
        signal_id: ann.signal
      })
      for (let round = 0; round < 3; round++) {
        yield* after(13)
        yield* Flow.quote(100.03 + round)
        yield* Flow.quote(20.7, { pair: "ETH/USDT", kind: "swap" })
        yield* Flow.say(ann.identity, ann.signal, "buy")
        yield* Flow.say(ann.identity, ann.signal, "short", { pair: "ETH/USDT" })
        yield* after(0.125)
        yield* Flow.quote(94.2)
        yield* Flow.quote(round === 1 ? 19.01 : 23.3, { pair: "ETH/USDT", kind: "swap" })
        yield* after(0.0625)
        yield* Flow.quote(round === 2 ? 70 : 111.17)
        yield* Flow.quote(21 - round, { pair: "ETH/USDT", kind: "swap" })
        yield* Flow.say(ann.identity, ann.signal, "sell")
        yield* Flow.say(ann.identity, ann.signal, "close_short", { pair: "ETH/USDT" })
      }
      yield* Flow.update(ann.account, moving, { default_quote_currency: "BTC" })
      yield* Flow.quote(0.05, { pair: "ETH/BTC" })
      yield* Flow.quote(101.5)
      yield* Flow.quote(3.3, { pair: "SOL/USDT" })
      yield* Flow.say(ann.identity, ann.signal, "buy", { pair: "ETH/BTC" })
      yield* Flow.quote(0.051, { pair: "ETH/BTC" })
      yield* Flow.say(ann.identity, ann.signal, "sell", { pair: "ETH/BTC" })
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* Flow.say(ann.identity, ann.signal, "buy", { pair: "SOL/USDT" })
      yield* (yield* Strategies).remove(ann.account, going)
      return { ...ann, swinging, moving }
    }),
    { exchange: inParts }
  ).pipe(Effect.provide(Layer.setClock(clock)))
}
