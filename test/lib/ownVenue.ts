// An embedder's venue: "my-dex", where bitcoin is traded for Swiss francs, with orders that go to a desk of its own.
import { Effect, Layer } from "effect"
import { ExchangeName, QuoteCurrency } from "../../src/domain/Market.ts"
import type { StrategyPatch } from "../../src/domain/requests/StrategyDraft.ts"
import { Exchange } from "../../src/services/Exchange.ts"
import { Venues } from "../../src/services/feeds/Venues.ts"
import { Markets } from "../../src/services/Markets.ts"

export const MY_DEX = ExchangeName.make("my-dex")
export const CHF = QuoteCurrency.make("CHF")
export const AT = { exchange: MY_DEX, pair: "BTC/CHF" }

export const venues = Venues.with({ exchanges: ["my-dex"], quoteCurrencies: ["CHF"] })

export const markets = Markets.with({
  exchange: "my-dex",
  makerFeePercent: 0.1,
  takerFeePercent: 0.5,
  spot: { "BTC/CHF": { price_step: 0.01, amount_step: 0.0001, min_cost: 5 } }
})

/** Fills as paper does, and notes each order. */
export const exchange = (orders: Array<string>) =>
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

/** The settings of a strategy there. */
export const settings: StrategyPatch = {
  buy_percentage: 50,
  default_quote_currency: CHF,
  default_exchange_name: MY_DEX,
  exchanges: [{ exchange_name: MY_DEX, coin_pairs: ["BTC/CHF"] }]
}
