// A stub exchange on the loopback interface that accepts orders, with markets as the program knows them.
import * as Option from "effect/Option"
import { find } from "../../../src/domain/catalogue/Catalogue.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import {
  baseOf,
  EXCHANGE_NAMES,
  type KnownExchange,
  type MarketKind,
  Pair
} from "../../../src/domain/Market.ts"
import {
  type Quote,
  type RestRequest,
  type Slot,
  type StubMarket,
  slotKey
} from "../../exchanges/Protocol.ts"
import type { Desk } from "../../exchanges/private/Desk.ts"
import { protocols } from "../../exchanges/protocols.ts"
import { Stub } from "../../exchanges/Stub.ts"
import { currencyOf } from "../prices/Venue.ts"

/** Coins that all seven exchanges trade for the main currency. */
export const COINS = [
  ...["BTC", "ETH", "SOL", "XRP", "ADA", "LTC", "LINK"],
  ...["AVAX", "DOT", "BCH", "AAVE", "UNI", "ETC", "SUI"]
] as const
export type Coin = (typeof COINS)[number]

/** How often each market is quoted, and its first price. */
const EVERY_MS = 200
const PRICE = 100
const SPREAD = 0.0002
/** The account's balance of the main currency. */
const FUNDS = "100000"

export class Venue {
  readonly name: KnownExchange
  readonly stub: Stub
  readonly currency: "USD" | "USDT"
  readonly markets: ReadonlyArray<StubMarket>
  readonly #prices = new Map<string, number>()
  readonly #published = new Set<string>()
  readonly #timer: Timer
  #prints = 0

  private constructor(name: KnownExchange, stub: Stub, markets: ReadonlyArray<StubMarket>) {
    this.name = name
    this.stub = stub
    this.currency = currencyOf(name)
    this.markets = markets
    this.desk.book.funds.set(this.currency, FUNDS)
    for (const market of markets) this.#prices.set(slotKey(market), PRICE)
    this.#tick()
    this.#timer = setInterval(() => this.#tick(), EVERY_MS)
  }

  static async start(name: KnownExchange): Promise<Venue> {
    const markets = (["spot", "swap"] as const).flatMap((kind) =>
      COINS.flatMap((coin) => marketOf(name, coin, kind))
    )
    return new Venue(name, await Stub.start(protocols[name], markets), markets)
  }

  /** All seven. */
  static all(): Promise<ReadonlyArray<Venue>> {
    return Promise.all(EXCHANGE_NAMES.map(Venue.start))
  }

  get desk(): Desk {
    return this.stub.desk
  }

  slot(coin: Coin, kind: MarketKind = "spot"): Slot {
    return { pair: Pair.make(`${coin}/${this.currency}`), kind }
  }

  market(slot: Slot): StubMarket {
    const found = this.markets.find((market) => slotKey(market) === slotKey(slot))
    if (found === undefined) throw new Error(`${this.name} has no ${slotKey(slot)}`)
    return found
  }

  /** Whether a request is about a market: it names it, or one of its orders. */
  readonly concerns = (slot: Slot) => {
    const name = nameOf(baseOf(slot.pair))
    return ({ body, target }: RestRequest): boolean => {
      const text = `${decodeURIComponent(target)} ${body}`
      return name.test(text) || this.#idsOf(slot).some((id) => text.includes(id))
    }
  }

  #idsOf(slot: Slot): ReadonlyArray<string> {
    return this.desk.book.orders
      .filter(({ ticket }) => slotKey(ticket.market) === slotKey(slot))
      .flatMap(({ id, ticket }) => (ticket.clientId === undefined ? [id] : [id, ticket.clientId]))
  }

  /** Quotes prices around this one from now on. */
  move(slot: Slot, price: number): void {
    this.#prices.set(slotKey(slot), price)
    this.#say(this.market(slot))
  }

  /** Quotes a market without a spread from now on, and publishes a trade with each quote: candles are recorded of it. */
  publish(slot: Slot): void {
    this.#published.add(slotKey(slot))
    this.#say(this.market(slot))
  }

  /** Ends all faults. */
  heal(): void {
    const { desk } = this
    desk.troubles.clear()
    desk.watch = () => {}
    desk.ban(0)
    desk.skewMs = 0
    desk.isRevoked = false
    Object.assign(desk.permissions, { trade: true, withdraw: false })
    Object.assign(desk.book, { hideMs: 0, lateFillsMs: 0, doubleFills: false, patient: false })
    Object.assign(desk.book, { fillsBeforeCancel: false, ids: undefined })
    for (const market of this.markets) {
      desk.book.supply(market, undefined)
      desk.book.slip(market, "0")
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.stub.stop()
  }

  #tick(): void {
    for (const market of this.markets) this.#say(market)
  }

  #say(market: StubMarket): void {
    const quote = this.quoteOf(market)
    this.stub.quote(market, quote)
    if (!this.#published.has(slotKey(market))) return
    const id = String(++this.#prints)
    this.stub.print(market, { price: quote.last, amount: 1, side: "buy", at: Date.now(), id })
  }

  /** The quotes, on the market's steps as at exchanges. */
  quoteOf(slot: Slot): Quote {
    const price = this.#prices.get(slotKey(slot)) ?? PRICE
    const step = Decimal.unsafeFromText(this.market(slot).priceStep)
    const on = (value: number) =>
      Decimal.toNumber(Decimal.floorToStep(Decimal.fromNumber(Number(value.toFixed(8))), step))
    const spread = this.#published.has(slotKey(slot)) ? 0 : SPREAD
    return { bid: on(price * (1 - spread)), ask: on(price * (1 + spread)), last: on(price) }
  }
}

const marketOf = (name: KnownExchange, coin: Coin, kind: MarketKind): ReadonlyArray<StubMarket> => {
  const pair = Pair.make(`${coin}/${currencyOf(name)}`)
  const known = Option.getOrUndefined(find({ exchange: name, pair, kind }))
  if (known === undefined) return []
  const { amountStep, minAmount, minCost, priceStep } = known
  return [
    {
      ...{ pair, kind, makerFee: 0.0004, takerFee: 0.001 },
      priceStep: Decimal.toText(priceStep),
      amountStep: Decimal.toText(amountStep),
      minAmount: Decimal.toText(minAmount),
      minCost: Decimal.toText(minCost),
      ...(kind === "swap" ? { contractSize: Decimal.toText(amountStep) } : {})
    }
  ]
}

/** A coin's market in each exchange's spelling. */
const nameOf = (coin: string) => new RegExp(`(^|[^A-Z])X?${coin === "BTC" ? "(BTC|XBT)" : coin}[-_/]?Z?USD`)
