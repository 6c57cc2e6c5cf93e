// The invariants M1 to M12 of trading with real money.

import type { Armed } from "../../src/domain/Arming.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { baseOf, type MarketId, marketKey } from "../../src/domain/Market.ts"
import type { Order } from "../../src/domain/Order.ts"
import { costOf } from "../../src/domain/Position.ts"
import type { Ticket } from "../../src/services/Exchange.ts"
import type { Books, BotRow } from "./Books.ts"
import type { Dealers } from "./Dealers.ts"
import type { World } from "./World.ts"

/** How soon all bots know of a halt or a disarming. */
const KNOWN_MS = 1_000
/** How long something due may take once the world is calm. */
const GRACE_MS = 90_000
/** How long after coins return a bot may still report them missing: it checks twice, and responses take time. */
const LOOKED_MS = 45_000
/** The tolerance for rounding of a percentage. */
const NEAR = 1e-6

export class LiveChecks {
  readonly #world: World
  readonly #books: Books
  readonly #dealers: Dealers
  /** By strategy: when (ms) its day was first seen to have lost too much, under which tag. */
  readonly #tripped = new Map<number, { readonly tag: string; readonly at: number }>()

  constructor(world: World, books: Books, dealers: Dealers) {
    this.#world = world
    this.#books = books
    this.#dealers = dealers
  }

  /** An order is on its way out: what is on disk now must allow it. */
  submitted(bot: BotRow, account: number, { fees, order }: Ticket<Order>): void {
    const { state, strategy } = bot
    if (order.purpose === "exit") {
      this.#mayExit(strategy, order)
      return this.#mayTakeProfit(bot, order, Decimal.toNumber(fees.taker))
    }
    const fail = (invariant: string, text: string) =>
      this.#world.fail(invariant, `order ${order.id} of strategy ${strategy}: ${text}`)
    const since = this.#haltedSince(account)
    if (since !== undefined && order.at > since + KNOWN_MS) fail("M1", `entered though halted since ${since}`)
    if (state.slots[marketKey(order)]?.astray !== undefined) fail("M7", "entered where coins are gone")
    if (order.live === undefined) return
    const agreed = this.#dealers.agreed.get(strategy)
    if (agreed?.endedAt !== undefined && order.at > agreed.endedAt) fail("M2", "entered though disarmed")
    if (agreed !== undefined && Decimal.greaterThan(order.reserved, agreed.terms.maxOrder))
      fail(
        "M3",
        `may use up ${Decimal.toText(order.reserved)}, beyond ${Decimal.toText(agreed.terms.maxOrder)}`
      )
    if (state.live?.tag === order.live.tag) this.#mayLose(bot, state.live, order, fail)
  }

