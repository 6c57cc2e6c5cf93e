import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Decimal from "../../src/domain/Decimal.ts"
import { baseOf, type MarketId, marketKey } from "../../src/domain/Market.ts"
import type { Order } from "../../src/domain/Order.ts"
import { Exchange, Report, type Ticket } from "../../src/services/Exchange.ts"
import { Venue as Books, type Placed } from "../../src/testing/Venue.ts"
import type { Life, Loom } from "./Loom.ts"
import type { Prices } from "./Prices.ts"

/** The longest that a request is held back on its way, and an order kept out of sight. */
const MOST_DELAY_MS = 25_000
const MOST_HIDDEN_MS = 20_000

/**
 * An exchange as mean as real ones: slow, forgetful of its answers, partly out of sight, filling in parts, telling
 * late and twice. It takes an id that was filled once more as a new order. It lives on when the server does not.
 */
export class Venue extends Books {
  calm = false
  readonly #loom: Loom
  readonly #prices: Prices
  /** Stops that have gone off. */
  readonly #triggered = new Set<Placed>()
  /** Until when it serves nobody of ours: too many requests. */
  #bannedUntil = 0
  /** Told of each order that is on its way out, before anything else happens. */
  onSubmit: (ticket: Ticket<Order>) => void = () => {}
  tell: (what: string) => void = () => {}

  constructor(loom: Loom, prices: Prices) {
    super()
    this.#loom = loom
    this.#prices = prices
  }

  /** The exchange as one life of the server reaches it: what it answers to the dead is lost. */
  layer(life: Life): Layer.Layer<Exchange> {
    return Layer.succeed(Exchange, {
      submit: (ticket) => this.#answered(life, (answer) => this.#submit(ticket, answer)),
      lookup: (ticket) => this.#answered(life, (answer) => this.#lookup(ticket, answer)),
      cancel: (ticket) => this.#answered(life, (answer) => this.#cancel(ticket, answer))
    })
  }

