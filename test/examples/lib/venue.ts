// A stand-in for an exchange with its own words: a client as such companies publish them. It knows orders by the ids
// that its callers choose, fills at the market in two parts, and now and then an answer gets lost on its way.

/** An order in the venue's words. Quantities and sums are decimal text, as most exchanges have them. */
export interface VenueOrder {
  readonly clientId: string
  readonly state: "working" | "closed"
  readonly trades: ReadonlyArray<{
    readonly id: string
    readonly amount: string
    readonly price: number
    readonly fee: string
    readonly time: number
  }>
}

export interface Wanted {
  readonly clientId: string
  readonly symbol: string
  readonly side: "buy" | "sell"
  readonly amount: string
  readonly limit?: number
}

/** The venue has said no; all other errors say nothing of what became of an order. */
export class VenueRefusal extends Error {
  readonly code: "duplicate" | "unknown_symbol"
  constructor(code: "duplicate" | "unknown_symbol") {
    super(code)
    this.code = code
  }
}

export class Venue {
  readonly #orders = new Map<string, VenueOrder>()
  #calls = 0

  async place({ amount, clientId, limit, symbol }: Wanted): Promise<VenueOrder> {
    if (symbol !== "BTCUSDT") throw new VenueRefusal("unknown_symbol")
    if (this.#orders.has(clientId)) throw new VenueRefusal("duplicate")
    const price = limit ?? 60_000
    const half = Number(amount) / 2
    const trade = { amount: half.toFixed(8), price, fee: (half * price * 0.001).toFixed(8), time: 0 }
    const trades = [
      { ...trade, id: `${clientId}-1` },
      { ...trade, id: `${clientId}-2` }
    ]
    const order: VenueOrder = { clientId, state: "closed", trades }
    this.#orders.set(clientId, order)
    return this.#answer(order)
  }

  async find(clientId: string): Promise<VenueOrder | undefined> {
    return this.#answer(this.#orders.get(clientId))
  }

  /** Every third answer is lost. */
  #answer<A>(answer: A): A {
    this.#calls++
    if (this.#calls % 3 === 0) throw new TypeError("the connection was closed")
    return answer
  }
}
