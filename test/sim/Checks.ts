// The invariants I1 to I12, checked all along, at each crash, and at the end.
import type { BotState } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Order } from "../../src/domain/Order.ts"
import type { Ticket } from "../../src/services/Exchange.ts"
import { AlertChecks } from "./alertChecks.ts"
import { Books } from "./Books.ts"
import type { Dealers } from "./Dealers.ts"
import { LevelChecks } from "./levelChecks.ts"
import { LiveChecks } from "./liveChecks.ts"
import type { Neighbours } from "./Neighbours.ts"
import type { People } from "./People.ts"
import { PartChecks } from "./partChecks.ts"
import type { World } from "./World.ts"

/** The allowed transitions of an order's status. */
const TRANSITIONS: Readonly<Record<string, ReadonlyArray<string>>> = {
  intended: ["accepted", "unknown", "partly_filled", "filled", "rejected", "cancelled"],
  unknown: ["accepted", "partly_filled", "filled", "rejected", "cancelled"],
  accepted: ["partly_filled", "filled", "rejected", "cancelled"],
  partly_filled: ["partly_filled", "filled", "cancelled"]
}

/** How long something due may take once the world is calm. */
const GRACE_MS = 15_000

/** Whether the order's price is a rule's level, which equals a published price only by chance. */
const isAtLevel = ({ live, type }: Order): boolean =>
  type === "stop" || (type === "limit" && live !== undefined)

/** Checks the world, reading what is on disk. */
export class Checks {
  readonly #world: World
  readonly #people: People
  readonly #books: Books
  /** By strategy and period: the end of its cooldown as it was once on disk. */
  readonly #coolUntil = new Map<string, number>()

  readonly #live: LiveChecks
  readonly #levels: LevelChecks
  readonly #alerts: AlertChecks
  readonly #parts: PartChecks
  readonly #neighbours: Neighbours

  constructor(world: World, people: People, dealers: Dealers, neighbours: Neighbours) {
    this.#world = world
    this.#people = people
    this.#books = new Books(world.disk)
    this.#live = new LiveChecks(world, this.#books, dealers)
    this.#levels = new LevelChecks(world, this.#books)
    this.#parts = new PartChecks(world, this.#books)
    this.#alerts = new AlertChecks(world, this.#books, neighbours)
    this.#neighbours = neighbours
    world.venue.onSubmit = (ticket) => this.#submitted(ticket)
  }

