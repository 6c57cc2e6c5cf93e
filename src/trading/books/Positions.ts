// A position from its first fill to the trade it becomes, in exact decimals, and its figures as doubles for price
// levels. An exit takes the same share of the cost basis as of the quantity.
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { ExitReason, Order, PositionSide } from "../../domain/Order.ts"
import { costOf, feesLeft, type Position } from "../../domain/Position.ts"
import { type ExitFill, MAX_EXIT_FILLS, type Trade } from "../../domain/Trade.ts"

/** The position after the first fill of an entry order. */
export const opened = (
  order: Pick<Order, "position" | "alert" | "tp" | "sl" | "tps">,
  fill: Fill
): Position => ({
  side: order.position,
  openedBy: order.alert ?? 0,
  openedAt: fill.at,
  lastEntryAt: fill.at,
  entries: 1,
  quantity: fill.quantity,
  basis: fill.notional,
  entryQuantity: fill.quantity,
  entryNotional: fill.notional,
  entryFees: fill.fee,
  exitQuantity: Decimal.zero,
  exitNotional: Decimal.zero,
  exitFees: Decimal.zero,
  proceeds: Decimal.zero,
  ...(order.tp === undefined ? {} : { tp: order.tp }),
  ...(order.sl === undefined ? {} : { sl: order.sl }),
  ...(order.tps === undefined ? {} : { ladder: { steps: order.tps, base: fill.quantity, done: 0 } })
})

/** A further entry fill: `isAnother` is false for a later part of an order that had filled in part. */
export interface Increase {
  readonly isAnother: boolean
  /** Whether an alert added it, and not DCA. */
  readonly isAdded: boolean
}

/** The position after a further entry fill, which takes its stop off break even. */
export const increased = (position: Position, fill: Fill, { isAdded, isAnother }: Increase): Position => {
  const { breakEven: _, dcaSkippedAt: __, ladder, openFees, ...rest } = position
  return {
    ...rest,
    ...(isAdded && isAnother ? { added: (position.added ?? 0) + 1 } : {}),
    ...(ladder === undefined ? {} : { ladder: { ...ladder, base: Decimal.add(ladder.base, fill.quantity) } }),
    ...(openFees === undefined ? {} : { openFees: Decimal.add(openFees, fill.fee) }),
    lastEntryAt: fill.at,
    entries: position.entries + (isAnother ? 1 : 0),
    quantity: Decimal.add(position.quantity, fill.quantity),
    basis: Decimal.add(position.basis, fill.notional),
    entryQuantity: Decimal.add(position.entryQuantity, fill.quantity),
    entryNotional: Decimal.add(position.entryNotional, fill.notional),
    entryFees: Decimal.add(position.entryFees, fill.fee)
  }
}

/**
 * The effect of an exit fill: `basis` is the entry notional that left the position, `net` the amount returned to free
 * cash.
 */
export interface Exited {
  readonly position: Position
  readonly basis: Decimal.Decimal
  readonly net: Decimal.Decimal
}

/**
 * Reduces the position by an exit fill. A long returns its notional, a short its margin plus the result, a paper
 * liquidation nothing; all minus the fee.
 */
export const decreased = (
  position: Position,
  fill: Fill,
  order: Pick<Order, "exitReason" | "live"> | undefined
): Exited => {
  const whole = Decimal.equals(fill.quantity, position.quantity)
  const basis = whole ? position.basis : share(position, position.basis, fill.quantity)
  const fees = feesLeft(position)
  const feesTaken = whole ? fees : share(position, fees, fill.quantity)
  const net =
    order?.exitReason === "liquidation" && order.live === undefined
      ? Decimal.zero
      : Decimal.subtract(gross(position.side, basis, fill), fill.fee)
  return {
    basis,
    net,
    position: {
      ...position,
      quantity: Decimal.subtract(position.quantity, fill.quantity),
      basis: Decimal.subtract(position.basis, basis),
      openFees: Decimal.subtract(fees, feesTaken),
      exitQuantity: Decimal.add(position.exitQuantity, fill.quantity),
      exitNotional: Decimal.add(position.exitNotional, fill.notional),
      exitFees: Decimal.add(position.exitFees, fill.fee),
      proceeds: Decimal.add(position.proceeds, net),
      ...listed(position, fill, order?.exitReason ?? "signal")
    }
  }
}

/** The exit fills with one more. A position with exits from before they were listed has no list. */
const listed = (
  { exitFills = [], exitQuantity, exits = 0 }: Position,
  { at, price, quantity }: Fill,
  reason: ExitReason
): Pick<Position, "exitFills" | "exits"> => {
  if (exits === 0 && Decimal.isPositive(exitQuantity)) return {}
  const last = exitFills.at(-1)
  if (last === undefined || exitFills.length < MAX_EXIT_FILLS)
    return { exits: exits + 1, exitFills: [...exitFills, { at, price, quantity, reason }] }
  const both = {
    at,
    reason,
    quantity: Decimal.add(last.quantity, quantity),
    price: meanPrice(last, { price, quantity })
  }
  return { exits: exits + 1, exitFills: [...exitFills.slice(0, -1), both] }
}

