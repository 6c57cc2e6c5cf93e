// Trailing sell and trailing buy. A trailing sell arms at a profit and closes when the price falls back by a percentage
// from its peak; a trailing buy enters when the price rises by a percentage from its low. The extreme only ever moves
// in the trail's favour; shorts mirror both.
import type { Slot } from "../../domain/Bot.ts"
import type { PositionSide } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { Ticker } from "../../domain/Ticker.ts"
import { type Figures, profitPrice } from "../books/Positions.ts"
import {
  adverse,
  against,
  atLeast,
  atMost,
  closingPrice,
  favourable,
  openingPrice,
  shifted
} from "../Prices.ts"
import { gate } from "./exits.ts"
import { priceFor, type Trigger, type View } from "./Trigger.ts"
import { isTargeted } from "./targeted.ts"

/** Arms the trailing sell at the price where a market exit makes `armPercent`. Never while a target of an alert is held. */
export const arming = (view: View, position: Position, figures: Figures): Trigger | undefined => {
  const { trailingSell } = view.context.settings
  if (trailingSell === undefined || isTargeted(position) || position.peak !== undefined) return undefined
  const level = profitPrice(figures, trailingSell.armPercent, view.fees.takerRate)
  return { rule: "trailing_arm", when: favourable(position.side), level, reads: "closing" }
}

/**
 * The armed trailing sell: closes when the price fell back from its peak and makes the minimum profit, if one is set.
 * The level is the trail or, while the present price misses the minimum profit, the price that makes it.
 */
export const trailingSell = (view: View, position: Position, figures: Figures): Trigger | undefined => {
  const settings = view.context.settings.trailingSell
  if (settings === undefined || isTargeted(position) || position.peak === undefined) return undefined
  const { side } = position
  const trail = against(side, position.peak, settings.percent)
  const floor = gate(view, figures)
  if (floor !== undefined) {
    if (!isAsGood(side, trail, floor)) return undefined
    if (!isAsGood(side, priceFor(view, "closing"), floor)) {
      return { rule: "trailing_sell", when: favourable(side), level: floor, reads: "closing" }
    }
  }
  return { rule: "trailing_sell", when: adverse(side), level: trail, reads: "closing" }
}

/** The armed trailing buy: enters when the price has turned by a percentage from its best since arming. */
export const trailingBuy = (view: View, slot: Slot): Trigger | undefined => {
  const armed = slot.trailingBuy
  const settings = view.context.settings.trailingBuy
  if (armed === undefined || settings === undefined) return undefined
  const { extreme, side } = armed
  const level = shifted(extreme, side === "long" ? settings.percent : -settings.percent)
  return { rule: "trailing_buy", when: favourable(side), level, reads: "opening" }
}

/** The slot with its trail's extreme moved to a better price; else the same object. */
export const moved = (slot: Slot, ticker: Ticker): Slot => {
  const { position, trailingBuy: armed } = slot
  if (position?.peak !== undefined) {
    const price = closingPrice(position.side, ticker)
    const better = position.side === "long" ? price > position.peak : price < position.peak
    return better ? { ...slot, position: { ...position, peak: price } } : slot
  }
  if (armed !== undefined) {
    const price = openingPrice(armed.side, ticker)
    const better = armed.side === "long" ? price < armed.extreme : price > armed.extreme
    return better ? { ...slot, trailingBuy: { ...armed, extreme: price } } : slot
  }
  return slot
}

/**
 * A trail as the engine and the scan of candles move it: `extreme` follows the highest or lowest price, the level is
 * `extreme x ratio`, and it counts only from `gate` on.
 */
export interface Trail {
  readonly follows: "highest" | "lowest"
  readonly extreme: number
  readonly ratio: number
  readonly gate?: number
}

/** The trail of a slot: of its position or its armed entry; undefined if nothing trails. */
export const trailOf = (view: View): Trail | undefined => {
  const { figures, slot } = view
  const { settings } = view.context
  if (slot?.position?.peak !== undefined && figures !== undefined) {
    return trailOfPosition(view, slot.position, figures, settings)
  }
  if (slot?.trailingBuy === undefined || settings.trailingBuy === undefined) return undefined
  const { extreme, side } = slot.trailingBuy
  return side === "long"
    ? { follows: "lowest", extreme, ratio: 1 + settings.trailingBuy.percent / 100 }
    : { follows: "highest", extreme, ratio: 1 - settings.trailingBuy.percent / 100 }
}

const trailOfPosition = (
  view: View,
  position: Position,
  figures: Figures,
  settings: Settings
): Trail | undefined => {
  if (settings.trailingSell === undefined || isTargeted(position) || position.peak === undefined)
    return undefined
  const floor = gate(view, figures)
  const { percent } = settings.trailingSell
  return {
    follows: position.side === "long" ? "highest" : "lowest",
    extreme: position.peak,
    ratio: 1 + (position.side === "long" ? -percent : percent) / 100,
    ...(floor === undefined ? {} : { gate: floor })
  }
}

const isAsGood = (side: PositionSide, price: number, than: number): boolean =>
  side === "long" ? atLeast(price, than) : atMost(price, than)
