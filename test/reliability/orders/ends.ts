// How an order may end, and what has to go wrong at the exchange for that: used by the cases that follow a chart.
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { OrderStatus } from "../../../src/domain/Order.ts"
import type { RestRequest } from "../../exchanges/Protocol.ts"
import { must, until } from "../prices/until.ts"
import type { Trader } from "./Trader.ts"

/** How one order ends, counted from 1 among those that are placed from now on. */
export interface End {
  readonly title: string
  /** Plans what goes wrong with the `nth` order to be placed. */
  readonly plan: (trader: Trader, nth: number) => void
  /** The status that one of the orders must have had. */
  readonly status?: OrderStatus
  /** Whether the server needs a minute to find out. */
  readonly isSlow?: boolean
}

/** A search for an order that never arrived, and a retry after it. */
export const ENDED_MS = 100_000
/** What the market offers where an order is to fill in part. */
const LITTLE = "2"

/** True for the `nth` request to place an order on the trader's market. */
const nthOf = (trader: Trader, nth: number) => {
  const isOurs = trader.venue.concerns(trader.slot)
  let seen = 0
  return (request: RestRequest) => isOurs(request) && ++seen === nth
}

/** Fills at once, is found filled after a lost answer, is found to be missing, fills in part, or is turned down. */
export const ENDS: ReadonlyArray<End> = [
  { title: "at once", plan: () => {} },
  {
    title: "answer lost",
    plan: (trader, nth) =>
      trader.desk.troubles.plan("place", { how: "cut", when: "after" }, 1, nthOf(trader, nth))
  },
  {
    title: "in part",
    plan: (trader, nth) => {
      const isIt = nthOf(trader, nth)
      // Asked before the order is placed, which is then all that finds so little.
      trader.desk.troubles.plan("place", { how: "delay", when: "after", ms: 1 }, 1, (request) => {
        if (!isIt(request)) return false
        trader.desk.book.supply(trader.slot, LITTLE)
        return true
      })
    }
  },
  {
    title: "turned down",
    status: "rejected",
    plan: (trader, nth) =>
      trader.desk.troubles.plan("place", { how: "refuse", flaw: "closed_market" }, 1, nthOf(trader, nth))
  },
  {
    title: "never arrived",
    isSlow: true,
    plan: (trader, nth) =>
      trader.desk.troubles.plan("place", { how: "cut", when: "before" }, 1, nthOf(trader, nth))
  }
]

/** Lets the market trade any amount again once an order was filled in part there, if one is to be. */
export const offered = async ({ title }: End, trader: Trader): Promise<void> => {
  if (title !== "in part") return
  const isCut = () =>
    trader.theirs.some(
      ({ amount, filled, isDone }) => isDone && Decimal.isPositive(filled) && Decimal.lessThan(filled, amount)
    )
  await until("an order that is filled in part", isCut, ENDED_MS)
  trader.desk.book.supply(trader.slot, undefined)
}

/** What the exchange sold less what it bought, in the base. */
export const soldBy = ({ theirs }: Trader): Decimal.Decimal =>
  Decimal.sum(theirs.map(({ filled, ticket }) => (ticket.side === "sell" ? filled : Decimal.negate(filled))))

/** Fails unless one of the orders ended as it had to. */
export const endedSo = ({ status }: End, { orders }: Trader): void => {
  if (status === undefined) return
  must(
    orders.some((sent) => sent.status === status),
    `no order is ${status}: ${orders.map((sent) => sent.status).join(", ")}`
  )
}