  /** A day that has lost what it may enters nothing more. Cash alone tells, where nothing is open. */
  #mayLose(
    { state, strategy }: BotRow,
    live: Armed,
    order: Order,
    fail: (invariant: string, text: string) => void
  ) {
    const tripped = this.#tripped.get(strategy)
    if (tripped?.tag === live.tag && order.at > tripped.at) fail("M4", "entered on a day that was over")
    if (Object.values(state.slots).some(({ position }) => position !== undefined)) return
    const lost = Decimal.subtract(live.capital, state.cash)
    if (live.since === order.at || Decimal.lessThan(lost, live.maxDailyLoss)) return
    fail("M4", `entered though ${Decimal.toText(lost)} of ${Decimal.toText(live.maxDailyLoss)} are lost`)
  }

  /** Nothing else may sell beside a stop, nor a second one. */
  #mayExit(strategy: number, order: Order): void {
    const resting = this.#restingOf(strategy, order)
    if (resting.length > 0)
      this.#world.fail(
        "M5",
        `order ${order.id} of strategy ${strategy} (${order.type}) is sent while its stop ${resting[0]?.id} rests`
      )
  }

  /** What is sold with real money as a profit of so many percent is one, after the fee that will be charged. */
  #mayTakeProfit({ state, strategy }: BotRow, order: Order, fee: number): void {
    const position = state.slots[marketKey(order)]?.position
    if (order.live === undefined || order.exitReason !== "take_profit") return
    const own = this.#books.settings("WHERE id = ?", strategy).get(strategy)
    const wanted =
      order.step === undefined ? own?.minProfitPercent : own?.takeProfitSteps?.[order.step - 1]?.profitPercent
    if (position === undefined || wanted === undefined || Decimal.isPositive(position.exitQuantity)) return
    const worth = Decimal.toNumber(position.quantity) * order.price
    const entered = Decimal.toNumber(position.entryNotional)
    const gain = position.side === "long" ? worth - entered : entered - worth
    const net = gain - worth * fee - Decimal.toNumber(position.entryFees)
    const percent = (100 * net) / Decimal.toNumber(costOf(position))
    if (percent < wanted - NEAR)
      this.#world.fail("M10", `order ${order.id} takes ${percent} % for a profit of ${wanted} %`)
  }

  /** Two positions on one perpetual of one account would be one there. */
  #netted(): void {
    const holders = new Map<string, number>()
    for (const { state, strategy } of this.#books.bots())
      for (const [key, { kind, position }] of Object.entries(state.slots)) {
        if (kind !== "swap" || position === undefined || state.live === undefined) continue
        const place = `${state.live.account} ${key}`
        const other = holders.get(place)
        if (other !== undefined)
          this.#world.fail("M11", `strategies ${other} and ${strategy} both hold ${key} at one account`)
        holders.set(place, strategy)
      }
  }

  /** Coins are only missed where somebody took some. */
  #missed(): void {
    for (const { state, strategy } of this.#books.bots())
      for (const { astray, kind, pair } of Object.values(state.slots)) {
        if (astray === undefined || kind !== "spot" || state.live === undefined) continue
        const taken = this.#world.byHand.takenAt(state.live.account, baseOf(pair))
        if (!taken.some(({ from, until }) => from <= astray && astray <= until + LOOKED_MS))
          this.#world.fail("M12", `strategy ${strategy} misses coins of ${pair} that nobody took`)
      }
  }

  /** What must hold whenever one looks. */
  anytime(): void {
    this.#netted()
    this.#missed()
    for (const { state, strategy } of this.#books.bots()) {
      if (state.live?.day?.tripped === true && this.#tripped.get(strategy)?.tag !== state.live.tag)
        this.#tripped.set(strategy, { tag: state.live.tag, at: this.#world.now })
      // Nobody here changes a currency: only arming, and the way back from it, may let a bot forget what it waits for.
      if ((state.period ?? 1) > 1 + 2 * (this.#dealers.askedFor.get(strategy) ?? 0))
        this.#world.fail(
          "M2",
          `strategy ${strategy} is in period ${state.period}, and was not armed so often`
        )
    }
    for (const [id, taken] of this.#world.venue.orders)
      if (taken.length > 1) this.#world.fail("M8", `order ${id} was taken ${taken.length} times`)
  }

  /** What must hold when all has been calm for long. */
  finally(): void {
    this.anytime()
    const { now } = this.#world
    for (const { state, strategy } of this.#books.bots()) {
      for (const slot of Object.values(state.slots)) {
        const resting = this.#restingOf(strategy, slot).filter(({ at }) => now - at > GRACE_MS)
        if (slot.position === undefined && slot.order === undefined && resting.length > 0)
          this.#world.fail(
            "M6",
            `the stop ${resting[0]?.id} of strategy ${strategy} rests without a position`
          )
        if (resting.length > 1)
          this.#world.fail("M6", `strategy ${strategy} has ${resting.length} stops on one market`)
        if (slot.astray !== undefined && now - slot.astray > 2 * GRACE_MS)
          this.#world.fail("M7", `strategy ${strategy} still misses coins that are back`)
      }
    }
    for (const order of this.#world.venue.allResting()) {
      const owner = this.#books.order(order.id)
      const slot =
        owner === undefined ? undefined : this.#books.bot(owner.strategy)?.state.slots[marketKey(order)]
      if (now - order.at > GRACE_MS && slot?.stop?.id !== order.id)
        this.#world.fail("M6", `the stop ${order.id} rests, and no bot knows of it`)
    }
  }

  #restingOf(strategy: number, market: MarketId): ReadonlyArray<Order> {
    return this.#world.venue
      .resting(market)
      .map(({ ticket }) => ticket.order)
      .filter(({ id }) => this.#books.order(id)?.strategy === strategy)
  }

  /** Since when everybody, or this account, is halted; absent where neither is. */
  #haltedSince(account: number): number | undefined {
    const [halt] = this.#world.disk.rows<{ at: number }>(
      "SELECT at FROM halts WHERE account IN (0, ?) ORDER BY at LIMIT 1",
      account
    )
    return halt?.at
  }
}
