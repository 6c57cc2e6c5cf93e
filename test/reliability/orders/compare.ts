// Compares our books with the exchange's: every order, fill, fee and balance.
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { Fill } from "../../../src/domain/Fill.ts"
import type { OrderStatus } from "../../../src/domain/Order.ts"
import type * as Stub from "../../exchanges/private/Order.ts"
import { command } from "../Program.ts"
import { must, until } from "../prices/until.ts"
import { Rows } from "../Rows.ts"
import type { Row } from "../suite.ts"
import { clientIdOf, type Records, type Sent } from "./Records.ts"
import { SOON_MS, type Trader } from "./Trader.ts"
import { IntentRow } from "./Views.ts"
import type { World } from "./World.ts"

const OPEN: ReadonlySet<OrderStatus> = new Set(["intended", "accepted", "unknown", "partly_filled"])
/** How close two sums of money must be that were computed in two ways. */
const NEAR = Decimal.unsafeFromText("0.000000001")

/** Waits until no order is under way, and compares our books with the exchange's; fails with the differences. */
export const equal = async (trader: Trader, withinMs = SOON_MS): Promise<void> => {
  await until("rest", () => trader.isIdle, withinMs)
  const first = flaws(trader)
  // A fill may just have arrived, so only a lasting difference counts.
  if (first.length > 0) await Bun.sleep(2500)
  const [flaw, ...more] = first.length > 0 ? flaws(trader) : []
  must(flaw === undefined, `${flaw}${more.length > 0 ? ` (and ${more.length} more)` : ""}`)
}

/** Our books of one strategy on one market, and the exchange's. */
export type Both = Pick<
  Records,
  "isLive" | "orders" | "theirs" | "stop" | "state" | "trades" | "position" | "slot" | "base" | "venue"
> & {
  /** The reported rest at the exchange that is too small to be sold; none by default. */
  readonly dust?: Decimal.Decimal
}

export const flaws = (both: Both): ReadonlyArray<string> =>
  both.isLive ? [...ordersOf(both), ...moneyOf(both)] : paperOf(both)

const paperOf = ({ orders }: Both): ReadonlyArray<string> =>
  orders.flatMap(({ order, status }) =>
    order.live === undefined && status === "filled" ? [] : [`an order on paper is ${status}`]
  )

/** Checks that each order has one intent and equals it, and that its fills are the exchange's. */
const ordersOf = ({ orders, stop, theirs }: Both): ReadonlyArray<string> => {
  const ours = new Map(orders.filter(({ order }) => order.live !== undefined).map((it) => [it.clientId, it]))
  const there = Map.groupBy(theirs, ({ ticket }) => ticket.clientId ?? "")
  return [
    ...[...there].flatMap(([id, same]) => {
      const sent = ours.get(id)
      if (sent === undefined) return [`the exchange has order ${id}, which was never intended`]
      if (same.length > 1) return [`the exchange has ${same.length} orders of the id ${id}`]
      const [order] = same
      return order === undefined ? [] : [...intended(sent, order), ...filled(sent, order)]
    }),
    ...[...ours.values()].flatMap(({ clientId, fills, order, status }) => {
      if (OPEN.has(status) && order.id !== stop?.id) return [`order ${clientId} is still ${status}`]
      if (there.has(clientId)) return []
      return fills.length === 0 ? [] : [`order ${clientId} has fills, and the exchange does not know it`]
    })
  ]
}

/** The least share of the balance for an entry with all of it, because the exchange locks the rest. */
const LEAST = Decimal.unsafeFromText("0.98")

const intended = ({ clientId, order }: Sent, { ticket }: Stub.Order): ReadonlyArray<string> => {
  const amount = ticket.amount
  if (ticket.side !== order.side) return [`order ${clientId} was sent with the other side`]
  if (amount === undefined) return [`order ${clientId} was sent by its cost`]
  if (Decimal.equals(amount, order.quantity)) return []
  const least = Decimal.product(order.quantity, LEAST)
  const isLess = Decimal.lessThan(amount, order.quantity) && !Decimal.lessThan(amount, least)
  if (order.purpose === "entry" && isLess) return []
  return [`order ${clientId} was sent for ${Decimal.toText(amount)}, not ${Decimal.toText(order.quantity)}`]
}

const filled = ({ clientId, fills }: Sent, order: Stub.Order): ReadonlyArray<string> => {
  const said = order.fills.map(expected).sort()
  const kept = fills.map(shown).sort()
  return Bun.deepEquals(said, kept)
    ? []
    : [`order ${clientId}: fills ${kept.join(" | ")}; the exchange has ${said.join(" | ")}`]
}

/** A fill's figures in the books: the amount that arrived, its price, and the fee in quote and in its own asset. */
const expected = ({ amount, cost, fee, feeAsset, order, price }: Stub.Fill): string => {
  const inBase = order.ticket.market.pair.startsWith(`${feeAsset}/`)
  const isBuy = order.ticket.side === "buy"
  const arrived = inBase && isBuy ? Decimal.subtract(amount, fee) : amount
  const worth = inBase ? Decimal.divide(Decimal.product(fee, cost), amount) : fee
  return line(arrived, Decimal.toNumber(price), worth, feeAsset, fee)
}

