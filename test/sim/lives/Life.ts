// One strategy on a market of its own that buys and sells while everything goes wrong, until its orders have ended.
import { Effect } from "effect"
import { type AlertType, instruction } from "../../../src/domain/Alert.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import { type MarketId, marketKey, quoteOf } from "../../../src/domain/Market.ts"
import type { SignalId } from "../../../src/domain/Signal.ts"
import type { StrategyId } from "../../../src/domain/StrategyId.ts"
import { Alerts } from "../../../src/services/Alerts.ts"
import { Bots } from "../../../src/services/Bots.ts"
import { Orders } from "../../../src/services/money/Orders.ts"
import { Portfolio } from "../../../src/services/Portfolio.ts"
import { MemoryState } from "../../../src/services/records/MemoryState.ts"
import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { slotKey } from "../../exchanges/Protocol.ts"
import { type Both, flaws } from "../../reliability/orders/compare.ts"
import { clientIdOf, type Sent } from "../../reliability/orders/Records.ts"
import type { Venue } from "../../reliability/orders/Venue.ts"
import { passes } from "./haste.ts"
import type { Server } from "./Server.ts"
import * as Troubles from "./Trouble.ts"

/** The longest time of an order, above the time that a missing order is searched for. */
const MOST_MS = 400_000
const LOOK_MS = 400
/** The precision of amounts in a timeline. */
const TOLD_STEP = Decimal.unsafeFromText("0.000000000001")
/** Prices stay above this. */
const LEAST_PRICE = 90

export class Life {
  readonly venue: Venue
  readonly market: MarketId
  readonly strategy: StrategyId
  /** Orders that have ended. */
  lived = 0
  readonly #server: Server
  readonly #signal: SignalId
  readonly #dice: SeededRandom

  constructor(
    server: Server,
    venue: Venue,
    market: MarketId,
    ids: { readonly strategy: StrategyId; readonly signal: SignalId },
    dice: SeededRandom
  ) {
    this.#server = server
    this.venue = venue
    this.market = market
    this.strategy = ids.strategy
    this.#signal = ids.signal
    this.#dice = dice
  }

  /** Continues until told to stop; then until flat and calm. */
  async goOn(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#order(this.#next, true, this.#dice.chance(0.4) ? 40 : undefined)
      if (this.#dice.chance(0.3)) this.venue.move(this.market, 100 + this.#dice.whole(-3, 3))
    }
  }

  async end(): Promise<void> {
    for (let tries = 0; this.position !== undefined && tries < 5; tries++) await this.#order("sell", false)
  }

