// Buying and holding, to compare a strategy with: a sum split equally over pairs, each bought without fees at its first
// price and held. The part of a pair without a price stays cash until it has one.
import * as Schema from "effect/Schema"
import type { MarketId } from "../../domain/Market.ts"

/** The name of a pair in a basket. */
export const nameOf = ({ exchange, pair }: Pick<MarketId, "exchange" | "pair">): string =>
  `${exchange}:${pair}`

/**
 * A pair of the basket. `units` is the quantity held, null while its part is cash;
 * `price` is the last price.
 */
export const Holding = Schema.Struct({
  name: Schema.String,
  units: Schema.NullOr(Schema.Number),
  price: Schema.Number
})
export type Holding = typeof Holding.Type

/** The basket: `part` is the sum (quote) for each pair, and the whole of it where there is none. */
export const Basket = Schema.Struct({ part: Schema.Number, holdings: Schema.Array(Holding) })
export type Basket = typeof Basket.Type

/** A basket whose prices are kept up in place. */
export interface Draft {
  readonly part: number
  readonly holdings: ReadonlyArray<{ -readonly [Name in keyof Holding]: Holding[Name] }>
}

/** Splits a sum equally over pairs; nothing is bought yet. */
export const split = (sum: number, names: ReadonlyArray<string>): Draft => ({
  part: sum / Math.max(names.length, 1),
  holdings: names.map((name) => ({ name, units: null, price: 0 }))
})

/** A basket of its own, to keep up in place. */
export const copied = ({ holdings, part }: Basket): Draft => ({
  part,
  holdings: holdings.map((it) => ({ ...it }))
})

/** Notes the price of the pair at an index; the first one buys it. Returns whether it bought. */
export const mark = (basket: Draft, index: number, price: number): boolean => {
  const holding = basket.holdings[index]
  if (holding === undefined || !(price > 0)) return false
  holding.price = price
  if (holding.units !== null) return false
  holding.units = basket.part / price
  return true
}

/** The worth of the basket at the last prices; null without pairs. */
export const worth = (basket: Basket | Draft): number | null =>
  basket.holdings.length === 0 ? null : total(basket)

/** The same, and the cash where there are no pairs. */
export const total = ({ holdings, part }: Basket | Draft): number => {
  if (holdings.length === 0) return part
  let sum = 0
  for (const { price, units } of holdings) sum += units === null ? part : units * price
  return sum
}

/** Whether the basket holds these pairs, in any sequence. */
export const isOver = ({ holdings }: Basket | Draft, names: ReadonlyArray<string>): boolean => {
  if (holdings.length !== names.length) return false
  const held = new Set(holdings.map(({ name }) => name))
  return names.every((name) => held.has(name))
}
