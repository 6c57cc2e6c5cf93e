// Closes a position by hand, or a part of it. Nothing gates it; a part follows the rules of parts, but one under the
// market's minimum is refused with the numbers and not owed, because a person reads the answer.
import type { Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { baseOf, type Market, type MarketId, quoteOf } from "../../domain/Market.ts"
import { OrderId } from "../../domain/Order.ts"
import { costLeft, type Position } from "../../domain/Position.ts"
import type { Fees } from "../books/Fees.ts"
import * as Positions from "../books/Positions.ts"
import type { Draft } from "../Decision.ts"
import { exitText } from "../ExitWords.ts"
import { closingPrice, tidy } from "../Prices.ts"
import { close, partNumbers } from "../rules/ClosePositions.ts"
import * as Parts from "../rules/Parts.ts"
import { viewOf } from "../rules/Rules.ts"
import * as Drafts from "./Draft.ts"
import { keyOf } from "./Keys.ts"
import type { ClosePlan, ManualAnswer } from "./ManualAnswer.ts"

type Refused = Extract<ManualAnswer, { readonly _tag: "Refused" }>

/** Closes this percentage (over 0 to 100) of what is held. A refused close changes nothing. */
export const closeByHand = (draft: Draft, id: MarketId, percent: number): ManualAnswer => {
  const key = keyOf(id)
  const slot = draft.state.slots[key]
  const position = slot?.position
  if (slot === undefined || position === undefined) return withoutPosition(slot)
  const obstacle = obstacleOf(draft, slot, percent)
  if (obstacle !== undefined) return obstacle
  const ticker = draft.context.quote(id)
  if (ticker === undefined) return unpriced(id)
  const price = closingPrice(position.side, ticker)
  const market = draft.context.market(id)
  const wanted = Decimal.percentOf(position.quantity, Decimal.fromNumber(percent))
  const plan = percent >= 100 ? WHOLE : Parts.plan(position, wanted, tidy(price), market)
  if (plan._tag === "Owed") return tooSmall(id, wanted, tidy(price), market)
  const part = plan._tag === "Part" ? plan.quantity : undefined
  // A person's order does not wait until a rejected exit of a rule may be sent again.
  const { retry: _, ...ready } = slot
  Drafts.putSlot(draft, key, ready)
  const before = draft.orders.length
  const exit = { exitReason: "manual", type: "market", price, level: Number.NaN, part } as const
  close(draft, viewOf(draft.context, draft.state, id, ticker), key, exit)
  const isWaiting = draft.orders.length === before
  if (isWaiting && draft.state.slots[key]?.retry?.wish === undefined)
    return refused("below_min_notional", `${underStep(id, position, market)}: the exchange takes no order`)
  if (isWaiting) noteWaiting(draft, { key, position, price, part })
  const quantity = part ?? position.quantity
  const isRestTooSmall = plan._tag === "Whole" && plan !== WHOLE
  return {
    _tag: "Closing",
    isWaiting,
    plan: {
      ...planOf(id, position, { quantity, price: tidy(price) }, draft.context.fees(id)),
      isRestTooSmall
    }
  }
}

const WHOLE: Parts.PartPlan = { _tag: "Whole" }

const refused = (reason: Refused["reason"], detail: string): Refused => ({ _tag: "Refused", reason, detail })

/** No fresh price of a market is known. */
export const unpriced = ({ pair }: MarketId): Refused =>
  refused("no_price", `no fresh price of ${pair} is known: try again when the feed is back`)

/** Nothing is held: says what waits instead, if anything does. */
export const withoutPosition = (slot: Slot | undefined): Refused => {
  const waiting = slot?.trailingBuy ?? slot?.turn ?? slot?.order
  return refused(
    "no_position",
    waiting === undefined
      ? "there is no position on this market"
      : "there is no position on this market, only an entry that waits or is at the exchange: cancel that"
  )
}

/** What must end first: an order in flight, or an exit that is decided already. */
const obstacleOf = ({ state }: Draft, slot: Slot, percent: number): Refused | undefined => {
  const { astray, order, retry } = slot
  if (astray !== undefined)
    return refused("astray", "the exchange holds less than the books say: nothing is sold there any more")
  if (order !== undefined)
    return refused(
      "busy",
      order.purpose === "exit"
        ? `order ${order.id} is closing it already (${exitText(order.exitReason)}): wait until it has ended`
        : `order ${order.id} is adding to it: wait until it has ended, or cancel it first`
    )
  if (state.closing !== undefined)
    return refused("busy", `${exitText(state.closing)} is closing everything already`)
  if (retry?.wish === undefined || (percent >= 100 && retry.part !== undefined)) return undefined
  const what = retry.part === undefined ? "its close" : "the close of a part of it"
  return refused("busy", `${what} is decided already (${exitText(retry.wish)}), and waits to be sent`)
}

const tooSmall = (
  { pair }: MarketId,
  wanted: Decimal.Decimal,
  price: number,
  market: Market | undefined
): Refused => {
  const worth = Decimal.multiply(wanted, Decimal.fromNumber(price))
  const least =
    market === undefined
      ? ""
      : `: the market takes ${figure(market.minAmount)} ${baseOf(pair)} and ${figure(market.minCost)} ${quoteOf(pair)} at least`
  return refused(
    "below_min_notional",
    `that part is ${figure(wanted)} ${baseOf(pair)}, worth ${figure(worth)} ${quoteOf(pair)}${least}`
  )
}

const underStep = ({ pair }: MarketId, { quantity }: Position, market: Market | undefined): string =>
  `${figure(quantity)} ${baseOf(pair)} is under one amount step${market === undefined ? "" : ` of ${figure(market.amountStep)}`}`

const figure = (value: Decimal.Decimal): string => String(Number(Decimal.approximate(value).toPrecision(10)))

/** The stop at the exchange has to be cancelled first: until then only this note tells of the close. */
const noteWaiting = (
  draft: Draft,
  close: {
    readonly key: string
    readonly position: Position
    readonly price: number
    readonly part: Decimal.Decimal | undefined
  }
): void => {
  const { key, part, position, price } = close
  const numbers =
    part === undefined ? { quantity: Decimal.approximate(position.quantity) } : partNumbers(position, part)
  Drafts.note(draft, "close_waits", { market: key, side: position.side, reason: "manual", price, numbers })
}

/** The figures of a close at a price with the taker fee, as a paper order has them. */
const planOf = (
  id: MarketId,
  position: Position,
  { price, quantity }: { readonly quantity: Decimal.Decimal; readonly price: number },
  fees: Fees
): Omit<ClosePlan, "isRestTooSmall"> => {
  const notional = Decimal.multiply(quantity, Decimal.fromNumber(price))
  const fee = Decimal.multiply(notional, fees.taker)
  const side = position.side === "long" ? "sell" : "buy"
  const fill = {
    ...id,
    order: OrderId.make("manual"),
    id: "1",
    side,
    quantity,
    price,
    notional,
    fee,
    at: 0
  } as const
  const { net, position: after } = Positions.decreased(position, fill, undefined)
  const cost = Decimal.subtract(costLeft(position), costLeft(after))
  const pnl = Decimal.subtract(net, cost)
  return {
    side: position.side,
    quantity,
    percent: (100 * Decimal.approximate(quantity)) / Decimal.approximate(position.quantity),
    price,
    notional,
    fee,
    proceeds: net,
    pnl,
    profitPercent: Decimal.isZero(cost) ? 0 : (100 * Decimal.approximate(pnl)) / Decimal.approximate(cost),
    left: after.quantity,
    closesAll: Decimal.isZero(after.quantity)
  }
}
