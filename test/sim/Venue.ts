// The simulated exchange, with all faults of real ones: slow, forgetful, partly blind, filling in parts, reporting
// late and twice. It survives the server's crashes.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Decimal from "../../src/domain/Decimal.ts"
import { type MarketId, marketKey } from "../../src/domain/Market.ts"
import type { Order } from "../../src/domain/Order.ts"
import { Exchange, Report, type Ticket } from "../../src/services/Exchange.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { Venue as Books, type Placed } from "../../src/testing/Venue.ts"
import { Bans } from "./Bans.ts"
import type { Chance } from "./Chance.ts"
import { asTaker, inCoin } from "./charges.ts"
import type { Life, Loom } from "./Loom.ts"
import { type Pace, PLACES } from "./Pace.ts"
import type { Prices } from "./Prices.ts"

/** The longest delay of a request, and the longest time that an order stays hidden. */
const MOST_DELAY_MS = 25_000
const MOST_HIDDEN_MS = 20_000

/** It accepts the id of a filled order again, as a new order. */
export class Venue extends Books {
  calm = false
  readonly #loom: Loom
  readonly #chance: Chance
  readonly #pace: Pace
  readonly #prices: Prices
  readonly #nameOf: (strategy: number) => string | undefined
  /** Which order of which strategy and market an id is: ids differ between compared worlds. */
  readonly #whose = new Map<string, string>()
  readonly #ordersOf = new Map<string, number>()
  readonly #bans: Bans
  /** Triggered stops. */
  readonly #triggered = new Set<Placed>()
  /** Called for each order before it is sent. */
  onSubmit: (ticket: Ticket<Order>) => void = () => {}
  tell: (what: string) => void = () => {}

  constructor(
    loom: Loom,
    chance: Chance,
    pace: Pace,
    prices: Prices,
    nameOf: (strategy: number) => string | undefined
  ) {
    super()
    this.#loom = loom
    this.#chance = chance
    this.#bans = new Bans(chance)
    this.#pace = pace
    this.#prices = prices
    this.#nameOf = nameOf
  }

  /**
   * The exchange as one life of the server reaches it: responses to a dead server are lost. `submitted` is called for each
   * order when it arrives.
   */
  layer(
    life: Life,
    submitted = (ticket: Ticket<Order>): void => this.onSubmit(ticket)
  ): Layer.Layer<Exchange> {
    return Layer.succeed(Exchange, {
      submit: (ticket) =>
        Effect.suspend(() => {
          submitted(ticket)
          return this.#isNeighbours(ticket)
            ? Effect.sync(() => this.#fillAtOnce(ticket))
            : this.#answered(life, ticket, (answer) => this.#submit(ticket, answer))
        }),
      lookup: (ticket) =>
        this.#isNeighbours(ticket)
          ? Effect.sync(() => this.report(ticket.order.id, this.#loom.now))
          : this.#answered(life, ticket, (answer) => this.#lookup(ticket, answer)),
      cancel: (ticket) => this.#answered(life, ticket, (answer) => this.#cancel(ticket, answer))
    })
  }

  #answered(
    life: Life,
    { order }: Ticket<Order>,
    ask: (answer: (ms: number, report: Report) => void) => void
  ): Effect.Effect<Report> {
    const place = PLACES.answer + this.#prices.place(order)
    return Effect.async<Report>((resume) => {
      ask((ms, report) => life.after(this.#pace.wait(ms, place), () => resume(Effect.succeed(report))))
    })
  }

  /** Schedules an event at the exchange (ms). */
  #later(market: MarketId, ms: number, act: () => void): void {
    this.#loom.after(this.#pace.wait(ms, PLACES.fill + this.#prices.place(market)), act)
  }

  /** An order's random streams: for filling, for queries, and for cancelling. */
  #diceOf(order: Order, what: "filling" | "asking" | "ending"): SeededRandom {
    const known = this.#whose.get(order.id)
    if (known !== undefined) return this.#chance.of(`${what} ${known}`)
    const number = Number.parseInt(order.id, 10)
    const whose = `${this.#nameOf(number) ?? number} on ${marketKey(order)}`
    const count = this.#ordersOf.get(whose) ?? 0
    this.#ordersOf.set(whose, count + 1)
    this.#whose.set(order.id, `order ${count} of ${whose}`)
    return this.#diceOf(order, what)
  }

  /**
   * Whether a neighbour of an even world trades on paper. Paper orders are queried together; the neighbours' are
   * filled at once, and never delay others.
   */
  #isNeighbours({ order: { id, live } }: Ticket<Order>): boolean {
    return this.#pace.isEven && live === undefined && this.#nameOf(Number.parseInt(id, 10)) === undefined
  }

  #fillAtOnce(ticket: Ticket<Order>): Report {
    const { now } = this.#loom
    const { order } = ticket
    const placed = this.place(ticket, now)
    if (placed !== undefined) {
      this.fill(placed, order.quantity, this.#prices.at(order), now)
      placed.status = "filled"
    }
    return this.report(order.id, now, { isAtHome: true })
  }

  #submit(ticket: Ticket<Order>, answer: (ms: number, report: Report) => void): void {
    const order = ticket.order.id
    const dice = this.#diceOf(ticket.order, "filling")
    const odds = this.calm ? 1 : dice.next()
    if (this.#isBanning(ticket.order)) return answer(10, Report.Rejected({ order, reason: "banned" }))
    if (odds < 0.05) return this.tell(`order ${order} is lost on its way, silently`)
    if (odds < 0.1) {
      this.tell(`order ${order} is lost on its way`)
      return answer(dice.whole(10, 2_000), Report.Unknown({ order }))
    }
    if (odds < 0.14) {
      this.tell(`order ${order} is turned away: too many requests`)
      return answer(dice.whole(10, 500), Report.Rejected({ order, reason: "too many requests" }))
    }
    const delay = this.calm ? 20 : dice.chance(0.06) ? dice.whole(3_000, MOST_DELAY_MS) : dice.whole(5, 900)
    this.#later(ticket.order, delay, () => {
      this.#arrive(ticket)
      if (!this.calm && dice.chance(0.2)) return this.tell(`the answer about order ${order} is lost`)
      answer(this.calm ? 20 : dice.whole(5, 600), this.#report(ticket.order, "filling"))
    })
  }

