// An exchange of your own, in under 80 lines: an adapter to the client of a venue that has its own words for everything
// and sometimes loses an answer. It passes the very suite that ours pass, and then a bot trades on it.
import assert from "node:assert/strict"
import { Effect, Layer } from "effect"
import { Exchange, Memory } from "signalbox"
import * as Decimal from "signalbox/domain/Decimal"
import type { Fill } from "signalbox/domain/Fill"
import type { Order } from "signalbox/domain/Order"
import { Report } from "signalbox/services/Exchange"
import { Contract, ExchangeContract } from "signalbox/testing"
import { trade } from "./lib/trader.ts"
import { Venue, type VenueOrder, VenueRefusal } from "./lib/venue.ts"

const layerOf = (venue: Venue) => {
  /** What became of an order is a report, also where nobody knows: an error would leave something to guess. */
  const ask = (order: Order, question: () => Promise<VenueOrder | undefined>): Effect.Effect<Report> =>
    Effect.tryPromise(question).pipe(
      Effect.timeout("10 seconds"),
      Effect.map((found) => reportOf(order, found)),
      Effect.catchAll((fault) => {
        const said = fault._tag === "UnknownException" ? fault.error : undefined
        if (!(said instanceof VenueRefusal)) return Effect.succeed(Report.Unknown({ order: order.id }))
        // It has the order already: how that one fared is the answer.
        if (said.code === "duplicate") return ask(order, () => venue.find(order.id))
        return Effect.succeed(Report.Rejected({ order: order.id, reason: said.code }))
      })
    )
  return Layer.succeed(Exchange, {
    submit: ({ order }) =>
      ask(order, () =>
        venue.place({
          // The id is a function of what was decided, so that an order that is sent again is the same order.
          clientId: order.id,
          symbol: order.pair.replace("/", ""),
          side: order.side,
          amount: Decimal.toText(order.quantity),
          ...(order.type === "limit" ? { limit: order.price } : {})
        })
      ),
    lookup: ({ order }) => ask(order, () => venue.find(order.id))
  })
}

const reportOf = (order: Order, found: VenueOrder | undefined): Report => {
  if (found === undefined) return Report.Missing({ order: order.id })
  if (found.trades.length === 0 && found.state === "working") return Report.Accepted({ order: order.id })
  const fills = found.trades.map((one) => fillOf(order, one))
  return Report.Filled({ order: order.id, fills, done: found.state === "closed" })
}

const fillOf = (order: Order, { amount, fee, id, price, time }: VenueOrder["trades"][number]): Fill => {
  const { exchange, kind, pair, side } = order
  const quantity = Decimal.unsafeFromText(amount)
  const notional = Decimal.multiply(quantity, Decimal.fromNumber(price))
  const paid = { fee: Decimal.unsafeFromText(fee), notional }
  return { order: order.id, id, exchange, pair, kind, side, quantity, price, ...paid, at: time }
}

const { cases } = ExchangeContract.suite
for (const one of cases) await Contract.check(one, layerOf(new Venue()))

const server = Memory.layerWith(layerOf(new Venue()))
const { performance } = await Effect.runPromise(trade(60_000, 61_000).pipe(Effect.provide(server)))
assert.equal(performance.summary.trade_count, 1)
console.log(`${cases.length} of ${cases.length} promises of Exchange kept, and a trade made on it`)
