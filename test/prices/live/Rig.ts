import * as Pauses from "../../../src/ccxt/Pauses.ts"
import type { MarketKind } from "../../../src/domain/Market.ts"
import { Pair } from "../../../src/domain/Market.ts"
import { Session } from "../../../src/prices/streaming/Session.ts"
import type { FeedMessage, QuoteRow, TradeRow } from "../../../src/prices/streaming/Wire.ts"
import type { Protocol, Slot, StubMarket } from "../../exchanges/Protocol.ts"
import { Stub } from "../../exchanges/Stub.ts"

export interface Quoted {
  readonly number: number
  readonly bid: number
  readonly ask: number
  readonly last: number
  readonly at: number
}
export interface Traded {
  readonly number: number
  readonly price: number
  readonly amount: number
  readonly at: number
}

/** A session beside a stub of its exchange, with a clock that can be set forward and back. */
export class Rig {
  readonly stub: Stub
  readonly markets: ReadonlyArray<StubMarket>
  readonly session: Session
  readonly pauses = Pauses.make()
  readonly quotes: Array<Quoted> = []
  readonly trades: Array<Traded> = []
  readonly told: Array<FeedMessage> = []
  readonly #look: Timer
  readonly #name: Protocol["name"]
  #set = 0

  private constructor(protocol: Protocol, stub: Stub, markets: ReadonlyArray<StubMarket>) {
    this.stub = stub
    this.markets = markets
    this.#name = protocol.name
    const ear = {
      quote: ([number, bid, ask, last, at]: QuoteRow) => this.quotes.push({ number, bid, ask, last, at }),
      trade: ([number, price, amount, at]: TradeRow) => this.trades.push({ number, price, amount, at }),
      send: (told: FeedMessage) => this.told.push(told),
      now: this.now
    }
    this.session = new Session(protocol.name, stub.url, ear, this.pauses)
    this.#look = setInterval(() => this.session.check(), 10)
  }

  /** Markets as `BTC/USDT` or, perpetual, `BTC/USDT:USDT`; their numbers are their places. */
  static readonly start = async (protocol: Protocol, ...symbols: ReadonlyArray<string>): Promise<Rig> => {
    const markets = symbols.map(marketOf)
    return new Rig(protocol, await Stub.start(protocol, markets), markets)
  }

  readonly now = (): number => Date.now() + this.#set

  /** Sets the clock forward, or back. */
  readonly set = (ms: number): void => {
    this.#set += ms
  }

  readonly want = (...numbers: ReadonlyArray<number>): void => {
    const markets = numbers.map((number) => ({ number, ...this.market(number) }))
    this.session.want({
      exchange: this.#name,
      base: this.stub.url,
      trades: true,
      pauses: this.pauses.memory,
      markets
    })
  }

  readonly market = (number: number): StubMarket => {
    const market = this.markets[number]
    if (market === undefined) throw new Error(`no market ${number}`)
    return market
  }

  /** The exchange tells a price, as bid, with the ask 1 and the last 0.5 above. */
  readonly say = (number: number, price: number): void =>
    this.stub.quote(this.market(number), { bid: price, ask: price + 1, last: price + 0.5 })

  /** Says it again and again until it is heard, and waits until nothing of it is under way any more. */
  readonly heard = async (number: number, price: number): Promise<void> => {
    await until(() => {
      this.say(number, price)
      return this.bids(number).includes(price)
    }, `the bid ${price} of market ${number}`)
    for (let before = -1; before < this.quotes.length; await Bun.sleep(25)) before = this.quotes.length
  }

  readonly bids = (number: number): ReadonlyArray<number> =>
    this.quotes.filter((quote) => quote.number === number).map(({ bid }) => bid)

  readonly health = () => {
    const healths = this.told.flatMap((told) => (told._tag === "Health" ? [told.health] : []))
    return healths.at(-1)
  }

  readonly [Symbol.asyncDispose] = async (): Promise<void> => {
    clearInterval(this.#look)
    this.session.end()
    await this.stub.stop()
  }
}

const marketOf = (symbol: string): StubMarket => {
  const [pair = ""] = symbol.split(":")
  const kind: MarketKind = symbol.includes(":") ? "swap" : "spot"
  return {
    ...{ pair: Pair.make(pair), kind, priceStep: "0.01", amountStep: "0.0001", minAmount: "0.0001" },
    ...{ minCost: "5", ...(kind === "swap" ? { contractSize: "0.01" } : {}) }
  }
}

/** Loading seven exchanges' libraries at once takes ten seconds on a machine that is busy with other tests. */
const PATIENCE_MS = 45_000

export const until = async (holds: () => boolean, what: string): Promise<void> => {
  const end = Date.now() + PATIENCE_MS
  while (!holds()) {
    if (Date.now() > end) throw new Error(`${what}: waited for in vain`)
    await Bun.sleep(5)
  }
}

/** The same protocol, but for what the exchange does not list while the function says so. */
export const hiding = (protocol: Protocol, isHidden: (market: Slot) => boolean): Protocol => ({
  ...protocol,
  rest: (request, { markets, now, prints, quote, url }) =>
    protocol.rest(request, {
      now,
      prints,
      quote,
      url,
      markets: markets.filter((market) => !isHidden(market))
    })
})
