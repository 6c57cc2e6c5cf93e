import * as Schema from "effect/Schema"
import type { AlertType } from "../../src/domain/Alert.ts"
import { ArmedTerms } from "../../src/domain/Arming.ts"
import type { BotState, Slot } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { type Market, type MarketId, marketKey } from "../../src/domain/Market.ts"
import { type Order, OrderId } from "../../src/domain/Order.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import { ofLast, type Ticker } from "../../src/domain/Ticker.ts"
import { ENDLESS_PATIENCE } from "../../src/trading/AlertPatience.ts"
import * as Bot from "../../src/trading/Bot.ts"
import { feesOf } from "../../src/trading/books/Fees.ts"
import * as Matching from "../../src/trading/books/Matching.ts"
import type { BotAlert, Context, Decision, Event } from "../../src/trading/Decision.ts"
import { armed } from "../../src/trading/LiveSwitch.ts"
import type { Approved } from "../../src/trading/Risk.ts"
import { route } from "../../src/trading/Routing.ts"
import { BTC, MINUTE, market, settings } from "./scenario.ts"

export const SPOT: MarketId = { exchange: "binance", pair: BTC, kind: "spot" }
export const SWAP: MarketId = { exchange: "binance", pair: BTC, kind: "swap" }

/** A bot as a server runs it: one event after another, orders answered by hand or filled at once. */
export class Live {
  state: BotState
  readonly decisions: Array<Decision> = []
  now = 0
  halted = false
  own: Context["own"]
  /** Perpetuals that another strategy is on, by key. */
  readonly inUse = new Set<string>()
  private readonly quotes = new Map<string, Ticker>()
  private alerts = 0
  private orders = 0
  private fills = 0

  chosen: Settings
  private readonly found: (id: MarketId) => Market | undefined

  constructor(chosen = settings(), found: (id: MarketId) => Market | undefined = (id) => market(id)) {
    this.chosen = chosen
    this.found = found
    this.state = Bot.start(chosen.quote, Decimal.unsafeFromText("10000"))
  }

  get context(): Context {
    const fees = { makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero }
    return {
      now: this.now,
      settings: this.chosen,
      market: this.found,
      fees: () => feesOf(this.chosen, fees),
      quote: (id) => this.quotes.get(marketKey(id)),
      feed: marketKey,
      rank: Bot.rankBy(this.chosen),
      orderId: (index) => OrderId.make(`${this.orders}-${index}`),
      isPerpetualInUse: (id) => this.inUse.has(marketKey(id)),
      ...(this.halted ? { halted: true } : {}),
      own: this.own
    }
  }

  /** Trades with real money from now on. */
  arm(over: Partial<typeof ArmedTerms.Encoded> = {}): this {
    const terms = { account: 7, capital: "10000", maxOrder: "10000", maxDailyLoss: "10000", protect: false }
    this.state = armed(this.state, Schema.decodeUnknownSync(ArmedTerms)({ ...terms, ...over }), this.now, {
      tag: "00ff"
    })
    return this
  }

  slot(id: MarketId = SPOT): Slot | undefined {
    return this.state.slots[marketKey(id)]
  }

  /** No price is known any more. */
  blind(id: MarketId): this {
    this.quotes.delete(marketKey(id))
    return this
  }

  /** What an exchange says of an order: a part of it filled at a price, with a fee. */
  part(order: Order, quantity: string, price: number, done: boolean, fee = "0"): Decision {
    const amount = Decimal.unsafeFromText(quantity)
    const notional = Decimal.multiply(amount, Decimal.fromNumber(price))
    const { exchange, id, kind, pair, side } = order
    const paid = { notional, fee: Decimal.unsafeFromText(fee), at: this.now }
    const fill = {
      order: id,
      id: `${++this.fills}`,
      exchange,
      pair,
      kind,
      side,
      quantity: amount,
      price,
      ...paid
    }
    return this.decide({ _tag: "Filled", market: order, fill, done })
  }

  /** An order comes to nothing more. */
  end(order: Order, how: "Rejected" | "Cancelled" | "Missing" = "Cancelled"): Decision {
    return this.decide({ _tag: how, market: order, order: order.id })
  }

  /** Sets the price of a market without telling the bot. */
  quote(id: MarketId, price: number | Ticker): this {
    this.quotes.set(marketKey(id), typeof price === "number" ? ofLast(price, this.now) : price)
    return this
  }

  decide(event: Event): Decision {
    this.orders++
    const decision = Bot.decide(this.context, this.state, event)
    this.state = Bot.apply(this.state, decision)
    this.decisions.push(decision)
    return decision
  }

  /** A price at a minute; orders are left in flight. */
  tick(id: MarketId, price: number | Ticker, minute = this.now / MINUTE): Decision {
    this.now = minute * MINUTE
    this.quote(id, price)
    return this.decide({ _tag: "Price", market: id, rules: "all" })
  }

  /** An alert, routed and decided; the answer's reason, or what it waits for. */
  alert(type: AlertType, more: Partial<BotAlert> = {}): string {
    const alert: BotAlert = { id: ++this.alerts, type, pair: BTC, at: this.now, ...more }
    const routed = route(this.context, this.state, alert, {
      patience: ENDLESS_PATIENCE,
      since: this.context.now
    })
    if (routed._tag === "Answered") return routed.reason
    if (routed._tag === "Waiting") return `waits for ${routed.on}`
    const { alert: answer } = this.decide({
      _tag: "Alert",
      alert,
      market: routed.market,
      entry: routed.entry
    })
    return answer?._tag === "Answered" ? answer.reason : `waits for ${answer?.on}`
  }

  /** Fills what a decision ordered, whole and at once, and whatever that leads to; all orders in their order. */
  fillAll(decision = this.decisions.at(-1)): ReadonlyArray<Approved> {
    const queue = [...(decision?.orders ?? [])]
    const filled: Array<Approved> = []
    for (let order = queue.shift(); order !== undefined; order = queue.shift()) {
      const fill = Matching.fill(order, this.context.fees(order), this.now)
      filled.push(order)
      queue.push(...this.decide({ _tag: "Filled", market: order, fill, done: true }).orders)
    }
    return filled
  }
}