  #lookup(ticket: Ticket<Order>, answer: (ms: number, report: Report) => void): void {
    const order = ticket.order.id
    const dice = this.#diceOf(ticket.order, "asking")
    const odds = this.calm ? 1 : dice.next()
    if (this.#isBanning(ticket.order)) return answer(10, Report.Unknown({ order }))
    if (odds < 0.06) return
    if (odds < 0.16) return answer(dice.whole(10, 1_000), Report.Unknown({ order }))
    this.#later(ticket.order, this.calm ? 20 : dice.whole(5, 700), () =>
      answer(10, this.#report(ticket.order, "asking"))
    )
  }

  /** A cancellation may be lost, be done without a response, or come too late. */
  #cancel({ order }: Ticket<Order>, answer: (ms: number, report: Report) => void): void {
    const { id } = order
    const dice = this.#diceOf(order, "ending")
    const odds = this.calm ? 1 : dice.next()
    if (this.#isBanning(order) || odds < 0.08)
      return answer(dice.whole(10, 1_000), Report.Unknown({ order: id }))
    if (odds < 0.14) return this.tell(`taking back order ${id} is lost on its way, silently`)
    this.#later(order, this.calm ? 20 : dice.whole(5, 900), () => {
      const placed = this.#openOf(id)
      if (placed !== undefined && !this.calm && dice.chance(0.1)) this.#fill(placed, leftOf(placed), true)
      else if (placed !== undefined) {
        placed.status = "cancelled"
        this.tell(`order ${id} is taken back`)
      }
      if (!this.calm && dice.chance(0.15))
        return this.tell(`the answer about taking back order ${id} is lost`)
      answer(this.calm ? 20 : dice.whole(5, 600), this.#report(order, "ending"))
    })
  }

  /** A market has moved: trigger the stops that its price has reached. */
  moved(market: MarketId): void {
    for (const placed of this.resting(market)) {
      const { price, side } = placed.ticket.order
      const last = this.#prices.at(market)
      if (this.#triggered.has(placed) || (side === "sell" ? last > price : last < price)) continue
      this.#triggered.add(placed)
      this.tell(`the stop ${placed.ticket.order.id} goes off`)
      if (!this.calm && this.#diceOf(placed.ticket.order, "filling").chance(0.3))
        this.#fillInParts(placed, 1, false)
      else this.#fill(placed, leftOf(placed), true)
    }
  }

  /** All open stops. */
  allResting(): ReadonlyArray<Order> {
    return [...this.orders.values()]
      .flat()
      .filter(({ status, ticket: { order } }) => status === "open" && order.type === "stop")
      .map(({ ticket }) => ticket.order)
  }

  /** The open stops of a market. */
  resting(market: MarketId): ReadonlyArray<Placed> {
    const key = marketKey(market)
    return [...this.orders.values()]
      .flat()
      .filter(
        ({ status, ticket: { order } }) =>
          status === "open" && order.type === "stop" && marketKey(order) === key
      )
  }

  #openOf(id: string): Placed | undefined {
    return this.orders.get(id)?.find(({ status }) => status === "open")
  }

  #isBanning({ live }: Order): boolean {
    return !this.calm && this.#bans.isBanned(live?.account, this.#loom.now)
  }

  #arrive(ticket: Ticket<Order>): void {
    const { now } = this.#loom
    const { id } = ticket.order
    const dice = this.#diceOf(ticket.order, "filling")
    const visibleAt = !this.calm && dice.chance(0.3) ? now + dice.whole(100, MOST_HIDDEN_MS) : now
    const placed = this.place(ticket, visibleAt)
    if (placed === undefined) return this.tell(`order ${id} is there already: not taken again`)
    const odds = this.calm ? 1 : dice.next()
    if (ticket.order.type === "stop" && odds >= 0.06) return this.moved(ticket.order)
    if (odds < 0.06) {
      placed.status = "rejected"
      placed.reason = "not enough funds"
      return this.tell(`order ${id} is rejected`)
    }
    if (odds < 0.12) return this.#fillInParts(placed, dice.whole(1, 2), true)
    if (odds < 0.4) return this.#fillInParts(placed, dice.whole(2, 3), false)
    if (odds < 0.55) {
      this.#later(ticket.order, dice.whole(200, 15_000), () =>
        this.#fill(placed, ticket.order.quantity, true)
      )
      return
    }
    this.#fill(placed, ticket.order.quantity, true)
  }

  /** Fills in parts over time; then the rest fills or is cancelled. */
  #fillInParts(placed: Placed, parts: number, isCancelled: boolean): void {
    const { quantity } = placed.ticket.order
    const dice = this.#diceOf(placed.ticket.order, "filling")
    const part = Decimal.round(Decimal.divide(quantity, Decimal.fromNumber(parts + 1)), 6)
    let left = quantity
    let wait = dice.chance(0.5) ? 0 : dice.whole(50, 4_000)
    for (let index = 0; index < parts; index++) {
      this.#later(placed.ticket.order, wait, () => this.#fill(placed, part, false))
      left = Decimal.subtract(left, part)
      wait += dice.whole(50, 8_000)
    }
    const rest = left
    this.#later(placed.ticket.order, wait, () => {
      if (!isCancelled) return this.#fill(placed, rest, true)
      if (placed.status !== "open") return
      placed.status = "cancelled"
      this.tell(`the rest of order ${placed.ticket.order.id} is cancelled`)
    })
  }

  #fill(placed: Placed, quantity: Decimal.Decimal, isLast: boolean): void {
    const { now } = this.#loom
    const { order } = placed.ticket
    const dice = this.#diceOf(order, "filling")
    // It was cancelled meanwhile.
    if (placed.status !== "open") return
    if (Decimal.isPositive(quantity)) {
      const slip = this.calm ? 1 : 1 + (dice.next() - 0.5) * 0.002
      const price = Math.round(this.#prices.at(order) * slip * 100) / 100
      this.fill(placed, quantity, price, now)
      if (order.live !== undefined && order.type === "limit") asTaker(placed)
      if (order.live !== undefined && order.kind === "spot" && order.side === "buy") inCoin(placed)
      this.tell(`order ${order.id} fills ${Decimal.toText(quantity)} at ${placed.fills.at(-1)?.price}`)
    }
    if (isLast) placed.status = "filled"
  }

  #report(order: Order, what: "filling" | "asking" | "ending"): Report {
    const { now } = this.#loom
    const dice = this.#diceOf(order, what)
    // The response to the order itself always finds the order.
    const isAtHome = what === "filling"
    const isLate = !this.calm && dice.chance(0.2)
    const isRepeated = !this.calm && dice.chance(0.2)
    return this.report(order.id, now, { isAtHome, isLate, isRepeated })
  }
}

const leftOf = ({ fills, ticket }: Placed): Decimal.Decimal =>
  Decimal.subtract(ticket.order.quantity, Decimal.sum(fills.map(({ quantity }) => quantity)))