const shown = (fill: Fill): string => {
  const asset = fill.paid?.asset ?? fill.pair.slice(fill.pair.indexOf("/") + 1)
  return line(fill.quantity, fill.price, fill.fee, asset, fill.paid?.amount ?? fill.fee)
}

const line = (
  quantity: Decimal.Decimal,
  price: number,
  fee: Decimal.Decimal,
  asset: string,
  amount: Decimal.Decimal
): string =>
  `${text(quantity)} at ${Number(price.toPrecision(12))}, fee ${text(fee)} as ${text(amount)} ${asset}`
const text = (value: Decimal.Decimal): string => Decimal.toText(Decimal.round(value, 12))

/** Checks that cash, position and trades equal the changes of the exchange's account. */
const moneyOf = (trader: Both): ReadonlyArray<string> => {
  const { state, theirs, trades } = trader
  const live = state?.live
  const fills = theirs.flatMap(({ fills: own }) => own)
  const quote = Decimal.sum(fills.map(quoteChange))
  const base = Decimal.sum(fills.map(baseChange))
  const isSpot = trader.slot.kind === "spot"
  const made = Decimal.sum(trades.filter(({ live: isLive }) => isLive === true).map(({ pnl }) => pnl))
  const held = trader.position?.quantity ?? Decimal.zero
  const found: Array<string> = []
  // An open perpetual's margin is not spent.
  const isTold = isSpot || Decimal.isZero(held)
  if (
    live !== undefined &&
    isTold &&
    !near(Decimal.subtract(state?.cash ?? Decimal.zero, live.capital), quote)
  )
    found.push(
      `cash moved by ${text(Decimal.subtract(state?.cash ?? Decimal.zero, live.capital))}, the exchange's by ${text(quote)}`
    )
  if (Decimal.isZero(held) && !near(made, quote))
    found.push(`trades made ${text(made)}, the exchange's account ${text(quote)}`)
  const left = Decimal.subtract(Decimal.subtract(base, held), trader.dust ?? Decimal.zero)
  const step = Decimal.unsafeFromText(trader.venue.market(trader.slot).amountStep)
  const most = Decimal.multiply(step, Decimal.fromNumber(Math.max(1, trades.length + fills.length)))
  if (isSpot && (Decimal.isNegative(left) || Decimal.greaterThan(left, most)))
    found.push(`the books hold ${text(held)} ${trader.base}, the exchange's account gained ${text(base)}`)
  return found
}

const near = (one: Decimal.Decimal, other: Decimal.Decimal): boolean => {
  const off = Decimal.subtract(one, other)
  return Decimal.lessThan(Decimal.isNegative(off) ? Decimal.negate(off) : off, NEAR)
}

const isInBase = ({ feeAsset, order }: Stub.Fill) => order.ticket.market.pair.startsWith(`${feeAsset}/`)

const quoteChange = (fill: Stub.Fill): Decimal.Decimal => {
  const gross = fill.order.ticket.side === "buy" ? Decimal.negate(fill.cost) : fill.cost
  return isInBase(fill) ? gross : Decimal.subtract(gross, fill.fee)
}

const baseChange = (fill: Stub.Fill): Decimal.Decimal => {
  const gross = fill.order.ticket.side === "buy" ? fill.amount : Decimal.negate(fill.amount)
  return isInBase(fill) ? Decimal.subtract(gross, fill.fee) : gross
}

/** Verifies the books of a stopped server with the program, and finds orders without an intent. */
export const sound = async (world: World, name: string, number: number): Promise<Row> => {
  const { exitCode, stdout } = await command(["verify", "--db", world.db])
  const all = exitCode === 0 ? orphans(world) : [stdout.slice(0, 300), ...orphans(world)]
  const orders = world.venues.reduce((sum, { desk }) => sum + desk.book.orders.length, 0)
  return {
    test: `orders ${number}: books are sound, no orphans, no doubles (${name})`,
    trials: orders,
    failures: all.length,
    worst: `${orders} orders`,
    details: all.slice(0, 5)
  }
}

const orphans = (world: World): ReadonlyArray<string> => {
  const rows = new Rows(world.db)
  const intents = rows.all(IntentRow, "SELECT intent FROM orders")
  rows.close()
  const ours = new Set(intents.map(({ intent }) => clientIdOf(intent)))
  return world.venues.flatMap(({ desk, name }) => {
    const ids = desk.book.orders.map(({ ticket }) => ticket.clientId ?? "none")
    const twice = ids.filter((id, place) => ids.indexOf(id) !== place)
    return [
      ...ids.filter((id) => !ours.has(id)).map((id) => `${name} has order ${id}, which nobody intended`),
      ...twice.map((id) => `${name} has order ${id} twice`)
    ]
  })
}
