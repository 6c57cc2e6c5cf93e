// The one matching core of all seven: orders, fills and balances, exactly; the protocols only translate.
import * as Decimal from "../../../src/domain/Decimal.ts"
import { baseOf, quoteOf } from "../../../src/domain/Market.ts"
import { type Board, type Slot, type StubMarket, slotKey } from "../Protocol.ts"
import { refuse } from "./Flaw.ts"
import { Funds } from "./Funds.ts"
import { type Fill, Order, type Ticket } from "./Order.ts"
import { Positions } from "./Positions.ts"
import * as rules from "./rules.ts"

/** In what the seven differ. */
export interface Policy {
  /** What fees are taken in: what was received (the base asset when buying), or always the quote asset. */
  readonly fees: "received" | "quote"
  /** Whether the quote amount of an order by cost includes the fee. */
  readonly costHasFee?: boolean
  /** A client's id is refused while its order is open, or for ever, or gives the order that has it. */
  readonly ids: "open" | "ever" | "returned"
  /** Whether a trigger that the market is beyond already is refused; otherwise it goes off at once. */
  readonly refusesTriggered?: boolean
  readonly isId: (id: string) => boolean
  readonly orderId: (number: number) => string
  readonly fillId: (number: number) => string
}

type Supply = Decimal.Decimal | undefined

export class Book {
  readonly funds = new Funds()
  readonly positions = new Positions(this.funds)
  readonly orders: Array<Order> = []
  /** An order is not found for so long after it was accepted (ms). */
  hideMs = 0
  /** A fill is not told for so long after it was made (ms), though order and balances know of it. */
  lateFillsMs = 0
  /** Each fill is told twice. */
  doubleFills = false
  /** No trade is of more than that: what is larger meets many others. */
  most: string | undefined
  /** An order by market price that finds too little waits for more, where it would be cancelled. */
  patient = false
  /** An order that is to be cancelled is filled just before. */
  fillsBeforeCancel = false
  /** Fees are taken in that asset instead, of which one is worth so many of the quote asset. */
  feesIn: { readonly asset: string; readonly worth: string } | undefined
  /** What the exchange does with a client's id that was used before; its own way unless set. */
  ids: Policy["ids"] | undefined
  readonly #policy: Policy
  readonly #board: Board
  readonly #now: () => number
  /** How much of a market can be traded at its quote; as much as one likes where nothing is said. */
  readonly #supplies = new Map<string, Supply>()
  readonly #slips = new Map<string, Decimal.Decimal>()
  #fills = 0

  constructor(policy: Policy, board: Board, now: () => number) {
    this.#policy = policy
    this.#board = board
    this.#now = now
  }

