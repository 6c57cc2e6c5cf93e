// One market of a stub exchange on the loopback interface.
import { Pair } from "../../../src/domain/Market.ts"
import { binance } from "../../exchanges/binance.ts"
import type { Quote, Slot } from "../../exchanges/Protocol.ts"
import { Stub } from "../../exchanges/Stub.ts"

const BTC: Slot = { pair: Pair.make("BTC/USDT"), kind: "spot" }
const STEPS = { priceStep: "0.01", amountStep: "0.00001", minAmount: "0.00001", minCost: "5" }
const EVERY_MS = 100

export class Market {
  readonly stub: Stub
  #quote: Quote = { bid: 59_990, ask: 60_010, last: 60_000 }
  readonly #timer: Timer

  private constructor(stub: Stub) {
    this.stub = stub
    this.#timer = setInterval(() => stub.quote(BTC, this.#quote), EVERY_MS)
  }

  static async open(): Promise<Market> {
    const markets = [
      { ...BTC, ...STEPS },
      { ...BTC, kind: "swap", ...STEPS }
    ] as const
    return new Market(await Stub.start(binance, markets))
  }

  /** Quotes this price from now on. */
  move(quote: Quote): void {
    this.#quote = quote
    this.stub.quote(BTC, quote)
  }

  get quote(): Quote {
    return this.#quote
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.stub.stop()
  }
}
