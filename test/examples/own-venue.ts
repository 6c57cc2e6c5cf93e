// A venue of your own: an exchange "my-dex" that trades bitcoin for Swiss francs, with its markets and fees, its orders,
// and its prices. A bot trades there, and its figures are in francs.
import assert from "node:assert/strict"
import { Effect, Layer } from "effect"
import {
  Alert,
  Alerts,
  Exchange,
  Market,
  Markets,
  Memory,
  PriceEvent,
  PriceFeed,
  Strategies,
  Ticker,
  Venues
} from "signalbox"
import { begin, me } from "./lib/trader.ts"

const MY_DEX = Market.ExchangeName.make("my-dex")
const CHF = Market.QuoteCurrency.make("CHF")

const orders: Array<string> = []
const server = Memory.layerWith(
  Layer.mergeAll(
    Venues.with({ exchanges: ["my-dex"], quoteCurrencies: ["CHF"] }),
    Markets.with({
      exchange: "my-dex",
      makerFeePercent: 0.1,
      takerFeePercent: 0.5,
      spot: { "BTC/CHF": { price_step: 0.01, amount_step: 0.0001, min_cost: 5 } }
    }),
    // Your adapter goes here (see own-exchange.ts): this one notes each order, and fills it as paper trading does.
    Layer.effect(
      Exchange,
      Effect.map(Exchange, (paper) =>
        Exchange.of({
          ...paper,
          submit: (ticket) => {
            const { exchange, pair, side } = ticket.order
            orders.push(`${side} ${pair} on ${exchange}`)
            return paper.submit(ticket)
          }
        })
      )
    )
  )
)

const price = (last: number) =>
  Effect.flatMap(PriceFeed, (feed) => {
    const market = { exchange: MY_DEX, pair: Market.Pair.make("BTC/CHF"), kind: "spot" } as const
    return feed.publish([PriceEvent.Quoted({ market, ticker: Ticker.ofLast(last, Date.now()) })])
  })

const program = Effect.gen(function* () {
  const { signal, strategy } = yield* begin({
    default_quote_currency: CHF,
    default_exchange_name: MY_DEX,
    exchanges: [{ exchange_name: MY_DEX, coin_pairs: ["BTC/CHF"] }]
  })
  const buy = Alert.instruction({ signalId: signal, coin: "BTC", quoteCurrency: "CHF", type: "buy" })
  yield* (yield* Alerts).receive(me, buy, {})
  yield* price(50_000)
  const { get } = yield* Strategies
  return yield* price(52_000).pipe(
    Effect.zipRight(Effect.sleep("20 millis")),
    Effect.zipRight(get(me.account, strategy)),
    Effect.repeat({ until: ({ performance }) => performance.summary.trade_count > 0 }),
    Effect.timeout("10 seconds")
  )
})

const {
  default_quote_currency: currency,
  performance,
  taker_fee: fee
} = await Effect.runPromise(Effect.provide(program, server))
assert.deepEqual([currency, fee], ["CHF", 0.5])
assert.deepEqual(orders, ["buy BTC/CHF on my-dex", "sell BTC/CHF on my-dex"])
assert(performance.summary.net_pnl > 0)
console.log(`${orders.join(", then ")}: ${performance.summary.net_pnl.toFixed(2)} ${currency}`)