type Priced = Pick<ExitFill, "price" | "quantity">
const meanPrice = (one: Priced, other: Priced): number => {
  const [first, second] = [Decimal.approximate(one.quantity), Decimal.approximate(other.quantity)]
  return (one.price * first + other.price * second) / (first + second)
}

/** How a position was closed, `at` in ms: `period` is the bot's period, `isLive` whether real money traded. */
export interface Completion {
  readonly reason: ExitReason
  readonly at: number
  readonly period: number | undefined
  readonly isLive: boolean
}

/** The trade of a closed position. */
export const completed = (id: MarketId, position: Position, completion: Completion): Trade => {
  const { at, isLive, period, reason } = completion
  const cost = costOf(position)
  const pnl = Decimal.subtract(position.proceeds, cost)
  return {
    exchange: id.exchange,
    pair: id.pair,
    kind: id.kind,
    side: position.side,
    openedAt: position.openedAt,
    closedAt: at,
    entryPrice: mean(position.entryNotional, position.entryQuantity),
    exitPrice: mean(position.exitNotional, position.exitQuantity),
    quantity: position.entryQuantity,
    cost,
    proceeds: position.proceeds,
    fees: Decimal.add(position.entryFees, position.exitFees),
    pnl,
    profitPercent: Decimal.isZero(cost) ? 0 : (Decimal.approximate(pnl) / Decimal.approximate(cost)) * 100,
    exitReason: reason,
    entries: position.entries,
    ...exitsOf(position),
    ...(position.funding === undefined ? {} : { funding: position.funding }),
    ...(period === undefined ? {} : { period }),
    ...(isLive ? { live: true } : {})
  }
}

/** The exits of a trade, where more than one fill closed it or not all was sold. */
const exitsOf = ({
  entryQuantity,
  exitFills,
  exitQuantity,
  exits
}: Position): Pick<Trade, "exitFills" | "exits"> =>
  exits === undefined ||
  exitFills === undefined ||
  (exits === 1 && Decimal.equals(exitQuantity, entryQuantity))
    ? {}
    : { exits, exitFills }

/** The position's value at a price without fees, exact: what sizing counts as equity. */
export const worth = (position: Position, price: number): Decimal.Decimal => {
  const notional = Decimal.multiply(position.quantity, Decimal.fromNumber(price))
  return position.side === "long"
    ? notional
    : Decimal.subtract(Decimal.add(position.basis, position.basis), notional)
}

/** The figures of what is held now as doubles, for price levels. */
export interface Figures {
  readonly side: PositionSide
  readonly quantity: number
  readonly basis: number
  readonly average: number
  readonly cost: number
}

/** The figures, computed once per position value; values never change. */
export const figuresOf = (position: Position): Figures => {
  const known = figures.get(position)
  if (known !== undefined) return known
  const made = readFigures(position)
  figures.set(position, made)
  return made
}

const figures = new WeakMap<Position, Figures>()

const readFigures = (position: Position): Figures => {
  const quantity = Decimal.approximate(position.quantity)
  const basis = Decimal.approximate(position.basis)
  const fees = Decimal.approximate(feesLeft(position))
  return { side: position.side, quantity, basis, average: basis / quantity, cost: basis + fees }
}

/**
 * The price at which closing what is held at a fee rate gives `percent` profit on its cost.
 * Long: q P (1 - f) = cost (1 + g); short: 2 basis - q P (1 + f) = cost (1 + g).
 * Zero or less if no price does.
 */
export const profitPrice = (figures: Figures, percent: number, feeRate: number): number => {
  const wanted = figures.cost * (1 + percent / 100)
  return figures.side === "long"
    ? wanted / (figures.quantity * (1 - feeRate))
    : (2 * figures.basis - wanted) / (figures.quantity * (1 + feeRate))
}

/** What closing everything that is held would return at a price and fee rate. */
export const closingValue = (figures: Figures, price: number, feeRate: number): number =>
  figures.side === "long"
    ? figures.quantity * price * (1 - feeRate)
    : 2 * figures.basis - figures.quantity * price * (1 + feeRate)

/** The profit in percent of cost if everything were closed at a price and fee rate: the inverse of `profitPrice`. */
export const profitPercent = (figures: Figures, price: number, feeRate: number): number =>
  (closingValue(figures, price, feeRate) / figures.cost - 1) * 100

const gross = (side: PositionSide, basis: Decimal.Decimal, fill: Fill): Decimal.Decimal =>
  side === "long" ? fill.notional : Decimal.subtract(Decimal.add(basis, basis), fill.notional)

/** The part of a sum that goes with a quantity of the position. */
const share = (position: Position, sum: Decimal.Decimal, quantity: Decimal.Decimal): Decimal.Decimal =>
  Decimal.multiply(Decimal.divide(sum, position.quantity), quantity)

const mean = (notional: Decimal.Decimal, quantity: Decimal.Decimal): number =>
  Decimal.isZero(quantity) ? 0 : Decimal.toNumber(Decimal.divide(notional, quantity))
