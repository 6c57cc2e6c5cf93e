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

/** Keeps the stops of a live bot at the exchange as they should be, after all else has been decided. */
export const keep = (draft: Draft): void => {
  const { closing, live, slots } = draft.state
  for (const key in slots) {
    const slot = slots[key]
    if (slot === undefined || slot.astray !== undefined || slot.stopEnding === true) continue
    const wanted = live?.protect === true ? wantedIn(draft.context, slot) : undefined
    if (slot.stop !== undefined) {
      if (wanted === undefined) Drafts.takeBack(draft, slot, "not_needed")
      // What is still being bought is waited for: until then the old one guards most of it.
      else if (slot.order === undefined && isOther(slot.stop, wanted)) Drafts.takeBack(draft, slot, "moved")
    } else if (wanted !== undefined && closing === undefined && isFree(slot, draft.context.now))
      place(draft, key, slot, wanted)
  }
}

/** Whether a slot without a stop is to have one: it had to wait. */
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
 * On the steps of the market: never more than is held, and never at a price that comes before the level of the rule,
 * lest the exchange closes what the strategy would have kept. None where the market would not take it.
 */
const wantedIn = (context: Context, slot: Slot): Wanted | undefined => {
  const { position } = slot
  const market = context.market(slot)
  if (position === undefined || market === undefined) return undefined
  const level = stop({ context }, position, figuresOf(position))
  if (level === undefined || (level.rule !== "sl" && level.rule !== "stop_loss")) return undefined
  const price = resting(level.level, market.priceStep, position.side === "long" ? "short" : "long")
  const quantity = Decimal.floorToStep(position.quantity, market.amountStep)
  if (!(price > 0 && price < Number.POSITIVE_INFINITY) || !Sizing.isTradable(quantity, price, market))
    return undefined
  return { position, exitReason: level.rule, quantity, price }
}

const isOther = (stop: NonNullable<Slot["stop"]>, { price, quantity }: Wanted): boolean =>
  stop.price !== price || !Decimal.equals(stop.quantity, quantity)

/** Not beside an order in flight, nor where an exit is about to be made or has just been turned down. */
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
