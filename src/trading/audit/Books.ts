// The stored records of one bot as an audit reads them: each table once, front to back, with a bounded look ahead for
// rows out of sequence.
import type { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { ExitReason, Order, OrderId } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import type { Trade } from "../../domain/Trade.ts"
import type { Posting } from "../books/Ledger.ts"
import type { Tally } from "../Performance.ts"

/** A difference: the table, its row if one row is at fault, and the text. */
export interface Finding {
  readonly table: string
  readonly row?: number
  readonly text: string
}

/** Yielded between findings from time to time, so that the caller of a long audit may do other work. */
export const PAUSE = "pause"
/** The type of `PAUSE`. */
export type Pause = typeof PAUSE
/** The number of rows between two pauses. */
export const STRETCH = 1_000

/** A row of a table. */
export interface Row<A> {
  readonly id: number
  readonly value: A
}

/** A fill and its order as it was intended; undefined if the order is missing. */
export interface OrderedFill {
  readonly fill: Fill
  readonly order: Order | undefined
}

/** Rows of a table, with a pause wherever the next row is not at hand yet: whoever reads passes it on. */
export type Rows<A> = Iterable<Row<A> | Pause>

/** All stored records of one bot. Each iterable is read once, in the sequence of its table. */
export interface Books {
  readonly bot: { readonly state: BotState; readonly tally: Tally } | undefined
  /** The intents of orders in flight, by order id. */
  readonly inFlight: ReadonlyMap<string, Order>
  /** The creation time of the strategy (ms), if it still exists. */
  readonly createdAt: number | undefined
  readonly postings: Rows<Posting>
  readonly fills: Rows<OrderedFill>
  readonly trades: Rows<Trade>
}

/** The fills of an order so far: quantity, and notional plus fees. */
export interface Part {
  readonly filled: Decimal.Decimal
  readonly used: Decimal.Decimal
}

/** The position of a market at one point of the books. */
export interface Holding {
  open?: { readonly market: MarketId; readonly position: Position }
  /** The order of the last fill, whether it was live, and the fills of each order of this position. */
  order?: OrderId
  isLive?: boolean
  readonly parts: Map<OrderId, Part>
  reason?: ExitReason | undefined
  /** The cost basis according to the ledger alone. */
  basis: Decimal.Decimal
  /** A record was missing: the held quantity is unknown until the position is closed. */
  isAdrift: boolean
}

/** A market without a position. */
export const nothing = (): Holding => ({
  parts: new Map(),
  basis: Decimal.zero,
  isAdrift: false
})

/** The running totals of the books. */
export interface Totals {
  cash: Decimal.Decimal
  starting: Decimal.Decimal
  tally: Tally
  readonly holdings: Map<string, Holding>
  /** Fills of orders that are in flight although their position is closed. */
  readonly late: Map<OrderId, Part>
}

/** The number of rows searched for the next expected row before it counts as missing. */
const REACH = 32

/** The result of a search in a table that is read front to back. */
export interface SeekResult<A> {
  /** The rows before the found one; they are consumed. */
  readonly passed: ReadonlyArray<Row<A>>
  /** Undefined if no row within reach fits; then nothing is consumed. */
  readonly found: Row<A> | undefined
}

/** Reads rows one after another, with a bounded look ahead. */
export class RowReader<A> {
  readonly #rows: Iterator<Row<A> | Pause>
  #ahead: ReadonlyArray<Row<A>> = []

  constructor(rows: Rows<A>) {
    this.#rows = rows[Symbol.iterator]()
  }

  *seek(fits: (value: A) => boolean): Generator<Pause, SeekResult<A>> {
    for (let place = 0; place < REACH; place++) {
      const row = this.#ahead[place] ?? (yield* this.#draw())
      if (row === undefined) break
      if (!fits(row.value)) continue
      const passed = this.#ahead.slice(0, place)
      this.#ahead = this.#ahead.slice(place + 1)
      return { passed, found: row }
    }
    return { passed: [], found: undefined }
  }

  *rest(): Generator<Row<A> | Pause> {
    yield* this.#ahead
    this.#ahead = []
    for (let row = this.#rows.next(); row.done !== true; row = this.#rows.next()) yield row.value
  }

  *#draw(): Generator<Pause, Row<A> | undefined> {
    for (let row = this.#rows.next(); row.done !== true; row = this.#rows.next()) {
      if (row.value !== PAUSE) {
        this.#ahead = [...this.#ahead, row.value]
        return row.value
      }
      yield PAUSE
    }
    return undefined
  }
}
