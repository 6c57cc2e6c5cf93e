// Puts the orders of a strategy's record together into its trades: which order opened each, how its exits went, and what
// its fills come to when they are booked anew.
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import type { Order } from "../../domain/Order.ts"
import { costOf, type Position } from "../../domain/Position.ts"
import type { Trade } from "../../domain/Trade.ts"
import * as Positions from "../books/Positions.ts"
import type { LiveRecord, RecordedOrder } from "./LiveRecord.ts"

/** What became of a wish to trade: the order, and those that were sent again for the rest of it. */
export interface Execution {
  readonly orders: ReadonlyArray<RecordedOrder>
  /** The quantity decided first, and the price of that decision. */
  readonly decided: Decimal.Decimal
  readonly price: number
  /** The quantity that was traded, and the quantity by which the position changed: less, where the fee is in the coin. */
  readonly traded: Decimal.Decimal
  readonly moved: Decimal.Decimal
  /** What was traded, at the prices of the orders' decisions and at those of the fills (quote). */
  readonly decidedNotional: Decimal.Decimal
  readonly notional: Decimal.Decimal
  /**
   * The notional in the books (quote). Where the exchange took the fee from the coin bought, the books leave the worth of
   * that coin out and record it as the fee.
   */
  readonly booked: Decimal.Decimal
  readonly fee: Decimal.Decimal
  /** What the last exit of a trade left, less than one can sell; absent where it left nothing. */
  readonly dust?: Decimal.Decimal
}

/** A trade of the record with its executions. `pnl` is what its fills come to; undefined while it is open. */
export interface RealTrade {
  readonly key: string
  readonly alert: number
  readonly trade: Trade | undefined
  readonly pnl: Decimal.Decimal | undefined
  /** In their sequence: further entries by DCA, and exits. Those of alerts are found by their alert. */
  readonly dca: ReadonlyArray<Execution>
  readonly exits: ReadonlyArray<Execution>
}

/** The trades by key, and the entries that alerts made by `entryKey`. */
export interface RealTrades {
  readonly trades: ReadonlyMap<string, RealTrade>
  readonly entries: ReadonlyMap<string, Execution>
}

/** Names a trade by its market and the alert that opened it; live and test agree on it. */
export const keyOf = (id: MarketId, alert: number): string => `${marketKey(id)}#${alert}`

/** Whether an order has ended. */
export const hasEnded = ({ status }: RecordedOrder): boolean =>
  status === "filled" || status === "rejected" || status === "cancelled"

/** Puts the orders together into trades. */
export const of = (record: LiveRecord): RealTrades => {
  const entries = new Map<string, Array<RecordedOrder>>()
  const walks = new Map<string, MarketWalk>()
  for (const happening of happeningsOf(record.orders)) {
    const { order } = happening.of
    const key = marketKey(order)
    const walk = walks.get(key) ?? new MarketWalk(record.trades.filter((it) => marketKey(it) === key))
    walks.set(key, walk)
    if (order.purpose === "entry") entries.set(keyOf(order, order.alert ?? 0), [happening.of])
    walk.take(happening)
  }
  const trades = [...walks.values()].flatMap((walk) => walk.end())
  return {
    trades: new Map(trades.map((trade) => [trade.key, trade])),
    entries: new Map([...entries].map(([key, orders]) => [key, executionOf(orders)]))
  }
}

/** A fill of an order, or the end of an order without one. */
interface Happening {
  readonly at: number
  readonly of: RecordedOrder
  readonly fill: Fill | undefined
}

/** By time; an order without a fill happens when it was decided. A resting stop that was taken back is nothing. */
const happeningsOf = (orders: LiveRecord["orders"]): ReadonlyArray<Happening> =>
  orders
    .flatMap((of): ReadonlyArray<Happening> => {
      if (of.fills.length > 0) return of.fills.map((fill) => ({ at: fill.at, of, fill }))
      return of.order.type === "stop" || !hasEnded(of) ? [] : [{ at: of.order.at, of, fill: undefined }]
    })
    .sort((one, other) => one.at - other.at)

/** The way through the orders of one market. */
class MarketWalk {
  readonly #expected: ReadonlyArray<Trade>
  readonly #ended: Array<RealTrade> = []
  #next = 0
  #now: Open | undefined

  constructor(expected: ReadonlyArray<Trade>) {
    this.#expected = expected
  }

