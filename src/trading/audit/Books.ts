import type { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { ExitReason, Order, OrderId } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import type { Trade } from "../../domain/Trade.ts"
import type { Posting } from "../books/Ledger.ts"
import type { Tally } from "../Performance.ts"

/** Something that is wrong, and where: a table of the books, its row where it is one row's fault, and what. */
export interface Finding {
  readonly table: string
  readonly row?: number
  readonly text: string
}

/** Comes between findings now and then: whoever goes through much may do something else here. */
export const PAUSE = "pause"
/** What stands between findings where a pause may be made. */
export type Pause = typeof PAUSE
/** Rows gone through between two pauses. */
export const STRETCH = 1_000

/** A row of a table. */
export interface Row<A> {
  readonly id: number
  readonly value: A
}

/** A fill with the order that it is of, as it was intended; none where the order is missing. */
export interface OrderedFill {
  readonly fill: Fill
  readonly order: Order | undefined
}

/** All that was written down of one bot, each table in its order, to be gone through once. */
export interface Books {
  readonly bot: { readonly state: BotState; readonly tally: Tally } | undefined
  /** Orders in flight, as they were intended, by id. */
  readonly inFlight: ReadonlyMap<string, Order>
  /** When the strategy was made (ms), where it still exists. */
  readonly createdAt: number | undefined
  readonly postings: Iterable<Row<Posting>>
  readonly fills: Iterable<Row<OrderedFill>>
  readonly trades: Iterable<Row<Trade>>
}

/** What the fills of an order have come to so far. */
export interface Part {
  readonly filled: Decimal.Decimal
  readonly used: Decimal.Decimal
}

/** What a market holds at some point of the books. */
export interface Holding {
  open?: { readonly market: MarketId; readonly position: Position }
  /** The order whose fills came last; whether real money was in it; and the orders of this position. */
  order?: OrderId
  isLive?: boolean
  readonly parts: Map<OrderId, Part>
  reason?: ExitReason | undefined
  /** By the ledger alone. */
  basis: Decimal.Decimal
  /** Something was missing: what is held is not known until all of it is gone. */
  isAdrift: boolean
}

/** A market in which nothing is held. */
export const nothing = (): Holding => ({
  parts: new Map(),
  basis: Decimal.zero,
  isAdrift: false
})

/** What the books have come to. */
export interface Totals {
  cash: Decimal.Decimal
  starting: Decimal.Decimal
  tally: Tally
  readonly holdings: Map<string, Holding>
  /** Of orders that are in flight and whose position has ended. */
  readonly late: Map<OrderId, Part>
}

/** How far ahead a row is looked for that should be next, before it is missing. */
const REACH = 32

/** What a search found in a table that is read in order. */
export interface Sought<A> {
  /** Rows that stood before it and are gone past. */
  readonly passed: ReadonlyArray<Row<A>>
  /** None where there is no such row within reach: then none is gone past. */
  readonly found: Row<A> | undefined
}

/** Rows taken one after another, with a look at the next few. */
export class Pile<A> {
  readonly #rows: Iterator<Row<A>>
  #ahead: ReadonlyArray<Row<A>> = []

  constructor(rows: Iterable<Row<A>>) {
    this.#rows = rows[Symbol.iterator]()
  }

  seek(fits: (value: A) => boolean): Sought<A> {
    for (let place = 0; place < REACH; place++) {
      const row = this.#ahead[place] ?? this.#draw()
      if (row === undefined) break
      if (!fits(row.value)) continue
      const passed = this.#ahead.slice(0, place)
      this.#ahead = this.#ahead.slice(place + 1)
      return { passed, found: row }
    }
    return { passed: [], found: undefined }
  }

  *rest(): Generator<Row<A>> {
    yield* this.#ahead
    this.#ahead = []
    for (let row = this.#rows.next(); row.done !== true; row = this.#rows.next()) yield row.value
  }

  #draw(): Row<A> | undefined {
    const { done, value } = this.#rows.next()
    if (done === true) return undefined
    this.#ahead = [...this.#ahead, value]
    return value
  }
}
