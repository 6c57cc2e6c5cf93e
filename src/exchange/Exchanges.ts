// The `Exchange` port over all venues: a live order goes to the account it names, any other to paper. Connections open
// with the first order, and ccxt is loaded no sooner.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ExchangeAccountId } from "../domain/Arming.ts"
import type { Order } from "../domain/Order.ts"
import { Exchange, Report, type Ticket } from "../services/Exchange.ts"
import type { Connection } from "./Connection.ts"
import { Connections } from "./Connections.ts"
import * as LiveOrders from "./LiveOrders.ts"

/** The layer of the port. */
export const layer = Layer.effect(
  Exchange,
  Effect.gen(function* () {
    const connections = yield* Connections
    const paper = yield* Effect.provide(Exchange, Exchange.layerPaper)
    const isOlder = yield* older
    const known = new WeakMap<Connection, LiveOrders.LiveOrders>()
    const ordersOf = (account: ExchangeAccountId) =>
      Effect.map(connections.of(account), (connection) => {
        const orders = known.get(connection) ?? LiveOrders.make(connection, isOlder)
        known.set(connection, orders)
        return orders
      })
    /** `closed` makes the report if the account cannot be opened. */
    const at = (
      { order }: Ticket<Order>,
      use: (orders: LiveOrders.LiveOrders) => Effect.Effect<Report>,
      closed: (reason: string) => Report
    ) =>
      order.live === undefined
        ? Effect.die("a paper order has no account")
        : ordersOf(order.live.account).pipe(
            Effect.matchEffect({
              onFailure: ({ _tag }) => Effect.succeed(closed(REASONS[_tag])),
              onSuccess: use
            })
          )
    const unknown = (ticket: Ticket<Order>) => () => Report.Unknown({ order: ticket.order.id })
    return Exchange.of({
      submit: (ticket) =>
        ticket.order.live === undefined
          ? paper.submit(ticket)
          : at(
              ticket,
              ({ submit }) => submit(ticket),
              (reason) => Report.Rejected({ order: ticket.order.id, reason })
            ),
      lookup: (ticket) =>
        ticket.order.live === undefined
          ? paper.lookup(ticket)
          : at(ticket, ({ lookup }) => lookup(ticket), unknown(ticket)),
      cancel: (ticket) =>
        ticket.order.live === undefined
          ? paper.lookup(ticket)
          : at(ticket, ({ cancel }) => cancel(ticket), unknown(ticket))
    })
  })
)

/**
 * Whether an order was decided before this run began. If the clock was set back, orders of this run still do not count
 * as older.
 */
const older = Effect.gen(function* () {
  const [startedAt, began] = yield* Effect.all([Clock.currentTimeMillis, Clock.currentTimeNanos])
  return ({ at }: Order) =>
    Effect.map(Effect.all([Clock.currentTimeMillis, Clock.currentTimeNanos]), ([now, nanos]) => {
      const elapsed = Number(nanos - began) / 1e6
      return at < Math.min(startedAt, Math.floor(now - elapsed))
    })
})

const REASONS = {
  VaultLocked: "the keys of the exchange account cannot be opened: there is no master key, or another",
  ExchangeAccountNotFound: "the exchange account was removed"
} as const
