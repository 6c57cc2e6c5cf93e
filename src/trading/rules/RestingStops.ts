// Protective stops of a live bot at the exchange, if its owner agreed to them: every open position with a stop loss,
// sl or stop at break even has one resting stop at its level, for what is left of it in amount steps. A changed stop is cancelled first and
// placed anew after it ended.
import type { BotState, Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { ExitReason } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import { figuresOf } from "../books/Positions.ts"
import * as Drafts from "../bot/Draft.ts"
import type { Context, Draft } from "../Decision.ts"
import { resting } from "../Prices.ts"
import * as Sizing from "../Sizing.ts"
import { stop } from "./exits.ts"
import { isWaiting } from "./Trigger.ts"

/** Places, moves or cancels the stops of a live bot after everything else was decided. */
export const keep = (draft: Draft): void => {
  const { closing, live, slots } = draft.state
  for (const key in slots) {
    const slot = slots[key]
    if (slot === undefined || slot.astray !== undefined || slot.stopEnding === true) continue
    const wanted = live?.protect === true ? wantedIn(draft.context, slot) : undefined
    if (slot.stop !== undefined) {
      if (wanted === undefined) Drafts.takeBack(draft, slot, "not_needed")
      // While an entry fills, the old stop stays: it protects most of the position.
      else if (slot.order === undefined && isOther(slot.stop, wanted)) Drafts.takeBack(draft, slot, "moved")
    } else if (wanted !== undefined && closing === undefined && isFree(slot, draft.context.now))
      place(draft, key, slot, wanted)
  }
}

/** Whether a slot should have a stop but has none because it had to wait. */
export const isMissing = ({ live }: BotState, context: Context, slot: Slot): boolean =>
  live?.protect === true &&
  slot.stop === undefined &&
  isFree(slot, context.now) &&
  wantedIn(context, slot) !== undefined

interface Wanted {
  readonly position: Position
  readonly exitReason: ExitReason
  readonly quantity: Decimal.Decimal
  readonly price: number
}

/**
 * The stop that a slot should have, rounded to the market's steps. It is never larger than the position. A long's stop is
 * never above the rule's level and a short's never below, so the exchange does not close what the strategy would keep.
 * Undefined if the market would not accept it.
 */
const wantedIn = (context: Context, slot: Slot): Wanted | undefined => {
  const { position } = slot
  const market = context.market(slot)
  if (position === undefined || market === undefined) return undefined
  const level = stop({ context, fees: context.fees(slot) }, position, figuresOf(position))
  if (
    level === undefined ||
    (level.rule !== "sl" && level.rule !== "stop_loss" && level.rule !== "break_even")
  )
    return undefined
  const price = resting(level.level, market.priceStep, position.side === "long" ? "short" : "long")
  const quantity = Decimal.floorToStep(position.quantity, market.amountStep)
  if (!(price > 0 && price < Number.POSITIVE_INFINITY) || !Sizing.isTradable(quantity, price, market))
    return undefined
  return { position, exitReason: level.rule, quantity, price }
}

const isOther = (stop: NonNullable<Slot["stop"]>, { price, quantity }: Wanted): boolean =>
  stop.price !== price || !Decimal.equals(stop.quantity, quantity)

/** Not while an order is in flight, an exit is pending, or an exit or stop was just rejected. */
const isFree = (slot: Slot, now: number): boolean =>
  slot.order === undefined &&
  slot.retry?.wish === undefined &&
  !isWaiting(slot, "market", now) &&
  !isWaiting(slot, "stop", now)

const place = (draft: Draft, key: string, slot: Slot, wanted: Wanted): void => {
  const { exitReason, position, price, quantity } = wanted
  const { exchange, kind, pair } = slot
  const { side } = position
  const isSent = Drafts.submit(draft, {
    id: draft.context.orderId(draft.orders.length),
    exchange,
    pair,
    kind,
    position: side,
    side: side === "long" ? "sell" : "buy",
    type: "stop",
    quantity,
    price,
    purpose: "exit",
    exitReason,
    reserved: Decimal.zero,
    at: draft.context.now
  })
  if (!isSent) return
  const numbers = { quantity: Decimal.approximate(quantity) }
  Drafts.note(draft, "stop_placed", { market: key, side, price, numbers })
}
