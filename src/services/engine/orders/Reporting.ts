// Turns an exchange's report into events of the bot. A report that says nothing new, or concerns no open order, changes
// nothing.
import type { Slot } from "../../../domain/Bot.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import { type MarketId, marketKey } from "../../../domain/Market.ts"
import type { Order, OrderId, OrderStatus } from "../../../domain/Order.ts"
import type { Context, Event } from "../../../trading/Decision.ts"
import type { Report } from "../../Exchange.ts"
import type { Adoption } from "../decide/Adoption.ts"
import { isAside } from "../Roster.ts"
import type { OrdersInFlight } from "./OrdersInFlight.ts"
import type { OutgoingOrder } from "./OutgoingOrder.ts"

/**
 * Takes in one report. For a bot that is set aside it takes in nothing: the order is asked about again once the bot is
 * back.
 */
export const reporting =
  (adoption: Adoption, orders: OrdersInFlight) =>
  ({ bot, ticket }: OutgoingOrder<Order>, report: Report, context: Context): void => {
    if (isAside(bot)) return
    const handle = adoption.handle.bind(adoption)
    const market: MarketId = ticket.order
    const order = ticket.order.id
    const slot = bot.record.state.slots[marketKey(market)]
    const inFlight = underWay(slot, order)
    if (inFlight === undefined) return orders.forget(order)
    const rests = slot?.stopEnding === true ? "ending" : "resting"
    const flies = slot?.entryEnding === true ? "ending" : "in flight"
    const news = orders.news(report, context.now, slot?.stop?.id === order ? rests : flies)
    if (news === undefined) return
    const status = (status: OrderStatus) => ({ status: { order, status } })
    const isFilled = orders.isFilled(order)
    const cut = news._tag === "Accepted" || news._tag === "Filled" ? news.cut : undefined
    if (cut !== undefined) handle(bot, { _tag: "Cut", market, order, quantity: cut }, context)
    const sent = Decimal.min(cut ?? inFlight.quantity, inFlight.quantity)
    switch (news._tag) {
      case "Accepted":
        return handle(bot, { _tag: "Accepted", market, order }, context, status("accepted"))
      case "Unknown":
        return handle(bot, { _tag: "Unknown", market, order }, context, status("unknown"))
      case "Missing":
      case "Rejected":
        orders.forget(order)
        // A partly filled order keeps its fills: only the rest was rejected.
        if (isFilled) return handle(bot, { _tag: "Cancelled", market, order }, context, status("cancelled"))
        return handle(bot, endedBy(news, market), context, status("rejected"))
      case "Filled": {
        if (news.done) orders.forget(order)
        if (news.fills.length === 0) {
          const how = endOf(sent, ticket.order)
          return handle(bot, { _tag: "Cancelled", market, order }, context, status(how))
        }
        let left = sent
        news.fills.forEach((fill, index) => {
          left = Decimal.subtract(left, fill.quantity)
          const done = news.done && index === news.fills.length - 1
          const end = endOf(left, ticket.order)
          handle(bot, { _tag: "Filled", market, fill, done }, context, {
            ...status(done ? end : "partly_filled"),
            fills: [fill]
          })
        })
      }
    }
  }

/** The event of an order that ended without a fill, with the exchange's reason cut to `MAX_REASON` characters. */
const endedBy = (
  news: Extract<Report, { readonly _tag: "Missing" | "Rejected" }>,
  market: MarketId
): Event =>
  news._tag === "Missing"
    ? { _tag: "Missing", market, order: news.order }
    : { _tag: "Rejected", market, order: news.order, reason: news.reason.slice(0, MAX_REASON) }
const MAX_REASON = 120

/**
 * An exchange that takes its fee in the coin bought reports the amount that arrived: a fully filled order lacks that
 * much.
 */
const MOST_FEE_PERCENT = Decimal.fromNumber(1)

/** The final status of an ended order: filled, unless more than a fee is left. */
const endOf = (left: Decimal.Decimal, { quantity }: Order): OrderStatus =>
  Decimal.lessThan(Decimal.percentOf(quantity, MOST_FEE_PERCENT), left) ? "cancelled" : "filled"

/** The slot's order of this id, in flight or resting. */
const underWay = (slot: Slot | undefined, id: OrderId): Order | undefined =>
  slot?.order?.id === id ? slot.order : slot?.stop?.id === id ? slot.stop : undefined