  /** An order is being sent: what is on disk now must allow it. */
  #submitted(ticket: Ticket<Order>): void {
    const { order } = ticket
    const { fail, id } = {
      fail: (invariant: string, text: string) => this.#world.fail(invariant, text),
      id: order.id
    }
    this.#world.trace(
      `order ${id} is sent: ${order.purpose} ${order.side} ${Decimal.toText(order.quantity)} ${order.pair} ${order.kind} at ${order.price}`
    )
    const row = this.#books.order(id)
    if (row === undefined) return fail("I1", `order ${id} was sent and is not on disk`)
    if (!Decimal.equals(row.order.quantity, order.quantity) || row.order.side !== order.side)
      return fail("I1", `order ${id} was sent with another size or side than is on disk`)
    if (!isAtLevel(order) && this.#world.prices.isWild(order, order.price))
      return fail("I7", `order ${id} was decided at ${order.price}, a wild price that nothing confirmed`)
    const bot = this.#books.bot(row.strategy)
    const owner = this.#people.strategies.find(({ id: strategy }) => strategy === row.strategy)?.owner
    if (bot !== undefined && owner !== undefined) this.#live.submitted(bot, owner.account, ticket)
    if (bot !== undefined) this.#levels.submitted(bot, order)
    if (bot !== undefined) this.#parts.submitted(bot, order)
    if (bot !== undefined) this.#parts.step(bot, order)
    if (order.purpose === "exit") return
    this.#mayEnter(row.strategy, order)
  }

  #mayEnter(strategy: number, order: Order): void {
    const state = this.#books.bot(strategy)?.state
    if (state === undefined) return this.#world.fail("I1", `order ${order.id} belongs to no bot`)
    const coolUntil = this.#note(strategy, state)
    const inFlight = Object.values(state.slots).flatMap((slot) =>
      slot.order === undefined || slot.order.purpose === "exit" ? [] : [slot.order.reserved]
    )
    if (Decimal.lessThan(state.cash, Decimal.sum(inFlight)))
      this.#world.fail("I7", `order ${order.id} is beyond the free cash`)
    if (order.type === "market" && !this.#world.prices.wasTold(order, order.price, order.at))
      this.#world.fail("I7", `order ${order.id} was decided at ${order.price}, which no fresh price was`)
    const owned = this.#people.strategies.find(({ id }) => id === strategy)
    if (owned?.offSince !== undefined && order.at > owned.offSince)
      this.#world.fail("I11", `order ${order.id} entered for a strategy that is switched off`)
    if (owned?.deleted === "yes") this.#world.fail("I11", `order ${order.id} entered for a deleted strategy`)
    if (order.at < coolUntil)
      this.#world.fail("I10", `order ${order.id} entered while its strategy was cooling down`)
  }

  /** Remembers the latest cooldown that was ever on disk. */
  #note(strategy: number, { period = 1, stopLossUntil = 0, takeProfitUntil = 0 }: BotState): number {
    const key = `${strategy}/${period}`
    const until = Math.max(takeProfitUntil, stopLossUntil, this.#coolUntil.get(key) ?? 0)
    this.#coolUntil.set(key, until)
    return until
  }

  /** What must hold at any moment. */
  anytime(): void {
    for (const flaw of this.#books.ledgerFlaws()) this.#world.fail("I3", flaw)
    for (const flaw of this.#books.positionFlaws()) this.#world.fail("I3", flaw)
    for (const flaw of this.#books.performanceFlaws(this.#world.now)) this.#world.fail("I5", flaw)
    for (const { state, strategy } of this.#books.bots()) this.#note(strategy, state)
    this.#live.anytime()
    this.#levels.anytime()
    this.#parts.anytime()
    this.#fills(false)
    for (const { after, before, id } of this.#books.transitions())
      if (!(TRANSITIONS[before] ?? []).includes(after))
        this.#world.fail("I9", `order ${id} went from ${before} to ${after}`)
  }

  /** Fills on disk are the exchange's, each once; at the end all of them. */
  #fills(all: boolean): void {
    const own = Map.groupBy(this.#books.fills(), ({ fill }): string => fill.order)
    for (const [order, rows] of own) {
      const there = new Map(this.#world.venue.fillsOf(order).map((fill) => [fill.id, fill]))
      if (new Set(rows.map(({ fill }) => fill.id)).size < rows.length)
        this.#world.fail("I6", `a fill of order ${order} counts twice`)
      for (const { fill } of rows) {
        const said = there.get(fill.id)
        const same =
          said !== undefined &&
          said.price === fill.price &&
          Decimal.equals(said.quantity, fill.quantity) &&
          Decimal.equals(said.fee, fill.fee)
        if (!same) this.#world.fail("I4", `fill ${fill.id} of order ${order} is not what the exchange said`)
      }
    }
    if (!all) return
    for (const id of this.#world.venue.orders.keys()) {
      // Reports of the last moments may still be on their way.
      const due = this.#world.venue.fillsOf(id).filter(({ at }) => this.#world.now - at > GRACE_MS)
      const missing = due.filter((fill) => !own.get(id)?.some((row) => row.fill.id === fill.id)).length
      if (missing !== 0) this.#world.fail("I4", `${missing} fills of order ${id} are missing on disk`)
    }
  }

  /** What must hold after a long calm. */
  finally(): void {
    this.anytime()
    this.#fills(true)
    this.#live.finally()
    this.#levels.calm()
    this.#parts.calm()
    this.#alerts.finally()
    this.#parts.finally()
    this.#outcomes()
    this.#owners()
    // A stop rests until it triggers or is cancelled; another check decides whether it should rest.
    for (const { order, status } of this.#books.orders(
      "WHERE status IN ('intended', 'accepted', 'unknown', 'partly_filled')"
    ))
      if (this.#world.now - order.at > GRACE_MS && !(order.type === "stop" && status === "accepted"))
        this.#world.fail("I12", `order ${order.id} is still ${status}`)
    this.#timers()
    const [misjudged] = this.#neighbours.misjudged
    if (misjudged !== undefined) this.#world.fail("N2", misjudged)
  }

  /** Each answered alert is stored once, with one outcome for each strategy that follows its signal. */
  #outcomes(): void {
    const { bare, bareAnswered, keyed, strategies } = this.#people
    const answered = [
      ...keyed.flatMap(({ answered, signal }) => (answered === undefined ? [] : [{ id: answered, signal }])),
      ...bareAnswered
    ]
    for (const { answered, handed, key } of keyed)
      if (handed && answered === undefined) this.#world.fail("I2", `the alert ${key} was never answered`)
    for (const { id, signal } of answered) {
      if (this.#books.count("alerts WHERE id = ?", id) === 0)
        return this.#world.fail("I2", `alert ${id} was answered and is not on disk`)
      for (const { deleted, id: strategy, signal: followed } of strategies) {
        if (followed !== signal || deleted !== "no") continue
        const outcomes = this.#books.count("outcomes WHERE alert_id = ? AND strategy_id = ?", id, strategy)
        const told = this.#books.count(
          "timeline WHERE rule = 'alert' AND alert_id = ? AND strategy_id = ?",
          id,
          strategy
        )
        if (outcomes !== 1 || told !== 1)
          return this.#world.fail(
            "I2",
            `alert ${id} has ${outcomes} outcomes and ${told} lines for strategy ${strategy}`
          )
      }
    }
    const [ann, bob] = this.#world.people
    const stored = this.#books.count("alerts WHERE account IN (?, ?)", ann.account, bob.account)
    const most = keyed.filter(({ handed }) => handed).length + bare
    if (stored > most) this.#world.fail("I2", `${stored} alerts are on disk, at most ${most} were sent`)
  }

  #owners(): void {
    const astray = this.#books.count(
      "outcomes JOIN strategies ON strategies.id = outcomes.strategy_id WHERE strategies.account <> outcomes.account"
    )
    if (astray > 0) this.#world.fail("I8", `${astray} outcomes belong to another account than their strategy`)
  }

  /** Timed rules have acted in time. */
  #timers(): void {
    const { now } = this.#world
    for (const { state, strategy } of this.#books.bots()) {
      const closeMinutes = this.#people.strategies.find(({ id }) => id === strategy)?.waits.closeMinutes
      for (const { order, position } of Object.values(state.slots)) {
        if (position === undefined || order !== undefined || closeMinutes === undefined) continue
        if (now - position.openedAt > closeMinutes * 60_000 + GRACE_MS)
          this.#world.fail("I10", `a position of strategy ${strategy} should have been closed by the time`)
      }
    }
    const waiting = this.#books.count("waiting WHERE since < ?", now - GRACE_MS)
    if (waiting > 0) this.#world.fail("I2", `${waiting} alerts still wait for something`)
  }
}