  readonly place = (ticket: Ticket): Order => {
    const { clientId } = ticket
    if (clientId !== undefined) {
      if (!this.#policy.isId(clientId)) refuse("bad_id")
      const same = this.orders.findLast((order) => order.ticket.clientId === clientId)
      const ids = this.ids ?? this.#policy.ids
      if (same !== undefined && ids === "returned") return same
      if (same !== undefined && (ids === "ever" || !same.isDone)) refuse("duplicate_id")
    }
    rules.check(ticket, this.#board.quote(ticket.market))
    const now = this.#now()
    const number = this.orders.length + 1
    const order = new Order(ticket, this.#policy.orderId(number), number, now, now + this.hideMs)
    const isThere = order.status === "waiting" && this.#isTriggered(order)
    if (isThere && this.#policy.refusesTriggered === true) refuse("would_trigger")
    this.#reserve(order)
    this.orders.push(order)
    this.#trigger(order)
    this.#match(order, true)
    return order
  }

  readonly cancel = (order: Order): void => {
    if (this.fillsBeforeCancel && !order.isDone) this.fill(order)
    if (order.isDone) refuse("not_open")
    this.#end(order, "cancelled")
  }

  /** Trades some of an order, or all that is left, whatever the quote is; also of one that was cancelled. */
  readonly fill = (order: Order, amount?: string, price?: string): void => {
    const { rest, ticket } = order
    const at = price ?? undefined
    const level = at === undefined ? this.#priceOf(order) : Decimal.unsafeFromText(at)
    const part = amount === undefined ? (this.#room(order, level) ?? rest) : Decimal.unsafeFromText(amount)
    if (order.status === "waiting") order.wentOff = true
    this.#trade(order, part, level, rests(ticket))
    if (!order.isDone) this.#finish(order)
  }

  /** So much can be traded at the quote from now on; undefined is as much as one likes. */
  readonly supply = (slot: Slot, amount: string | undefined): void => {
    this.#supplies.set(slotKey(slot), amount === undefined ? undefined : Decimal.unsafeFromText(amount))
    this.quoted(slot)
  }

  /** What takes from a market's order book is filled at prices so much worse than the quote from now on. */
  readonly slip = (slot: Slot, worse: string): void => {
    this.#slips.set(slotKey(slot), Decimal.unsafeFromText(worse))
  }

  /** The quote of a market has changed. */
  readonly quoted = (slot: Slot): void => {
    for (const order of this.orders) {
      if (order.isDone || slotKey(order.ticket.market) !== slotKey(slot)) continue
      this.#trigger(order)
      this.#match(order, false)
    }
  }

  /** Whether a position or an order is open in a market. */
  readonly isInUse = (market: StubMarket): boolean =>
    !Decimal.isZero(this.positions.of(market).amount) ||
    this.orders.some((order) => !order.isDone && order.ticket.market === market)

  /** What can be found now, oldest first. */
  get visible(): ReadonlyArray<Order> {
    const now = this.#now()
    return this.orders.filter((order) => order.visibleFrom <= now)
  }

  readonly byId = (id: string): Order | undefined => this.visible.find((order) => order.id === id)

  /** The latest one where an id was used again. */
  readonly byClientId = (id: string): Order | undefined =>
    this.visible.findLast((order) => order.ticket.clientId === id)

  /** What is told of the trades, oldest first. */
  get fills(): ReadonlyArray<Fill> {
    const now = this.#now()
    const told = this.orders
      .flatMap(({ fills }) => fills)
      .filter(({ visibleFrom }) => visibleFrom <= now)
      .sort((a, b) => a.at - b.at)
    return this.doubleFills ? told.flatMap((fill) => [fill, fill]) : told
  }

  /** What an order spends. */
  readonly #spends = ({ market, side }: Ticket): string =>
    market.kind === "spot" && side === "sell" ? baseOf(market.pair) : quoteOf(market.pair)

  readonly #rate = (market: StubMarket, isMaker: boolean): Decimal.Decimal =>
    Decimal.fromNumber((isMaker ? market.makerFee : market.takerFee) ?? 0.001)

  /** By how much a cost grows by fees that are taken in the quote asset. */
  readonly #withFee = (market: StubMarket, cost: Decimal.Decimal): Decimal.Decimal =>
    market.kind === "swap" || this.#policy.fees === "quote"
      ? Decimal.product(cost, Decimal.add(Decimal.one, this.#rate(market, false)))
      : cost

  readonly #reserve = (order: Order): void => {
    const { amount = Decimal.zero, cost, market, side } = order.ticket
    const value = cost ?? Decimal.product(amount, this.#priceOf(order))
    const needed = (): Decimal.Decimal => {
      if (market.kind === "swap") {
        const opens = Decimal.subtract(amount, this.positions.closing(market, side, amount))
        if (order.ticket.reduceOnly === true || Decimal.isZero(opens)) return Decimal.zero
        const part = Decimal.product(opens, this.#priceOf(order))
        const fee = Decimal.subtract(this.#withFee(market, part), part)
        return Decimal.add(this.positions.marginFor(market, part), fee)
      }
      if (side === "sell") return amount
      return this.#policy.costHasFee === true && cost !== undefined ? cost : this.#withFee(market, value)
    }
    order.held = needed()
    this.funds.hold(this.#spends(order.ticket), order.held)
  }

  /** Its own limit, or where it would be traded now. */
  readonly #priceOf = ({ ticket: { market, price, side, trigger }, status }: Order): Decimal.Decimal => {
    const { ask, bid } = this.#board.quote(market)
    const now = Decimal.fromNumber(side === "buy" ? ask : bid)
    return price ?? (status === "waiting" ? (trigger?.price ?? now) : now)
  }

  readonly #isTriggered = ({ ticket: { market, trigger } }: Order): boolean => {
    if (trigger === undefined) return true
    const last = Decimal.fromNumber(this.#board.quote(market).last)
    return trigger.rising ? !Decimal.lessThan(last, trigger.price) : !Decimal.greaterThan(last, trigger.price)
  }

  readonly #trigger = (order: Order): void => {
    if (order.status !== "waiting" || !this.#isTriggered(order)) return
    order.status = "open"
    order.wentOff = true
  }

  readonly #match = (order: Order, isNew: boolean): void => {
    if (order.status !== "open") return
    const { market, price, side, tif, type } = order.ticket
    const { ask, bid } = this.#board.quote(market)
    const there = Decimal.fromNumber(side === "buy" ? ask : bid)
    const crosses =
      price === undefined ||
      (side === "buy" ? !Decimal.lessThan(price, there) : !Decimal.greaterThan(price, there))
    if (crosses && isNew && tif === "post_only") return this.#end(order, "cancelled")
    if (crosses) {
      const isMaker = !isNew && rests(order.ticket)
      const level = isMaker && price !== undefined ? price : this.#slipped(order.ticket, there)
      const wanted = this.#room(order, level) ?? order.rest
      const supply = this.#supplies.get(slotKey(market))
      const part = supply === undefined ? wanted : Decimal.min(wanted, supply)
      if (supply !== undefined) {
        if (tif === "fok" && Decimal.lessThan(part, wanted)) return this.#end(order, "cancelled")
        this.#supplies.set(slotKey(market), Decimal.subtract(supply, part))
      }
      for (const piece of this.#pieces(part)) this.#trade(order, piece, level, isMaker)
      this.#finish(order)
    }
    const ends = type === "market" ? !this.patient : tif === "ioc" || tif === "fok"
    if (!order.isDone && ends) this.#end(order, "cancelled")
  }

  /** A price worse than the quote, within the order's limit. */
  readonly #slipped = ({ market, price, side }: Ticket, there: Decimal.Decimal): Decimal.Decimal => {
    const worse = this.#slips.get(slotKey(market)) ?? Decimal.zero
    if (side === "buy") return Decimal.min(Decimal.add(there, worse), price ?? Decimal.add(there, worse))
    return Decimal.max(Decimal.subtract(there, worse), price ?? Decimal.zero)
  }

  readonly #pieces = (amount: Decimal.Decimal): ReadonlyArray<Decimal.Decimal> => {
    if (!Decimal.isPositive(amount)) return []
    const most = this.most === undefined ? amount : Decimal.unsafeFromText(this.most)
    const pieces: Array<Decimal.Decimal> = []
    let rest = amount
    for (; Decimal.greaterThan(rest, most); rest = Decimal.subtract(rest, most)) pieces.push(most)
    return [...pieces, rest]
  }

  /** How much more an order by cost can buy at a price; undefined for others. */
  readonly #room = ({ paid, ticket }: Order, price: Decimal.Decimal): Decimal.Decimal | undefined => {
    const { cost, market } = ticket
    if (cost === undefined) return undefined
    const rate = Decimal.add(Decimal.one, this.#rate(market, false))
    const net = this.#policy.costHasFee === true ? Decimal.divide(cost, rate) : cost
    const left = Decimal.subtract(net, paid)
    if (!Decimal.isPositive(left)) return Decimal.zero
    return Decimal.floorToStep(Decimal.divide(left, price), Decimal.unsafeFromText(market.amountStep))
  }

  readonly #finish = (order: Order): void => {
    const room = this.#room(order, this.#priceOf(order)) ?? order.rest
    if (Decimal.isPositive(room)) return
    this.#end(order, Decimal.isZero(order.filled) ? "cancelled" : "filled")
  }

  readonly #end = (order: Order, status: "filled" | "cancelled"): void => {
    order.status = status
    order.updatedAt = this.#now()
    this.funds.release(this.#spends(order.ticket), order.held)
    order.held = Decimal.zero
  }

  readonly #trade = (
    order: Order,
    amount: Decimal.Decimal,
    price: Decimal.Decimal,
    isMaker: boolean
  ): void => {
    const { market, side } = order.ticket
    const [base, quote] = [baseOf(market.pair), quoteOf(market.pair)]
    const cost = Decimal.product(amount, price)
    const feeRate = this.#rate(market, isMaker)
    const other = this.feesIn
    const isReceived = market.kind === "spot" && side === "buy" && this.#policy.fees === "received"
    const inBase = isReceived && other === undefined
    const worth = Decimal.product(inBase ? amount : cost, feeRate)
    const fee = other === undefined ? worth : Decimal.divide(worth, Decimal.unsafeFromText(other.worth))
    const spent = market.kind === "swap" ? Decimal.zero : side === "sell" ? amount : cost
    this.#free(order, amount, spent, inBase || side === "sell" || other !== undefined ? Decimal.zero : fee)
    if (market.kind === "swap") this.positions.trade(market, side, amount, price)
    else {
      this.funds.change(this.#spends(order.ticket), Decimal.negate(spent))
      this.funds.change(side === "buy" ? base : quote, side === "buy" ? amount : cost)
    }
    const feeAsset = other?.asset ?? (inBase ? base : quote)
    this.funds.change(feeAsset, Decimal.negate(fee))
    const at = this.#now()
    order.filled = Decimal.add(order.filled, amount)
    order.paid = Decimal.add(order.paid, cost)
    order.updatedAt = at
    const id = this.#policy.fillId(++this.#fills)
    const visibleFrom = at + this.lateFillsMs
    order.fills.push({ id, order, price, amount, cost, fee, feeAsset, feeRate, isMaker, at, visibleFrom })
  }

  /** What was put aside for this part of an order is free again, to be spent. */
  readonly #free = (
    order: Order,
    amount: Decimal.Decimal,
    spent: Decimal.Decimal,
    fee: Decimal.Decimal
  ): void => {
    const isWhole = !Decimal.isPositive(Decimal.subtract(order.rest, amount))
    const part =
      order.ticket.market.kind === "swap"
        ? isWhole || Decimal.isZero(order.amount)
          ? order.held
          : Decimal.divide(Decimal.product(order.held, amount), order.rest)
        : Decimal.min(order.held, Decimal.add(spent, fee))
    order.held = Decimal.subtract(order.held, part)
    this.funds.release(this.#spends(order.ticket), part)
  }
}

/** Whether an order waits in the order book, and so makes the market; whatever is filled at once pays the taker fee. */
const rests = ({ tif = "gtc", trigger, type }: Ticket): boolean =>
  type === "limit" && trigger === undefined && (tif === "gtc" || tif === "post_only")
