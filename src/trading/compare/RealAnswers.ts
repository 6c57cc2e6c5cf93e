// Answers the orders of a test as the exchange answered those of the record: refused, filled in part, at the prices and
// fees of the fills. An order of the test that has none in the record fills as the test has it. Each stage comes with all
// that stand before it.
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import type { Order } from "../../domain/Order.ts"
import type { Backtest } from "../Backtest.ts"
import { type Fees, rateOf } from "../books/Fees.ts"
import type { Event } from "../Decision.ts"
import type { Approved } from "../Risk.ts"
import type { LiveRecord, RecordedOrder } from "./LiveRecord.ts"
import type { Stage } from "./Parts.ts"
import { type Execution, isWhole, keyOf, notionalOf, type RealTrades } from "./RealTrades.ts"

/** A trade of the test under way: its key, and the orders so far. */
interface Open {
  readonly key: string
  quantity: Decimal.Decimal
  dca: number
  exits: number
}

/** Follows the orders of one test, and answers them. `keys` lists the trades of each market as they were opened. */
export class RealAnswers {
  readonly keys = new Map<string, Array<string>>()
  /** Orders of the record that the test decided too, at the same price. */
  readonly repeated = new Set<RecordedOrder>()
  readonly #open = new Map<string, Open>()
  readonly #record: Pick<LiveRecord, "market">
  readonly #real: RealTrades
  readonly #alertOf: (id: number) => number
  readonly #stages: ReadonlySet<Stage>

  constructor(
    record: Pick<LiveRecord, "market">,
    real: RealTrades,
    alertOf: (id: number) => number,
    stages: ReadonlySet<Stage>
  ) {
    this.#record = record
    this.#real = real
    this.#alertOf = alertOf
    this.#stages = stages
  }

  readonly answer: NonNullable<Backtest["answer"]> = (order, fill, fees) => {
    const execution = this.#executionOf(order)
    if (execution?.price === order.price) for (const one of execution.orders) this.repeated.add(one)
    const event = answered(order, fill, {
      execution,
      step: this.#record.market(order)?.amountStep ?? Decimal.zero,
      fees,
      stages: this.#stages
    })
    if (event._tag === "Filled") this.#follow(order, event.fill)
    return event
  }

  #executionOf(order: Approved): Execution | undefined {
    if (order.purpose === "entry")
      return this.#real.entries.get(keyOf(order, this.#alertOf(order.alert ?? 0)))
    const open = this.#open.get(marketKey(order))
    const real = open === undefined ? undefined : this.#real.trades.get(open.key)
    if (open === undefined || real === undefined) return undefined
    const execution = order.purpose === "dca" ? real.dca[open.dca++] : real.exits[open.exits++]
    // Once decisions are repeated, an exit by another rule is another decision.
    const isSame = execution?.orders[0]?.order.exitReason === order.exitReason
    return this.#stages.has("latency") && !isSame ? undefined : execution
  }

  #follow(order: Approved, fill: Fill): void {
    const market = marketKey(order)
    const open = this.#open.get(market)
    if (order.purpose === "exit") {
      if (open === undefined) return
      open.quantity = Decimal.subtract(open.quantity, fill.quantity)
      if (order.part !== true || !Decimal.isPositive(open.quantity)) this.#open.delete(market)
      return
    }
    if (open !== undefined) {
      open.quantity = Decimal.add(open.quantity, fill.quantity)
      return
    }
    const key = keyOf(order, this.#alertOf(order.alert ?? 0))
    this.#open.set(market, { key, quantity: fill.quantity, dca: 0, exits: 0 })
    this.keys.set(market, [...(this.keys.get(market) ?? []), key])
  }
}

/** The key of the n-th trade of a market, from 0, by opening. */
export const keyAt = (answers: RealAnswers, id: MarketId, index: number): string | undefined =>
  answers.keys.get(marketKey(id))?.[index]

interface Terms {
  readonly execution: Execution | undefined
  /** The market's amount step. */
  readonly step: Decimal.Decimal
  readonly fees: Fees
  readonly stages: ReadonlySet<Stage>
}

const answered = (intent: Approved, model: Fill, { execution, fees, stages, step }: Terms): Event => {
  const filled = (fill: Fill): Event => ({ _tag: "Filled", market: intent, fill, done: true })
  if (execution === undefined) return filled(model)
  const order = stages.has("latency") ? asDecided(intent, execution, step) : intent
  const quantity = stages.has("orders") ? quantityOf(order, execution, step) : model.quantity
  if (!Decimal.isPositive(quantity)) return { _tag: "Rejected", market: intent, order: order.id }
  // What was never traded has no price of its own: the test's stands.
  if (Decimal.isZero(execution.traded)) return filled(model)
  const isSame = Decimal.equals(quantity, execution.traded) && order.price === execution.price
  const wished = Decimal.multiply(quantity, Decimal.fromNumber(order.price))
  const decided = stages.has("orders") ? decidedAt(execution, { isSame, wished }) : wished
  const notional = stages.has("price")
    ? pricedAt(execution, { isSame, decided })
    : asModelled(order, model, decided)
  const expected = modelled(order, notional, fees)
  const fee = stages.has("fees") ? paidFor(order, execution, { notional, expected, fees }) : expected
  const isBooked = stages.has("fees")
  return filled({
    ...model,
    quantity: isBooked ? inBooks(quantity, execution.moved, execution.traded) : quantity,
    notional: isBooked ? inBooks(notional, execution.booked, execution.notional) : notional,
    fee,
    price: priceOf(order, model, { notional, quantity })
  })
}

