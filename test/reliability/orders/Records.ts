// Reads a strategy's rows from the database, and the same from its exchange's books.
import { createHash } from "node:crypto"
import type { BotState } from "../../../src/domain/Bot.ts"
import type { Fill } from "../../../src/domain/Fill.ts"
import { baseOf } from "../../../src/domain/Market.ts"
import type { Order, OrderStatus } from "../../../src/domain/Order.ts"
import type { Trade } from "../../../src/domain/Trade.ts"
import { type RestRequest, type Slot, slotKey } from "../../exchanges/Protocol.ts"
import type * as Stub from "../../exchanges/private/Order.ts"
import { FillRow, OrderRow, StateRow, TradeRow } from "./Views.ts"
import type { Owned, World } from "./World.ts"

/** One of our orders as stored. */
export interface Sent {
  readonly order: Order
  readonly status: OrderStatus
  readonly clientId: string
  readonly fills: ReadonlyArray<Fill>
}

/** A strategy's owner and market; `isShared` if others trade on that market too. */
export interface Facts {
  readonly world: World
  readonly owner: Owned
  readonly slot: Slot
  readonly strategy: number
  readonly isShared: boolean
}

export class Records {
  readonly world: World
  readonly owner: Owned
  readonly slot: Slot
  readonly strategy: number
  readonly #isShared: boolean
  /** The number of earlier orders on this market at the exchange. */
  readonly #before: number

  constructor({ isShared, owner, slot, strategy, world }: Facts) {
    this.world = world
    this.owner = owner
    this.slot = slot
    this.strategy = strategy
    this.#isShared = isShared
    this.#before = this.#atExchange().length
  }

  get venue() {
    return this.owner.venue
  }
  get desk() {
    return this.owner.venue.desk
  }
  get isLive(): boolean {
    return !this.owner.isPaper
  }
  get base(): string {
    return baseOf(this.slot.pair)
  }
  move(price: number): void {
    this.venue.move(this.slot, price)
  }

  get state(): BotState | undefined {
    const [bot] = this.world.rows((rows) =>
      rows.all(StateRow, `SELECT state FROM bots WHERE strategy_id = ${this.strategy}`)
    )
    return bot?.state
  }

  get #own() {
    return Object.values(this.state?.slots ?? {}).find(({ kind }) => kind === this.slot.kind)
  }
  get position() {
    return this.#own?.position
  }
  /** Whether no order is under way. */
  get isIdle(): boolean {
    return this.#own?.order === undefined && this.#own?.stopEnding === undefined
  }
  /** Whether besides no exit must still be made, and no second leg of a turn waits. */
  get isSettled(): boolean {
    return this.isIdle && this.#own?.turn === undefined && this.#own?.retry?.wish === undefined
  }
  /** The stop at the exchange that the bot's state names. */
  get stop() {
    return this.#own?.stop
  }

  get trades(): ReadonlyArray<Trade> {
    return this.world
      .rows((rows) =>
        rows.all(TradeRow, `SELECT trade FROM trades WHERE strategy_id = ${this.strategy} ORDER BY id`)
      )
      .map(({ trade }) => trade)
  }

  /** Its orders with their fills, oldest first. */
  get orders(): ReadonlyArray<Sent> {
    return this.world.rows((rows) => {
      const fills = rows.all(
        FillRow,
        `SELECT fill FROM fills WHERE strategy_id = ${this.strategy} ORDER BY id`
      )
      return rows
        .all(
          OrderRow,
          `SELECT intent, status FROM orders WHERE strategy_id = ${this.strategy} ORDER BY sequence`
        )
        .map(({ intent, status }) => ({
          order: intent,
          status,
          clientId: clientIdOf(intent),
          fills: fills.filter(({ fill }) => fill.order === intent.id).map(({ fill }) => fill)
        }))
    })
  }

  /** The exchange's orders on this market since the trader came; only its own if others trade there too. */
  get theirs(): ReadonlyArray<Stub.Order> {
    const all = this.#atExchange().slice(this.#before)
    if (!this.#isShared) return all
    const ids = new Set(this.orders.map(({ clientId }) => clientId))
    return all.filter(({ ticket }) => ids.has(ticket.clientId ?? ""))
  }

  /** Whether a request is about one of its orders. */
  owns({ body, target }: RestRequest): boolean {
    const text = `${target} ${body}`
    return this.orders.some(({ clientId }) => {
      const id = this.#atExchange().find(({ ticket }) => ticket.clientId === clientId)?.id
      return text.includes(clientId) || (id !== undefined && text.includes(id))
    })
  }

  /** The stored order that a request names by its client id; undefined if it names none. */
  orderOf({ body, target }: RestRequest): Sent | undefined {
    return this.orders.find(({ clientId }) => `${target} ${body}`.includes(clientId))
  }

  /** Requests of a kind about this market so far. */
  count(kind: string): number {
    const isOurs = this.venue.concerns(this.slot)
    return this.desk.calls.filter((call) => call.kind === kind && isOurs(call.request)).length
  }

  #atExchange(): ReadonlyArray<Stub.Order> {
    return this.desk.book.orders.filter(({ ticket }) => slotKey(ticket.market) === slotKey(this.slot))
  }
}

/** An order's client id at the exchange, computed here again; none on paper. */
export const clientIdOf = ({ id, live }: Order): string =>
  live === undefined ? "" : createHash("sha256").update(`${live.tag}:${id}`).digest("hex").slice(0, 32)
