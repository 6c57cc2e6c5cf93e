// Comparison and rounding of prices as doubles. Two prices within one part in 10^12 are equal, so a level that close
// counts as reached.
import * as Decimal from "../domain/Decimal.ts"
import type { PositionSide } from "../domain/Order.ts"
import type { Ticker } from "../domain/Ticker.ts"

/** Two prices within one part in 10^12 are equal. */
export const TOLERANCE = 1e-12

/** Whether the price is at or above the level, within the tolerance. */
export const atLeast = (price: number, level: number): boolean => price >= level - Math.abs(level) * TOLERANCE
/** Whether the price is at or below the level, within the tolerance. */
export const atMost = (price: number, level: number): boolean => price <= level + Math.abs(level) * TOLERANCE
/** The price is above the level by more than the tolerance. */
export const beyond = (price: number, level: number): boolean => !atMost(price, level)
/** The price is below the level by more than the tolerance. */
export const before = (price: number, level: number): boolean => !atLeast(price, level)

/** The price that closing a position of this side gets now: the bid for a long, the ask for a short. */
export const closingPrice = (side: PositionSide, ticker: Ticker): number =>
  side === "long" ? ticker.bid : ticker.ask
/** The price that opening a position of this side pays now: the ask for a long, the bid for a short. */
export const openingPrice = (side: PositionSide, ticker: Ticker): number =>
  side === "long" ? ticker.ask : ticker.bid

/**
 * A computed price rounded to 15 significant digits, far inside the tolerance: 24650.188199999997 becomes 24650.1882
 * before it becomes money. Prices from a feed do not change.
 */
export const tidy = (price: number): number => {
  const power = 10 ** Decimal.placesOf(price)
  const scaled = price * power
  const digits = Math.round(scaled)
  // Fast path: not near halfway between two such decimals, and exact as doubles.
  const isSure =
    scaled >= 1e14 && scaled < 1e15 && Math.abs(scaled - digits) < 0.4 && power >= 1 && power <= 1e22
  return isSure ? digits / power : Number(price.toPrecision(15))
}

/** The side of a level on which a price reaches it. */
export type Direction = "above" | "below"
/** The direction in which the position gains. */
export const favourable = (side: PositionSide): Direction => (side === "long" ? "above" : "below")
/** The direction in which the position loses. */
export const adverse = (side: PositionSide): Direction => (side === "long" ? "below" : "above")

/** Whether the price is at the level or beyond it in the given direction. */
export const reached = (price: number, level: number, when: Direction): boolean =>
  when === "above" ? atLeast(price, level) : atMost(price, level)

/** The price shifted by a percentage; a negative one shifts it down. */
export const shifted = (price: number, percent: number): number => price * (1 + percent / 100)

/** The price shifted against the position: below it for a long, above it for a short. */
export const against = (side: PositionSide, price: number, percent: number): number =>
  shifted(price, side === "long" ? -percent : percent)

/**
 * The price of a resting limit order that closes a position: rounded to the price step, away from the market (up for a
 * long, down for a short). A price within the tolerance of a step is that step. The result is the double nearest to the
 * exact decimal.
 */
export const resting = (price: number, priceStep: Decimal.Decimal, side: PositionSide): number => {
  const scale = 10 ** Math.max(priceStep.scale, 0)
  const unit = Number(priceStep.value) * 10 ** Math.max(-priceStep.scale, 0)
  if (!(unit > 0)) return price
  const steps = (price * scale) / unit
  const nearest = Math.round(steps)
  const close = Math.abs(steps - nearest) <= Math.abs(steps) * TOLERANCE
  const whole = close ? nearest : side === "long" ? Math.ceil(steps) : Math.floor(steps)
  return (whole * unit) / scale
}
