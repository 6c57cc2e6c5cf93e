// A stub exchange whose prices follow a case, and which remembers every quote.
import { type KnownExchange, Pair } from "../../../src/domain/Market.ts"
import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { binance } from "../../exchanges/binance.ts"
import { bitget } from "../../exchanges/bitget.ts"
import { bybit } from "../../exchanges/bybit.ts"
import { coinbase } from "../../exchanges/coinbase.ts"
import { kraken } from "../../exchanges/kraken.ts"
import { kucoin } from "../../exchanges/kucoin.ts"
import { okx } from "../../exchanges/okx.ts"
import { type Protocol, type Quote, type Slot, type StubMarket, slotKey } from "../../exchanges/Protocol.ts"
import { Stub } from "../../exchanges/Stub.ts"

const PROTOCOLS: ReadonlyArray<Protocol> = [binance, bybit, okx, kraken, coinbase, kucoin, bitget]
const COINS = ["BTC", "ETH", "SOL", "XRP"] as const
export type Coin = (typeof COINS)[number]
const STEPS = { priceStep: "0.01", amountStep: "0.00001", minAmount: "0.00001", minCost: "5" }

/** How often each market is quoted. */
const EVERY_MS = 100
/** The spread of quotes around a case's price, so that no two are equal. */
const WOBBLE = 1e-4

/** A sent quote. A planted bad one must not be traded on. */
interface Said extends Quote {
  readonly at: number
  readonly isGood: boolean
}

export class Venue {
  readonly name: KnownExchange
  readonly stub: Stub
  readonly currency: "USD" | "USDT"
  readonly markets: ReadonlyArray<StubMarket>
  readonly #said = new Map<string, Array<Said>>()
  readonly #courses = new Map<string, Quote>()
  readonly #held = new Set<string>()
  readonly #dice: SeededRandom
  readonly #timer: Timer
  #isDown = false

  private constructor(
    name: KnownExchange,
    stub: Stub,
    markets: ReadonlyArray<StubMarket>,
    dice: SeededRandom
  ) {
    this.name = name
    this.stub = stub
    this.currency = currencyOf(name)
    this.markets = markets
    this.#dice = dice
    for (const market of markets) this.move(market, 100)
    this.#tick()
    this.#timer = setInterval(() => this.#tick(), EVERY_MS)
  }

  static async start(protocol: Protocol, dice: SeededRandom): Promise<Venue> {
    const pairs = COINS.map((coin) => Pair.make(`${coin}/${currencyOf(protocol.name)}`))
    const markets = pairs.flatMap((pair): ReadonlyArray<StubMarket> => {
      const spot = { pair, kind: "spot", ...STEPS } as const
      return currencyOf(protocol.name) === "USD" ? [spot] : [spot, { ...spot, kind: "swap" }]
    })
    return new Venue(protocol.name, await Stub.start(protocol, markets), markets, dice)
  }

  /** All seven. */
  static all(dice: SeededRandom): Promise<ReadonlyArray<Venue>> {
    return Promise.all(PROTOCOLS.map((protocol) => Venue.start(protocol, dice)))
  }

  spot(coin: Coin): Slot {
    return { ...slotOf(this.name, coin), kind: "spot" }
  }

  /** The perpetual, or the spot market if the exchange has none for us. */
  swap(coin: Coin): Slot {
    return slotOf(this.name, coin)
  }

  get hasSwaps(): boolean {
    return this.currency === "USDT"
  }

  /** Quotes prices around this one from now on. */
  move(slot: Slot, price: number): void {
    this.shape(slot, { bid: price * 0.9998, ask: price * 1.0002, last: price })
  }

  shape(slot: Slot, quote: Quote): void {
    this.#courses.set(slotKey(slot), quote)
  }

  /** Stops sending a market's prices. */
  hold(slot: Slot): void {
    this.#held.add(slotKey(slot))
  }

  release(slot: Slot): void {
    this.#held.delete(slotKey(slot))
  }

  say(slot: Slot, quote: Quote, isGood = true): void {
    const key = slotKey(slot)
    const said = this.#said.get(key) ?? []
    said.push({ ...quote, at: Date.now(), isGood })
    this.#said.set(key, said)
    this.stub.quote(slot, quote)
  }

  /** Whether a good quote had this price on this side at any time from one moment (ms) to another. */
  quoted(key: string, side: "bid" | "ask", price: number, from: number, to: number): boolean {
    const said = this.#said.get(key) ?? []
    return said.some(
      ({ at, isGood, [side]: its }, index) =>
        isGood && its === price && at <= to && (said[index + 1]?.at ?? Number.POSITIVE_INFINITY) >= from
    )
  }

  /** Whether a good quote with this middle was sent since (ms). No two are equal. */
  saidSince(slot: Slot, middle: number, since: number): boolean {
    const said = this.#said.get(slotKey(slot)) ?? []
    return said.some(
      ({ ask, at, bid, isGood }) => isGood && at >= since && Math.abs((bid + ask) / 2 - middle) < 1e-7
    )
  }

  /** How many lines each market is subscribed on, by `CHANNEL MARKET`. */
  subscribed(): ReadonlyMap<string, number> {
    return new Map(
      this.stub.channels.flatMap((channel) =>
        [...this.stub.subscriptions(channel)].map(([key, lines]) => [`${channel} ${key}`, lines] as const)
      )
    )
  }

  /** Connections are refused from now on. */
  async down(): Promise<void> {
    this.#isDown = true
    await this.stub.down()
  }

  async up(): Promise<void> {
    this.#isDown = false
    await this.stub.up()
  }

  /** Ends all faults. */
  async heal(): Promise<void> {
    if (this.#isDown) await this.up()
    Object.assign(this.stub.faults, {
      silent: false,
      refuse: false,
      rest: undefined,
      truncated: false,
      nonsense: false,
      hang: false
    })
    this.stub.thaw()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.stub.stop()
  }

  #tick(): void {
    for (const market of this.markets) {
      const key = slotKey(market)
      const course = this.#courses.get(key)
      if (course === undefined || this.#held.has(key)) continue
      const factor = 1 + this.#dice.between(-WOBBLE, WOBBLE)
      const wobbled = (price: number) => Math.round(price * factor * 1e6) / 1e6
      this.say(market, { bid: wobbled(course.bid), ask: wobbled(course.ask), last: wobbled(course.last) })
    }
  }
}

/** The main currency there; we support perpetuals only at exchanges that trade for USDT. */
export const currencyOf = (name: KnownExchange): "USD" | "USDT" =>
  name === "kraken" || name === "coinbase" ? "USD" : "USDT"

/** A coin's perpetual if the exchange has one, else its spot market. */
export const slotOf = (name: KnownExchange, coin: Coin): Slot => {
  const currency = currencyOf(name)
  return { pair: Pair.make(`${coin}/${currency}`), kind: currency === "USDT" ? "swap" : "spot" }
}
