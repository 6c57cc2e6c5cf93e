// A market of a stub of Binance that has past candles as well: a wave that falls up to the start, and then what was quoted. A
// price that is quoted stands in the candles of its minute, as at an exchange.
import { Pair } from "../../../src/domain/Market.ts"
import { binance } from "../../exchanges/binance.ts"
import { Stub } from "../../exchanges/Stub.ts"

const BTC = { pair: Pair.make("BTC/USDT"), kind: "spot" } as const
const STEPS = { priceStep: "0.01", amountStep: "0.00001", minAmount: "0.00001", minCost: "5" }
const MINUTE = 60_000
const DAY = 1440 * MINUTE
const QUOTED_EVERY_MS = 200
/** The wave before the start: its middle, its height, and its length. */
const WAVE = { middle: 60_000, height: 600, length: 40 * MINUTE } as const
const PAGE = 1000

interface Candle {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

export class MinuteMarket {
  readonly stub: Stub
  /** How late requests for candles are answered (ms). */
  lateMs = 0
  readonly #began = Math.floor(Date.now() / MINUTE) * MINUTE
  readonly #quoted = new Map<number, Candle>()
  readonly #amended = new Map<number, number>()
  readonly #timer: Timer
  #price: number

  private constructor(stub: Stub) {
    this.stub = stub
    this.#price = priceAt(this.#began, this.#began)
    this.#timer = setInterval(() => this.#quote(), QUOTED_EVERY_MS)
    stub.candles = async (query) => {
      const rows = this.#page(query)
      if (this.lateMs > 0) await Bun.sleep(this.lateMs)
      return rows
    }
    this.#quote()
  }

  static async open(): Promise<MinuteMarket> {
    return new MinuteMarket(await Stub.start(binance, [{ ...BTC, ...STEPS }], { door: false }))
  }

  get price(): number {
    return this.#price
  }

  /** Quotes this price from now on. */
  move(price: number): void {
    this.#price = price
    this.#quote()
  }

  /** Has another close in the candle of the present minute than what is traded. */
  amend(close: number): void {
    this.#amended.set(Math.floor(Date.now() / MINUTE) * MINUTE, close)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.stub.stop()
  }

  #quote(): void {
    const now = Date.now()
    const minute = Math.floor(now / MINUTE) * MINUTE
    const price = this.#price
    const before = this.#quoted.get(minute)
    this.#quoted.set(minute, {
      open: before?.open ?? price,
      high: Math.max(before?.high ?? price, price),
      low: Math.min(before?.low ?? price, price),
      close: price
    })
    this.stub.quote(BTC, { bid: price - 0.5, ask: price + 0.5, last: price })
    this.stub.print(BTC, { price, amount: 0.01, at: now, side: "buy", id: String(now) })
  }

  #page(query: URLSearchParams): ReadonlyArray<unknown> {
    const span = query.get("interval") === "1d" ? DAY : MINUTE
    const now = Date.now()
    const from = Number(query.get("startTime") ?? now - PAGE * span)
    const until = Math.min(Number(query.get("endTime") ?? now), now)
    const most = Number(query.get("limit") ?? PAGE)
    const rows: Array<unknown> = []
    for (let at = Math.ceil(from / span) * span; at <= until && rows.length < most; at += span) {
      const { close, high, low, open } = this.#candle(at, span)
      rows.push([at, `${open}`, `${high}`, `${low}`, `${close}`, "12.5", at + span - 1, "1", 1])
    }
    return rows
  }

  #candle(at: number, span: number): Candle {
    const quoted = span === MINUTE ? this.#quoted.get(at) : undefined
    const amended = this.#amended.get(at)
    if (quoted !== undefined)
      return amended === undefined
        ? quoted
        : {
            ...quoted,
            high: Math.max(quoted.high, amended),
            low: Math.min(quoted.low, amended),
            close: amended
          }
    const began = this.#began
    const [open, close] =
      at < began ? [priceAt(at, began), priceAt(at + span, began)] : [this.#price, this.#price]
    return { open, high: Math.max(open, close), low: Math.min(open, close), close }
  }
}

/** The wave, which falls through its middle at the start. */
const priceAt = (at: number, began: number): number =>
  Math.round((WAVE.middle - WAVE.height * Math.sin((2 * Math.PI * (at - began)) / WAVE.length)) * 100) / 100