  #answered(life: Life, ask: (answer: (ms: number, report: Report) => void) => void): Effect.Effect<Report> {
    return Effect.async<Report>((resume) => {
      ask((ms, report) => life.after(ms, () => resume(Effect.succeed(report))))
    })
  }

  #submit(ticket: Ticket<Order>, answer: (ms: number, report: Report) => void): void {
    const { dice } = this.#loom
    const order = ticket.order.id
    this.onSubmit(ticket)
    const odds = this.calm ? 1 : dice.next()
    if (this.#isBanning()) return answer(10, Report.Rejected({ order, reason: "banned" }))
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
    this.#loom.after(delay, () => {
      this.#arrive(ticket)
      if (!this.calm && dice.chance(0.2)) return this.tell(`the answer about order ${order} is lost`)
      // The answer to the one who sent it comes from the place that took it: it is in sight there.
      answer(this.calm ? 20 : dice.whole(5, 600), this.#report(order, true))
    })
  }

  #lookup(ticket: Ticket<Order>, answer: (ms: number, report: Report) => void): void {
    const { dice } = this.#loom
    const order = ticket.order.id
    const odds = this.calm ? 1 : dice.next()
    if (this.#isBanning()) return answer(10, Report.Unknown({ order }))
    if (odds < 0.06) return
    if (odds < 0.16) return answer(dice.whole(10, 1_000), Report.Unknown({ order }))
    this.#loom.after(this.calm ? 20 : dice.whole(5, 700), () => answer(10, this.#report(order, false)))
  }

  /** Lost on its way, done and not answered, or too late: what it was to end has filled. */
  #cancel({ order }: Ticket<Order>, answer: (ms: number, report: Report) => void): void {
    const { dice } = this.#loom
    const { id } = order
    const odds = this.calm ? 1 : dice.next()
    if (this.#isBanning() || odds < 0.08) return answer(dice.whole(10, 1_000), Report.Unknown({ order: id }))
    if (odds < 0.14) return this.tell(`taking back order ${id} is lost on its way, silently`)
    this.#loom.after(this.calm ? 20 : dice.whole(5, 900), () => {
      const placed = this.#openOf(id)
      if (placed !== undefined && !this.calm && dice.chance(0.1)) this.#fill(placed, leftOf(placed), true)
      else if (placed !== undefined) {
        placed.status = "cancelled"
        this.tell(`order ${id} is taken back`)
      }
      if (!this.calm && dice.chance(0.15))
        return this.tell(`the answer about taking back order ${id} is lost`)
      answer(this.calm ? 20 : dice.whole(5, 600), this.#report(id, false))
    })
  }

  /** A market has moved: stops whose price has come go off. */
  moved(market: MarketId): void {
    for (const placed of this.resting(market)) {
      const { price, side } = placed.ticket.order
      const last = this.#prices.at(market)
      if (this.#triggered.has(placed) || (side === "sell" ? last > price : last < price)) continue
      this.#triggered.add(placed)
      this.tell(`the stop ${placed.ticket.order.id} goes off`)
      if (!this.calm && this.#loom.dice.chance(0.3)) this.#fillInParts(placed, 1, false)
      else this.#fill(placed, leftOf(placed), true)
    }
  }

  /** Stops that are open anywhere. */
  allResting(): ReadonlyArray<Order> {
    return [...this.orders.values()]
      .flat()
      .filter(({ status, ticket: { order } }) => status === "open" && order.type === "stop")
      .map(({ ticket }) => ticket.order)
  }

  /** Stops that are open on a market. */
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

  #isBanning(): boolean {
    const { dice, now } = this.#loom
    if (this.calm) return false
    if (dice.chance(0.004)) {
      this.#bannedUntil = now + dice.whole(5_000, 30_000)
      this.tell("the exchange bans us for a while")
    }
    return now < this.#bannedUntil
  }

  #arrive(ticket: Ticket<Order>): void {
    const { dice, now } = this.#loom
    const { id } = ticket.order
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
      this.#loom.after(dice.whole(200, 15_000), () => this.#fill(placed, ticket.order.quantity, true))
      return
    }
    this.#fill(placed, ticket.order.quantity, true)
  }

  /** Some of it now, some of it later; then all of it, or the rest is cancelled. */
  #fillInParts(placed: Placed, parts: number, isCancelled: boolean): void {
    const { dice } = this.#loom
    const { quantity } = placed.ticket.order
    const part = Decimal.round(Decimal.divide(quantity, Decimal.fromNumber(parts + 1)), 6)
    let left = quantity
    let wait = dice.chance(0.5) ? 0 : dice.whole(50, 4_000)
    for (let index = 0; index < parts; index++) {
      this.#loom.after(wait, () => this.#fill(placed, part, false))
      left = Decimal.subtract(left, part)
      wait += dice.whole(50, 8_000)
    }
    const rest = left
    this.#loom.after(wait, () => {
      if (!isCancelled) return this.#fill(placed, rest, true)
      if (placed.status !== "open") return
      placed.status = "cancelled"
      this.tell(`the rest of order ${placed.ticket.order.id} is cancelled`)
    })
  }

  #fill(placed: Placed, quantity: Decimal.Decimal, isLast: boolean): void {
    const { dice, now } = this.#loom
    const { order } = placed.ticket
    // It was taken back meanwhile.
    if (placed.status !== "open") return
    if (Decimal.isPositive(quantity)) {
      const slip = this.calm ? 1 : 1 + (dice.next() - 0.5) * 0.002
      const price = Math.round(this.#prices.at(order) * slip * 100) / 100
      this.fill(placed, quantity, price, now)
      if (order.live !== undefined && order.kind === "spot" && order.side === "buy") inCoin(placed)
      this.tell(`order ${order.id} fills ${Decimal.toText(quantity)} at ${placed.fills.at(-1)?.price}`)
    }
    if (isLast) placed.status = "filled"
  }

  #report(order: Order["id"], isAtHome: boolean): Report {
    const { dice, now } = this.#loom
    const isLate = !this.calm && dice.chance(0.2)
    const isRepeated = !this.calm && dice.chance(0.2)
    return this.report(order, now, { isAtHome, isLate, isRepeated })
  }
}

const leftOf = ({ fills, ticket }: Placed): Decimal.Decimal =>
  Decimal.subtract(ticket.order.quantity, Decimal.sum(fills.map(({ quantity }) => quantity)))

/** With money in it the fee of what was bought is taken in the coin: that much less arrives. */
const inCoin = ({ fills, ticket }: Placed): void => {
  const last = fills.at(-1)
  if (last === undefined) return
  const rate = Decimal.fromNumber(last.price)
  const amount = Decimal.multiply(last.quantity, ticket.fees.taker)
  const quantity = Decimal.subtract(last.quantity, amount)
  fills[fills.length - 1] = {
    ...last,
    quantity,
    notional: Decimal.multiply(quantity, rate),
    fee: Decimal.multiply(amount, rate),
    paid: { asset: baseOf(last.pair), amount, rate }
  }
}
