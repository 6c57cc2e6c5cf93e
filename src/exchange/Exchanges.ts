import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ExchangeAccountId } from "../domain/Live.ts"
import type { Order } from "../domain/Order.ts"
import { Exchange, Report, type Ticket } from "../services/Exchange.ts"
import type { Connection } from "./Connection.ts"
import { Connections } from "./Connections.ts"
import * as LiveOrders from "./LiveOrders.ts"

/**
 * Orders go where they say: to the account at an exchange that a live one names, and to paper otherwise. Accounts are
 * opened when the first order goes there, and the library of exchanges is loaded no sooner.
 */
export const layer = Layer.effect(
  Exchange,
  Effect.gen(function* () {
    const connections = yield* Connections
    const paper = yield* Effect.provide(Exchange, Exchange.layerPaper)
    const startedAt = yield* Clock.currentTimeMillis
    const known = new WeakMap<Connection, LiveOrders.LiveOrders>()
    const ordersOf = (account: ExchangeAccountId) =>
      Effect.map(connections.of(account), (connection) => {
        const orders = known.get(connection) ?? LiveOrders.make(connection, startedAt)
        known.set(connection, orders)
        return orders
      })
    /** `closed` is what is told where the account cannot be opened. */
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

const REASONS = {
  VaultLocked: "the keys of the exchange account cannot be opened: there is no master key, or another",
  ExchangeAccountNotFound: "the exchange account was removed"
} as const
