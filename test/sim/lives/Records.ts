// What is on record of one life: our rows of its strategy and market, and the exchange's book beside them.
import type { Outcome } from "../../../src/domain/Alert.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import { baseOf, type MarketId, marketKey } from "../../../src/domain/Market.ts"
import type { StrategyId } from "../../../src/domain/StrategyId.ts"
import type { TimelineNote } from "../../../src/domain/Timeline.ts"
import type { Trade } from "../../../src/domain/Trade.ts"
import { balances } from "../../../src/trading/books/Ledger.ts"
import { slotKey } from "../../exchanges/Protocol.ts"
import type * as Stub from "../../exchanges/private/Order.ts"
import { clientIdOf, type Sent } from "../../reliability/orders/Records.ts"
import type { Venue } from "../../reliability/orders/Venue.ts"
import type { Server } from "./Server.ts"

/** The precision of amounts in a timeline. */
const NOTED_STEP = Decimal.unsafeFromText("0.000000000001")

export class Records {
  readonly server: Server
  readonly venue: Venue
  readonly market: MarketId
  readonly strategy: StrategyId

  constructor(server: Server, venue: Venue, market: MarketId, strategy: StrategyId) {
    this.server = server
    this.venue = venue
    this.market = market
    this.strategy = strategy
  }

  get rows() {
    return this.server.storage.rows
  }

  get base(): string {
    return baseOf(this.market.pair)
  }

  get state() {
    return this.rows.state(this.strategy)
  }

  get slot() {
    return this.state?.slots[marketKey(this.market)]
  }

  get position() {
    return this.slot?.position
  }

  /** Whether nothing is under way: no order, no exit that must be made, no second leg, no stop that makes way. */
  get isIdle(): boolean {
    const { order, retry, stopEnding, turn } = this.slot ?? {}
    return (order ?? retry?.wish ?? stopEnding ?? turn) === undefined
  }

  /** Its orders, oldest first. */
  get sent(): ReadonlyArray<Sent> {
    return this.rows
      .orders(this.strategy)
      .map(({ fills, order, status }) => ({ order, status, fills, clientId: clientIdOf(order) }))
  }

  /** The exchange's orders on this market, oldest first. */
  get theirs(): ReadonlyArray<Stub.Order> {
    return this.venue.desk.book.orders.filter(({ ticket }) => slotKey(ticket.market) === slotKey(this.market))
  }

  get trades(): ReadonlyArray<Trade> {
    return this.rows.trades(this.strategy)
  }

  get outcomes(): ReadonlyArray<Outcome> {
    return this.rows.outcomes(this.strategy)
  }

  get notes(): ReadonlyArray<TimelineNote> {
    return this.rows.notes(this.strategy)
  }

  /** Amounts given up as dust, from its timeline. */
  get dust(): ReadonlyArray<Decimal.Decimal> {
    return this.notes
      .filter(({ rule }) => rule === "dust")
      .map(({ facts }) => Decimal.floorToStep(Decimal.fromNumber(Number(facts["quantity"])), NOTED_STEP))
  }

  /** The free cash that the ledger comes to. */
  get postedCash(): Decimal.Decimal {
    return balances(this.rows.ledger(this.strategy)).cash
  }

  /** Its last order in our books and at the exchange, in one line. */
  doubt(): string {
    const last = this.sent.at(-1)
    const there = this.theirs.find(({ ticket }) => ticket.clientId === last?.clientId)
    const calls = this.venue.desk.calls.slice(-4).map(({ at, kind }) => `${kind} ${at - Date.now()} ms`)
    const theirs =
      there === undefined
        ? "not there"
        : `${there.status} ${Decimal.toText(there.filled)} of ${Decimal.toText(there.amount)}, seen ${there.visibleFrom - Date.now()} ms`
    return `${this.venue.name} ${slotKey(this.market)}: ${last?.order.type} ${last?.order.side} ${last?.status} with ${last?.fills.length} fills; ${theirs}; ${calls.join(", ")}; ${this.#standing}`
  }

  get #standing(): string {
    const { astray, position, retry, stop, stopEnding, turn } = this.slot ?? {}
    return [
      position === undefined ? "flat" : `holds ${Decimal.toText(position.quantity)} ${position.side}`,
      ...(retry === undefined ? [] : [`tries again in ${retry.until - Date.now()} ms (${retry.times})`]),
      ...(stop === undefined ? [] : [`has a stop of ${Decimal.toText(stop.quantity)} at ${stop.price}`]),
      ...(stopEnding === true ? ["cancels its stop"] : []),
      ...(turn === undefined ? [] : [`turns to ${turn.side}`]),
      ...(astray === undefined ? [] : ["is astray"])
    ].join(", ")
  }
}
