// A live bot and an exchange of few manners: what was ordered fills in parts, is turned down, lost or late.
import type { AlertType } from "../../src/domain/Alert.ts"
import type { BotState } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Fill } from "../../src/domain/Fill.ts"
import { type MarketId, marketKey } from "../../src/domain/Market.ts"
import type { Order, OrderId } from "../../src/domain/Order.ts"
import type { Trade } from "../../src/domain/Trade.ts"
import { audit } from "../../src/trading/audit/Audit.ts"
import type { OrderedFill } from "../../src/trading/audit/Books.ts"
import * as Bot from "../../src/trading/Bot.ts"
import * as Ledger from "../../src/trading/books/Ledger.ts"
import type { Decision, Event } from "../../src/trading/Decision.ts"
import { onPaper } from "../../src/trading/LiveSwitch.ts"
import * as Performance from "../../src/trading/Performance.ts"
import { leaves, type Window, watch } from "../../src/trading/Watch.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { MINUTE, market, settings } from "./scenario.ts"
import { type Draw, drawing } from "./world.ts"

const ids: ReadonlyArray<MarketId> = [SPOT, SWAP]
const money = Decimal.unsafeFromText
const TYPES: ReadonlyArray<AlertType> = ["buy", "buy", "sell", "long", "short", "close_long", "close_short"]

const chosen = (draw: Draw) =>
  settings({
    takerFeePercent: draw.pick(0, 0.1),
    makerFeePercent: 0,
    buyPercent: draw.pick(50, 20, 5),
    ...(draw.chance(0.4) ? { minProfitPercent: draw.between(0.5, 5) } : {}),
    ...(draw.chance(0.3) ? { trailingBuy: { percent: draw.between(0.5, 3) } } : {}),
    ...(draw.chance(0.5)
      ? {
          dca: {
            waitMinutes: draw.pick(0, 1),
            maxRetries: 5,
            triggerPercent: 1,
            orderSizePercent: draw.pick(50, 200)
          }
        }
      : {}),
    ...(draw.chance(0.3) ? { trailingSell: { armPercent: 1, percent: 1 } } : {}),
    ...(draw.chance(0.7) ? { stopLoss: { percent: draw.between(1, 10) } } : {}),
    ...(draw.chance(0.2)
      ? { balanceStopLoss: { triggerPercent: draw.between(1, 9), cooldownMinutes: 5 } }
      : {}),
    ...(draw.chance(0.2) ? { autoClose: { minutes: draw.pick(3, 30) } } : {}),
    ...(draw.chance(0.4) ? steps(draw) : {})
  })

/** Steps of a strategy's own, and a stop at break even after them or after those of ladders. */
const steps = (draw: Draw) => {
  const count = draw.pick(1, 2, 3)
  const closePercent = draw.pick(100 / count, 20, 1)
  return {
    takeProfitSteps: Array.from({ length: count }, (_, index) => ({
      profitPercent: draw.between(0.2, 1) + index,
      closePercent: Math.floor(closePercent * 100) / 100
    })),
    ...(draw.chance(0.7) ? { breakEvenAfter: draw.pick(1, count) } : {})
  }
}

/** What went wrong, in words: the bot broke a rule that nothing may break. */
export interface Broken {
  readonly seed: number
  readonly text: string
}

/** A life of one bot, from its seed; what it did that it must not. */
export class Venue {
  readonly broken: Array<Broken> = []
  readonly live: Live
  /** Orders at the exchange by id, with what is left of each; and those that are being taken back. */
  readonly open = new Map<OrderId, { readonly order: Order; left: Decimal.Decimal }>()
  readonly ending = new Set<OrderId>()
  readonly counts: Record<string, number> = {}
  readonly #seed: number
  readonly #draw: Draw
  readonly #intents = new Map<OrderId, Order>()
  readonly #fills: Array<OrderedFill> = []
  readonly #postings: Array<Ledger.Posting> = []
  readonly #trades: Array<Trade> = []
  readonly #turnedDown = new Map<string, { readonly type: Order["type"]; readonly at: number }>()
  #windows: ReadonlyMap<string, Window> = new Map()
  #tally: Performance.Tally
  #price = 100