/**
 * The order at the price of the record's. An entry then buys for the same cost, and what differs from the record's by one
 * amount step at most is rounding.
 */
const asDecided = (order: Order, { decided, price }: Execution, step: Decimal.Decimal): Order => {
  if (order.purpose === "exit") return { ...order, price }
  const cost = Decimal.multiply(order.quantity, Decimal.fromNumber(order.price))
  const wanted = order.price === price ? order.quantity : Decimal.divide(cost, Decimal.fromNumber(price))
  const distance = Decimal.subtract(wanted, decided)
  const isSame = !Decimal.greaterThan(Decimal.max(distance, Decimal.negate(distance)), step)
  return { ...order, price, quantity: isSame ? decided : Decimal.floorToStep(wanted, step) }
}

/** At the prices that the test's own fills have: worse than decided, where its fills are made nearer to life. */
const asModelled = (order: Order, model: Fill, decided: Decimal.Decimal): Decimal.Decimal => {
  const ideal = Decimal.multiply(model.quantity, Decimal.fromNumber(order.price))
  return Decimal.equals(decided, ideal) ? model.notional : scaled(decided, model.notional, ideal)
}

const priceOf = (
  order: Order,
  model: Fill,
  { notional, quantity }: Pick<Fill, "notional" | "quantity">
): number => {
  if (Decimal.equals(notional, model.notional) && Decimal.equals(quantity, model.quantity)) return model.price
  const decided = Decimal.multiply(quantity, Decimal.fromNumber(order.price))
  return Decimal.equals(notional, decided)
    ? order.price
    : Decimal.toNumber(Decimal.divide(notional, quantity))
}

/** The same part of the order as at the exchange. An exit goes on until all is sold, but for the record's dust. */
const quantityOf = (order: Order, execution: Execution, step: Decimal.Decimal): Decimal.Decimal => {
  const { dust, moved, traded } = execution
  if (dust !== undefined && Decimal.equals(order.quantity, Decimal.add(moved, dust))) return traded
  if (order.purpose === "exit" || isWhole(execution)) return order.quantity
  if (Decimal.equals(order.quantity, execution.decided)) return execution.traded
  const share = Decimal.divide(execution.traded, execution.decided)
  return Decimal.floorToStep(Decimal.multiply(order.quantity, share), step)
}

/** At the prices of the decisions that led to fills: later ones, where the first was refused or filled in part. */
const decidedAt = (
  { decidedNotional, orders, price, traded }: Execution,
  { isSame, wished }: { readonly isSame: boolean; readonly wished: Decimal.Decimal }
): Decimal.Decimal => {
  if (orders.length === 1) return wished
  if (isSame) return decidedNotional
  return scaled(wished, decidedNotional, Decimal.multiply(traded, Decimal.fromNumber(price)))
}

/** At the prices of the fills. */
const pricedAt = (
  { decidedNotional, notional }: Execution,
  { decided, isSame }: { readonly isSame: boolean; readonly decided: Decimal.Decimal }
): Decimal.Decimal => (isSame ? notional : scaled(decided, notional, decidedNotional))

/**
 * The fee of the fills. Where the test trades another amount, its own expected fee, as many times as the fills paid of
 * theirs.
 */
const paidFor = (
  order: Order,
  { fee, notional, orders }: Execution,
  paid: { readonly notional: Decimal.Decimal; readonly expected: Decimal.Decimal; readonly fees: Fees }
): Decimal.Decimal => {
  const isAlike = orders.every((it) => ratesAs(it.order) === ratesAs(order))
  if (isAlike && Decimal.equals(paid.notional, notional)) return fee
  const theirs = Decimal.sum(
    orders.flatMap(({ fills, order }) => fills.map((fill) => modelled(order, notionalOf(fill), paid.fees)))
  )
  if (Decimal.equals(fee, theirs)) return paid.expected
  return Decimal.isZero(theirs) ? scaled(paid.notional, fee, notional) : scaled(paid.expected, fee, theirs)
}

/** What decides the rate of an order's fee. */
const ratesAs = ({ exitReason, type }: Order): string => (exitReason === "liquidation" ? exitReason : type)

/** The amount that the books have of one that was traded: `booked` of the whole `traded`, and as large a share of a part. */
const inBooks = (
  amount: Decimal.Decimal,
  booked: Decimal.Decimal,
  traded: Decimal.Decimal
): Decimal.Decimal => (Decimal.equals(amount, traded) ? booked : scaled(amount, booked, traded))

/** The fee that a test expects, whether or not the order was live: none for a liquidation. */
const modelled = (
  { exitReason, type }: Pick<Order, "exitReason" | "type">,
  notional: Decimal.Decimal,
  fees: Fees
): Decimal.Decimal =>
  exitReason === "liquidation" ? Decimal.zero : Decimal.multiply(notional, rateOf({ type }, fees))

/** `amount` x `part` / `whole`; `amount` itself where the last two are equal, or nothing is whole. */
const scaled = (amount: Decimal.Decimal, part: Decimal.Decimal, whole: Decimal.Decimal): Decimal.Decimal =>
  Decimal.equals(part, whole) || Decimal.isZero(whole)
    ? amount
    : Decimal.multiply(amount, Decimal.divide(part, whole))
