import * as Decimal from "../domain/Decimal.ts"
import type { PositionSide } from "../domain/Order.ts"
import type { Ticker } from "../domain/Ticker.ts"

/** Two prices within one part in 10^12 are equal. */
export const TOLERANCE = 1e-12

/** The price has reached the level from below, or all but. */
export const atLeast = (price: number, level: number): boolean => price >= level - Math.abs(level) * TOLERANCE
/** The price has reached the level from above, or all but. */
export const atMost = (price: number, level: number): boolean => price <= level + Math.abs(level) * TOLERANCE
/** The price is above the level by more than the tolerance. */
export const beyond = (price: number, level: number): boolean => !atMost(price, level)
/** The price is below the level by more than the tolerance. */
export const before = (price: number, level: number): boolean => !atLeast(price, level)

/** What closing a position of this side would get now: the bid for a long, the ask for a short. */
export const closingPrice = (side: PositionSide, ticker: Ticker): number =>
  side === "long" ? ticker.bid : ticker.ask
/** What opening a position of this side would pay now: the ask for a long, the bid for a short. */
export const openingPrice = (side: PositionSide, ticker: Ticker): number =>
  side === "long" ? ticker.ask : ticker.bid

/**
 * A computed level as the decimal it stands for: 15 significant digits, far inside the tolerance, so that
 * 24650.188199999997 becomes 24650.1882 before it becomes money. Prices of a feed pass through unchanged.
 */
export const tidy = (price: number): number => {
  const power = 10 ** Decimal.placesOf(price)
  const scaled = price * power
  const digits = Math.round(scaled)
  // Not near halfway between two such decimals, with digits and power exact as doubles, no text is needed.
  const isSure =
    scaled >= 1e14 && scaled < 1e15 && Math.abs(scaled - digits) < 0.4 && power >= 1 && power <= 1e22
  return isSure ? digits / power : Number(price.toPrecision(15))
}

/** On which side of a level prices have to be. */
export type Direction = "above" | "below"
/** Where prices are good for the position. */
export const favourable = (side: PositionSide): Direction => (side === "long" ? "above" : "below")
/** Where prices are bad for the position. */
export const adverse = (side: PositionSide): Direction => (side === "long" ? "below" : "above")

/** Whether the price stands at the level or further on in its direction. */
export const reached = (price: number, level: number, when: Direction): boolean =>
  when === "above" ? atLeast(price, level) : atMost(price, level)

/** The price a percentage above (or, negative, below) another. */
export const shifted = (price: number, percent: number): number => price * (1 + percent / 100)

/** Against the position by this many percent: below the price for a long, above it for a short. */
export const against = (side: PositionSide, price: number, percent: number): number =>
  shifted(price, side === "long" ? -percent : percent)

/**
 * Where a limit order that closes a position rests: its price rounded to the price step, away from the market
 * (up for the sale that closes a long, down for a short's). A price within the tolerance of a step is that step.
 * The result is the double nearest to the exact decimal.
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