  take({ fill, of }: Happening): void {
    const { order } = of
    if (order.purpose === "exit") return this.#exit(of, fill)
    if (fill === undefined) {
      if (order.purpose === "dca" && this.#now !== undefined) this.#now.dca.push([of])
      return
    }
    const isFirst = fill === of.fills[0]
    // Dust and what was written off end a trade without a fill.
    if (isFirst && this.#now !== undefined && this.#closedBy(this.#now, fill.at)) this.#complete(this.#now)
    const open = this.#now
    if (open === undefined) {
      this.#now = { order, position: Positions.opened(order, fill), dca: [], exits: [] }
      return
    }
    const isAdded = order.purpose === "entry"
    open.position = Positions.increased(open.position, fill, { isAdded, isAnother: isFirst })
    if (!isAdded && open.dca.at(-1)?.[0] !== of) open.dca.push([of])
  }

  end(): ReadonlyArray<RealTrade> {
    const open = this.#now
    if (open === undefined) return this.#ended
    if (this.#closedBy(open, Number.POSITIVE_INFINITY)) this.#complete(open)
    else this.#ended.push(realTrade(open, undefined))
    return this.#ended
  }

  #exit(of: RecordedOrder, fill: Fill | undefined): void {
    const open = this.#now
    if (open === undefined) return
    const last = open.exits.at(-1)
    if (last?.at(-1) !== of) {
      if (last !== undefined && !isWhole(executionOf(last))) last.push(of)
      else open.exits.push([of])
    }
    if (fill === undefined) return
    open.position = Positions.decreased(open.position, fill, of.order).position
    if (Decimal.isZero(open.position.quantity)) this.#complete(open)
  }

  /** Whether the record says that the open trade had ended by a time (ms). */
  #closedBy({ position }: Open, at: number): boolean {
    const trade = this.#expected[this.#next]
    if (trade === undefined || trade.openedAt !== position.openedAt || trade.closedAt > at) return false
    // A further entry may bear the very time of the close.
    return position.entries >= trade.entries
  }

  #complete(open: Open): void {
    const trade = this.#expected[this.#next]
    this.#next++
    this.#now = undefined
    this.#ended.push(realTrade(open, trade))
  }
}

/** An open trade on the way. */
interface Open {
  readonly order: Order
  position: Position
  readonly dca: Array<ReadonlyArray<RecordedOrder>>
  readonly exits: Array<Array<RecordedOrder>>
}

const realTrade = ({ dca, exits, order, position }: Open, trade: Trade | undefined): RealTrade => {
  const alert = order.alert ?? 0
  const sold = exits.map(executionOf)
  const last = sold.pop()
  const left = trade === undefined ? Decimal.zero : position.quantity
  const ended = last && { ...last, ...(Decimal.isPositive(left) ? { dust: left } : {}) }
  return {
    key: keyOf(order, alert),
    alert,
    trade,
    pnl: trade === undefined ? undefined : Decimal.subtract(position.proceeds, costOf(position)),
    dca: dca.map(executionOf),
    exits: ended === undefined ? sold : [...sold, ended]
  }
}

/** Whether all that was decided was traded. */
export const isWhole = ({ decided, traded }: Execution): boolean => !Decimal.lessThan(traded, decided)

/** Sums up the orders of one wish to trade. */
export const executionOf = (orders: ReadonlyArray<RecordedOrder>): Execution => {
  const first = orders[0]?.order
  const fills = orders.flatMap(({ fills, order }) =>
    fills.map((fill) => ({ fill, order, traded: tradedOf(fill) }))
  )
  const sum = (amounts: ReadonlyArray<Decimal.Decimal>) => Decimal.sum(amounts)
  return {
    orders,
    decided: first?.quantity ?? Decimal.zero,
    price: first?.price ?? 0,
    traded: sum(fills.map(({ traded }) => traded)),
    moved: sum(fills.map(({ fill }) => fill.quantity)),
    decidedNotional: sum(
      fills.map(({ order, traded }) => Decimal.multiply(traded, Decimal.fromNumber(order.price)))
    ),
    notional: sum(fills.map(({ fill }) => notionalOf(fill))),
    booked: sum(fills.map(({ fill }) => fill.notional)),
    fee: sum(fills.map(({ fill }) => fill.fee))
  }
}

/** What a fill traded: more than it changed the position by, where the fee was taken from the coin bought. */
const tradedOf = (fill: Fill): Decimal.Decimal =>
  Decimal.add(fill.quantity, inCoin(fill)?.amount ?? Decimal.zero)

/** The worth of all that a fill bought or sold, at the fill's price (quote), with a fee that was taken from the coin. */
export const notionalOf = (fill: Fill): Decimal.Decimal => {
  const paid = inCoin(fill)
  return paid === undefined ? fill.notional : Decimal.multiply(tradedOf(fill), paid.rate)
}

/** The fee that was taken from the coin bought, with the fill's price as its rate; undefined where it was not. */
const inCoin = ({ kind, paid, pair, side }: Fill): Fill["paid"] =>
  kind === "spot" && side === "buy" && paid !== undefined && pair.startsWith(`${paid.asset}/`)
    ? paid
    : undefined