  constructor(seed: number) {
    this.#seed = seed
    this.#draw = drawing(seed)
    const steps = {
      amountStep: this.#draw.pick("0.000001", "0.01"),
      priceStep: this.#draw.pick("0.01", "0.5"),
      minCost: this.#draw.pick("0", "5", "50")
    }
    this.live = new Live(chosen(this.#draw), (id) => market(id, steps))
    this.#tally = Performance.begin(this.live.state.cash, 0)
    this.#postings.push(Ledger.opening(this.live.state.cash, 0))
    this.#priced()
  }

  run(events: number): this {
    for (let i = 0; i < events && this.broken.length === 0; i++) this.#step()
    if (this.broken.length === 0) for (const text of audited(this.books())) this.#fail(text)
    return this
  }

  #fail(text: string): void {
    this.broken.push({ seed: this.#seed, text })
  }

  #priced(): void {
    for (const id of ids) if (!this.#draw.chance(0.02)) this.live.quote(id, this.#price)
  }

  #step(): void {
    const draw = this.#draw
    const { live } = this
    this.#windows = watch(live.context, live.state)
    const isFlat = Bot.isFlat(live.state) && this.open.size === 0
    if (isFlat && live.state.live?.leaving === true) return this.#begin(false)
    if (isFlat && live.state.live === undefined) return this.#begin(true)
    live.now += draw.pick(0, 100, 1_000, 20_000, MINUTE)
    const roll = draw.next()
    if (roll < 0.35) return this.#tick()
    if (roll < 0.45) return this.#alert()
    if (roll < 0.85) return this.#report()
    if (roll < 0.87) return this.#halt()
    if (roll < 0.9) return this.#retold()
    if (roll < 0.93)
      return void this.decide({ _tag: draw.pick("Astray", "Found"), market: draw.pick(SPOT, SWAP) })
    if (roll < 0.94) {
      live.now += 1_440 * MINUTE * draw.pick(1, 3)
      return void this.decide({ _tag: "Time" })
    }
    if (roll < 0.96) return void live.blind(draw.pick(SPOT, SWAP))
    if (roll < 0.966)
      return void this.decide({ _tag: "Disarmed", close: draw.chance(0.5), forget: draw.chance(0.5) })
    return void this.decide({ _tag: "Time" })
  }

  /** A new period: what was left goes out, the capital comes in. */
  #begin(isLive: boolean): void {
    const { live } = this
    live.now += MINUTE
    const left = live.state.cash
    if (isLive)
      live.arm({
        capital: "5000",
        maxOrder: this.#draw.pick("600", "2000"),
        maxDailyLoss: this.#draw.pick("100", "1000"),
        protect: this.#draw.chance(0.8)
      })
    else live.state = onPaper(live.state, money("10000"))
    if (!Decimal.isZero(left)) this.#postings.push(Ledger.opening(Decimal.negate(left), live.now))
    this.#postings.push(Ledger.opening(live.state.cash, live.now))
    this.#tally = Performance.begin(live.state.cash, live.now)
  }

  #tick(): void {
    this.#price = Math.round(this.#price * (1 + (this.#draw.next() - 0.5) * 0.04) * 100) / 100
    if (this.#price < 20 || this.#price > 500) this.#price = 100
    this.#priced()
    const { now } = this.live
    // While everything is being closed nothing is entered: a day that trips is told with the next event.
    const isLeft =
      this.live.state.closing !== undefined ||
      ids.some((id) => {
        const ticker = this.live.context.quote(id)
        const window = this.#windows.get(marketKey(id))
        return window !== undefined && (ticker === undefined || leaves(window, ticker, now))
      })
    const before = this.live.decisions.length
    for (const id of ids) this.decide({ _tag: "Price", market: id, rules: "all" })
    for (const { cancels, notes, orders } of isLeft ? [] : this.live.decisions.slice(before))
      if (cancels.length + notes.length + orders.length > 0) this.#fail("decided inside of its window")
  }

  #alert(): void {
    const type = TYPES[Math.floor(this.#draw.next() * TYPES.length)] ?? "buy"
    const target = (sign: number) =>
      Math.round(this.#price * (1 + (sign * this.#draw.between(0.5, 8)) / 100) * 100) / 100
    const sign = type === "short" ? -1 : 1
    const before = this.live.decisions.length
    const was = this.#before()
    const whole = this.#draw.pick(100, 60)
    const prices = [target(sign), target(sign)].sort((one, other) => sign * (one - other))
    const tps = prices.map((price, index) => ({ price: price + sign * index, percent: whole / 2 }))
    this.live.alert(type, {
      ...(this.#draw.chance(0.3) ? (this.#draw.chance(0.5) ? { tp: target(sign) } : { tps }) : {}),
      ...(this.#draw.chance(0.3) ? { sl: target(-sign) } : {})
    })
    for (const decision of this.live.decisions.slice(before)) this.#taken(decision, was)
  }

  #halt(): void {
    this.live.halted = !this.live.halted
    this.decide({ _tag: "SettingsChanged" })
  }

  #retold(): void {
    this.live.chosen = chosen(this.#draw)
    this.decide({ _tag: "SettingsChanged" })
  }

  /** The exchange says something of one of its orders. */
  #report(): void {
    const all = [...this.open.values()]
    const one = all[Math.floor(this.#draw.next() * all.length)]
    if (one === undefined) return
    const { order } = one
    if (order.type === "stop" && !this.ending.has(order.id) && this.#draw.chance(0.7)) return
    const roll = this.#draw.next()
    if (roll < 0.05) return void this.decide({ _tag: "Accepted", market: order, order: order.id })
    if (roll < 0.1) return void this.decide({ _tag: "Unknown", market: order, order: order.id })
    const isEnding = this.ending.has(order.id)
    if (roll < (isEnding ? 0.7 : 0.3)) return this.#gone(order)
    this.#filled(one, roll > 0.6)
  }

  #gone(order: Order): void {
    const isUntouched = this.open.get(order.id)?.left === order.quantity
    const how = isUntouched ? this.#draw.pick("Rejected", "Missing", "Cancelled") : "Cancelled"
    if (order.purpose === "exit" && isUntouched && order.live !== undefined && !this.ending.has(order.id))
      this.#turnedDown.set(marketKey(order), { type: order.type, at: this.live.now })
    this.#end(order)
    this.decide({ _tag: how, market: order, order: order.id })
  }

  #filled(one: { readonly order: Order; left: Decimal.Decimal }, isWhole: boolean): void {
    const { order } = one
    const part = isWhole ? one.left : Decimal.round(Decimal.multiply(one.left, money("0.4")), 6)
    if (!Decimal.isPositive(part)) return this.#gone(order)
    one.left = Decimal.subtract(one.left, part)
    const done = isWhole || this.#draw.chance(0.3)
    if (done) this.#end(order)
    // A fee in the coin bought is off what arrives.
    const inCoin = order.side === "buy" && order.purpose !== "exit" && this.#draw.chance(0.3)
    const quantity = inCoin ? Decimal.multiply(part, money("0.999")) : part
    const price = Decimal.fromNumber(order.price)
    const notional = Decimal.multiply(quantity, price)
    const amount = Decimal.multiply(part, money("0.001"))
    const fee = inCoin ? Decimal.multiply(amount, price) : Decimal.zero
    const { exchange, id, kind, pair, side } = order
    const fill: Fill = {
      order: id,
      id: `${this.#fills.length}`,
      ...{ exchange, pair, kind, side, quantity, price: order.price, notional, fee, at: this.live.now },
      ...(inCoin ? { paid: { asset: "BTC", amount, rate: price } } : {})
    }
    this.#fills.push({ fill, order: this.#intents.get(id) })
    this.#turnedDown.delete(marketKey(order))
    this.decide({ _tag: "Filled", market: order, fill, done })
  }

  #end({ id }: Order): void {
    this.open.delete(id)
    this.ending.delete(id)
  }

  #before() {
    const { halted, state } = this.live
    return { halted, state }
  }

  decide(event: Event): void {
    const was = this.#before()
    this.#taken(this.live.decide(event), was)
  }

  #taken(
    decision: Decision,
    { halted, state }: { readonly halted: boolean; readonly state: BotState }
  ): void {
    const { now } = this.live
    this.#postings.push(...decision.postings)
    this.#trades.push(...decision.trades)
    for (const trade of decision.trades) this.#tally = Performance.add(this.#tally, trade)
    for (const note of decision.notes) this.counts[note.rule] = (this.counts[note.rule] ?? 0) + 1
    for (const stop of decision.cancels) {
      if (this.ending.has(stop.id)) this.#fail("a stop is taken back twice")
      if (!this.open.has(stop.id)) this.#fail("what is not there is taken back")
      this.ending.add(stop.id)
    }
    for (const order of decision.orders) {
      const key = marketKey(order)
      const there = [...this.open.values()].filter((it) => marketKey(it.order) === key).map((it) => it.order)
      const slot = this.live.state.slots[key]
      const { live } = this.live.state
      if (this.#intents.has(order.id)) this.#fail("an order of an id that was")
      if (slot?.astray !== undefined) this.#fail("ordered where a coin went astray")
      if ((order.live === undefined) !== (live === undefined)) this.#fail("sent to where it does not belong")
      if (order.type === "stop") {
        if (there.length > 0) this.#fail("a stop beside another order")
        if (live?.protect !== true) this.#fail("a stop that nobody asked for")
        const held = slot?.position?.quantity ?? Decimal.zero
        if (Decimal.greaterThan(order.quantity, held)) this.#fail("a stop of more than is held")
      } else {
        if (there.some(({ type }) => type !== "stop")) this.#fail("two orders in flight")
        if (order.purpose === "exit" && there.length > 0) this.#fail("an exit beside its stop")
      }
      if (order.purpose === "exit") {
        const last = this.#turnedDown.get(key)
        if (last?.type === order.type && now - last.at < 1_000) this.#fail("an exit sent again at once")
      } else {
        const before = state.live
        if (halted) this.#fail("entered while halted")
        if (before?.leaving === true) this.#fail("entered while leaving")
        if (live?.day?.tripped === true) this.#fail("entered on a day that lost too much")
        if (live !== undefined && Decimal.greaterThan(order.reserved, live.maxOrder)) this.#fail("too large")
      }
      this.#intents.set(order.id, order)
      this.open.set(order.id, { order, left: order.quantity })
    }
    for (const [key, slot] of Object.entries(this.live.state.slots)) {
      const { order, position, stop } = slot
      for (const one of [order, stop])
        if (one !== undefined && !this.open.has(one.id))
          this.#fail(`${key} waits for an order that has ended`)
      if (stop !== undefined && slot.stopEnding !== true && slot.astray === undefined)
        if (position === undefined || Decimal.greaterThan(stop.quantity, position.quantity))
          this.#fail("a stop of more than is held rests")
    }
  }

  /** All that was written down. */
  books(): Written {
    return {
      state: this.live.state,
      tally: this.#tally,
      inFlight: [...this.open.values()].map(({ order }) => order),
      postings: this.#postings,
      fills: this.#fills,
      trades: this.#trades
    }
  }
}

/** Books as plain lists: a test may spoil them. */
export interface Written {
  readonly state: BotState
  readonly tally: Performance.Tally
  readonly inFlight: ReadonlyArray<Order>
  readonly postings: ReadonlyArray<Ledger.Posting>
  readonly fills: ReadonlyArray<OrderedFill>
  readonly trades: ReadonlyArray<Trade>
}

/** What is wrong with books, each in a line. */
export const audited = ({
  fills,
  inFlight,
  postings,
  state,
  tally,
  trades
}: Written): ReadonlyArray<string> => {
  const rows = function* <A>(values: ReadonlyArray<A>) {
    for (const [index, value] of values.entries()) yield { id: index + 1, value }
  }
  const findings = audit({
    bot: { state, tally },
    inFlight: new Map(inFlight.map((order) => [order.id, order])),
    createdAt: 0,
    postings: rows(postings),
    fills: rows(fills),
    trades: rows(trades)
  })
  return [...findings].flatMap((it) => (it === "pause" ? [] : [`${it.table} ${it.row ?? ""}: ${it.text}`]))
}
