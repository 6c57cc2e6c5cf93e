import type { KnownExchange, MarketKind, Pair } from "../../src/domain/Market.ts"

/** A market of a stub. Fees are fractions (0.001 is 0.1 %). */
export interface StubMarket {
  readonly pair: Pair
  readonly kind: MarketKind
  readonly priceStep: string
  readonly amountStep: string
  readonly minAmount: string
  readonly minCost: string
  /** What one contract is worth in the base asset, where an exchange counts a swap in contracts; 1 elsewhere. */
  readonly contractSize?: string
  readonly active?: boolean
  readonly makerFee?: number
  readonly takerFee?: number
}

/** Names a market of a stub; a `MarketId` will do. */
export interface Slot {
  readonly pair: Pair
  readonly kind: MarketKind
}

/** `BTC/USDT:spot` */
export const slotKey = (slot: Slot): string => `${slot.pair}:${slot.kind}`

export interface Quote {
  readonly bid: number
  readonly ask: number
  readonly last: number
}

export interface Print {
  readonly price: number
  readonly amount: number
  readonly side: "buy" | "sell"
  /** ms since the epoch */
  readonly at: number
  readonly id: string
}

/** `https://api.kraken.com/0/public/Time?x=1` comes in as host `api.kraken.com`, path `/0/public/Time`, query x. */
export interface RestRequest {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
  /** Path and query as they were sent: signatures are over them. */
  readonly target: string
  readonly headers: Headers
}

/** One open socket of a client. */
export interface Line {
  readonly host: string
  readonly path: string
  readonly query: URLSearchParams
  /** What the client asked for: a channel of a market, in the protocol's own word for the channel. */
  readonly subscribe: (channel: string, market: Slot) => void
  readonly unsubscribe: (channel: string, market: Slot) => void
  readonly has: (channel: string, market: Slot) => boolean
  /** 1, 2, 3 ...: for sequence numbers. */
  readonly next: () => number
  /** Closes the socket, as exchanges do to those who break their rules. */
  readonly drop: () => void
}

/** What a protocol may know of its stub. */
export interface Board {
  /** `http://127.0.0.1:PORT`: what leads back to the stub when put before an address, without its scheme. */
  readonly url: string
  readonly markets: ReadonlyArray<StubMarket>
  /** What was quoted last; 99 to 101 before that. */
  readonly quote: (market: Slot) => Quote
  /** What was traded last, oldest first: some exchanges begin with it. */
  readonly prints: (market: Slot) => ReadonlyArray<Print>
  /** ms since the epoch */
  readonly now: () => number
}

/** What one exchange says, and in which shape. */
export interface Protocol {
  readonly name: KnownExchange
  /** Answers a REST request with a JSON value; undefined is a 404. */
  readonly rest: (request: RestRequest, board: Board) => unknown
  /** The body of a REST answer with that status, 429 for one; where there is none, a line as proxies write it. */
  readonly refusal?: (status: number) => unknown
  /** Frames sent when a socket opens. */
  readonly greet: (line: Line, board: Board) => ReadonlyArray<string>
  /** Answers to a text frame of the client; marks subscriptions on the line. */
  readonly hear: (text: string, line: Line, board: Board) => ReadonlyArray<string>
  /** Whether whoever subscribes is told the last quote at once: `quoted` is asked for it. */
  readonly snapshots: boolean
  /** Frames that tell a quote on this line; empty when it is not subscribed. */
  readonly quoted: (market: StubMarket, quote: Quote, line: Line, at: number) => ReadonlyArray<string>
  /** Frames that tell a trade on this line; empty when it is not subscribed. */
  readonly traded: (market: StubMarket, print: Print, line: Line) => ReadonlyArray<string>
}