  /** Opens, adds, or sells. */
  get #next(): AlertType {
    return this.position === undefined || this.#dice.chance(0.2) ? "buy" : "sell"
  }

  async #order(type: AlertType, isTroubled: boolean, closePercent?: number): Promise<void> {
    const about = this.venue.concerns(this.market)
    const { troubles } = this.venue.desk
    const before = this.sent.length
    if (isTroubled) {
      const sending = Troubles.ofOrder(this.#dice)
      if (sending !== undefined) troubles.plan("place", sending, 1, about)
      const asking = Troubles.ofQuestion(this.#dice)
      if (asking !== undefined) troubles.plan(asking[0], asking[1], asking[2], about)
      if (this.#dice.chance(0.15)) this.#scarce()
    }
    const told = instruction({
      signalId: this.#signal,
      coin: this.base,
      quoteCurrency: quoteOf(this.market.pair),
      type,
      ...(type === "sell" && closePercent !== undefined ? { closePercent } : {})
    })
    await this.#server
      .ask(
        Effect.flatMap(Alerts, (alerts) =>
          Effect.zipRight(
            alerts.receive(this.#server.owner, told, {}),
            Effect.flatMap(Bots, (bots) => bots.caughtUp)
          )
        )
      )
      .catch(() => {})
    await passes(this.#dice.whole(200, 1_000))
    const began = Date.now()
    while (!this.isIdle && Date.now() - began < MOST_MS) await passes(LOOK_MS)
    this.lived += this.sent.length - before
  }

  /** Less can be traded than is wanted, for a while. */
  #scarce(): void {
    const { book } = this.venue.desk
    book.supply(this.market, `${this.#dice.whole(12, 20)}`)
    void passes(this.#dice.whole(500, 6_000)).then(() => book.supply(this.market, undefined))
  }

  get base(): string {
    return this.market.pair.slice(0, this.market.pair.indexOf("/"))
  }

  get state() {
    return this.#server.read(Effect.flatMap(Portfolio, (it) => it.bot(this.strategy)))?.state
  }

  get #slot() {
    return this.state?.slots[marketKey(this.market)]
  }
  get position() {
    return this.#slot?.position
  }
  get isIdle(): boolean {
    const slot = this.#slot
    return slot?.order === undefined && slot?.retry?.wish === undefined
  }

  /** Its orders, oldest first. */
  get sent(): ReadonlyArray<Sent> {
    const page = { limit: 1_000_000 }
    return this.#server
      .read(Effect.flatMap(Orders, (orders) => orders.page(this.strategy, page)))
      .map(({ fills, order, status }) => ({ order, status, fills, clientId: clientIdOf(order) }))
      .reverse()
  }

  get #standing(): string {
    const { position, retry } = this.#slot ?? {}
    const held = position === undefined ? "flat" : `holds ${Decimal.toText(position.quantity)}`
    return retry === undefined
      ? held
      : `${held}, tries again in ${retry.until - Date.now()} ms (${retry.times})`
  }

  /** Its last order's state in our books and at the exchange. */
  doubt(): string {
    const last = this.sent.at(-1)
    const there = this.venue.desk.book.orders.find(({ ticket }) => ticket.clientId === last?.clientId)
    const calls = this.venue.desk.calls.slice(-4).map(({ at, kind }) => `${kind} ${at - Date.now()} ms`)
    const theirs =
      there === undefined
        ? "not there"
        : `${there.status} ${Decimal.toText(there.filled)} of ${Decimal.toText(there.amount)}, seen ${there.visibleFrom - Date.now()} ms`
    return `${this.venue.name} ${this.base}: ${last?.order.type} ${last?.order.side} ${last?.status} with ${last?.fills.length} fills; ${theirs}; ${calls.join(", ")}; ${this.#standing}`
  }

  /** Differences between its books and the exchange's. */
  flaws(): ReadonlyArray<string> {
    const { position, sent, state, venue } = this
    const trades = this.#server.read(
      Effect.flatMap(Portfolio, (it) => it.trades(this.strategy, { limit: 1_000_000 }))
    )
    const dust = this.#dust
    const both: Both = {
      dust: Decimal.sum(dust),
      ...{ isLive: true, orders: sent, position, venue, slot: this.market, stop: this.#slot?.stop },
      ...{ state, base: this.base, trades: trades.map(({ trade }) => trade) },
      theirs: venue.desk.book.orders.filter(({ ticket }) => slotKey(ticket.market) === slotKey(this.market))
    }
    const outcomes = [...this.#server.read(MemoryState).outcomes.values()]
    const said = outcomes.filter(({ strategyId }) => strategyId === this.strategy).slice(-6)
    const left =
      position === undefined
        ? []
        : [`held in the end; ${this.doubt()}; ${said.map(({ reason }) => reason).join(", ")}`]
    const { minAmount, minCost } = venue.market(this.market)
    const isSellable = (amount: Decimal.Decimal) =>
      Decimal.toNumber(amount) >= Number(minAmount) &&
      Decimal.toNumber(amount) * LEAST_PRICE >= Number(minCost)
    return [
      ...left,
      ...(this.isIdle ? [] : ["an order is in doubt in the end"]),
      ...dust
        .filter(isSellable)
        .map((amount) => `${Decimal.toText(amount)} were given up, and could be sold`),
      ...flaws(both)
    ]
  }

  /** Amounts given up as dust, from its timeline. */
  get #dust(): ReadonlyArray<Decimal.Decimal> {
    return this.#server
      .read(MemoryState)
      .timeline.filter(({ note, strategy }) => strategy === this.strategy && note.rule === "dust")
      .map(({ note }) => Decimal.floorToStep(Decimal.fromNumber(Number(note.facts["quantity"])), TOLD_STEP))
  }
}
