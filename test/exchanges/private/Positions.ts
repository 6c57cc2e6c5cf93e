import * as Decimal from "../../../src/domain/Decimal.ts"
import { quoteOf } from "../../../src/domain/Market.ts"
import { type StubMarket, slotKey } from "../Protocol.ts"
import { refuse } from "./Flaw.ts"
import type { Funds } from "./Funds.ts"
import type { Side } from "./Order.ts"

export interface Position {
  readonly market: StubMarket
  /** Of the base asset; negative when short. */
  readonly amount: Decimal.Decimal
  readonly entry: Decimal.Decimal
  readonly margin: Decimal.Decimal
}

/** What a market's leverage and margin mode were set to. */
export interface Setting {
  readonly leverage: number
  readonly mode: "isolated" | "cross"
}

/** Perpetuals, one position a market (no hedging), each with margin of its own in the quote asset. */
export class Positions {
  readonly #funds: Funds
  readonly #positions = new Map<string, Position>()
  readonly #settings = new Map<string, Setting>()

  constructor(funds: Funds) {
    this.#funds = funds
  }

  get all(): ReadonlyArray<Position> {
    return [...this.#positions.values()]
  }

  readonly of = (market: StubMarket): Position =>
    this.#positions.get(slotKey(market)) ?? {
      market,
      amount: Decimal.zero,
      entry: Decimal.zero,
      margin: Decimal.zero
    }

  /** Accounts start as exchanges make them: crossed, and far above one. */
  readonly setting = (market: StubMarket): Setting =>
    this.#settings.get(slotKey(market)) ?? { leverage: 20, mode: "cross" }

  readonly set = (market: StubMarket, change: Partial<Setting>): void => {
    this.#settings.set(slotKey(market), { ...this.setting(market), ...change })
  }

  readonly marginFor = (market: StubMarket, value: Decimal.Decimal): Decimal.Decimal =>
    Decimal.divide(value, Decimal.fromNumber(this.setting(market).leverage))

  /** How much of an order makes a position smaller. */
  readonly closing = (market: StubMarket, side: Side, amount: Decimal.Decimal): Decimal.Decimal => {
    const held = this.of(market).amount
    const isAgainst = side === "sell" ? Decimal.isPositive(held) : Decimal.isNegative(held)
    if (!isAgainst) return Decimal.zero
    return Decimal.min(amount, Decimal.isNegative(held) ? Decimal.negate(held) : held)
  }

  readonly trade = (
    market: StubMarket,
    side: Side,
    amount: Decimal.Decimal,
    price: Decimal.Decimal
  ): void => {
    const asset = quoteOf(market.pair)
    const closed = this.closing(market, side, amount)
    if (Decimal.isPositive(closed)) this.#close(market, closed, price)
    const opened = Decimal.subtract(amount, closed)
    if (!Decimal.isPositive(opened)) return
    const { amount: before, entry, margin } = this.of(market)
    const value = Decimal.product(opened, price)
    const more = this.marginFor(market, value)
    if (Decimal.lessThan(this.#funds.of(asset).free, more)) refuse("insufficient")
    this.#funds.hold(asset, more)
    const size = Decimal.isNegative(before) ? Decimal.negate(before) : before
    const total = Decimal.add(size, opened)
    this.#positions.set(slotKey(market), {
      market,
      amount: side === "buy" ? total : Decimal.negate(total),
      entry: Decimal.divide(Decimal.add(Decimal.product(size, entry), value), total),
      margin: Decimal.add(margin, more)
    })
  }

  readonly #close = (market: StubMarket, closed: Decimal.Decimal, price: Decimal.Decimal): void => {
    const { amount, entry, margin } = this.of(market)
    const isLong = Decimal.isPositive(amount)
    const size = isLong ? amount : Decimal.negate(amount)
    const freed = Decimal.equals(closed, size)
      ? margin
      : Decimal.divide(Decimal.product(margin, closed), size)
    const moved = isLong ? Decimal.subtract(price, entry) : Decimal.subtract(entry, price)
    this.#funds.release(quoteOf(market.pair), freed)
    this.#funds.change(quoteOf(market.pair), Decimal.multiply(moved, closed))
    const left = Decimal.subtract(size, closed)
    if (Decimal.isZero(left)) this.#positions.delete(slotKey(market))
    else
      this.#positions.set(slotKey(market), {
        ...{ market, entry, amount: isLong ? left : Decimal.negate(left) },
        margin: Decimal.subtract(margin, freed)
      })
  }
}
