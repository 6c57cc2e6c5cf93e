// The entry of the price feeds' thread, a file of its own in the built program (see scripts/build.ts). ccxt runs only
// here, so that its large answers block nobody and its faults end only this thread.
import * as Pauses from "../../ccxt/Pauses.ts"
import { isKnownExchange, type KnownExchange } from "../../domain/Market.ts"
import { Session } from "./Session.ts"
import type { SessionCallbacks } from "./SessionCallbacks.ts"
import * as Sweep from "./Sweep.ts"
import type { FeedMessage, PageQuestion, Watch } from "./Wire.ts"

declare const self: Worker

// ccxt stores data under names that the exchange chose. Under `__proto__` that would add fields to every object of this
// thread.
Object.preventExtensions(Object.prototype)

const LOOK_MS = 250
const ALIVE_MS = 1000
/** Prices are sent in batches: a message costs as much as fifty prices. */
const COMPANY_MS = 5

/** Rows waiting to be sent. */
class Rows {
  #rows: Array<number> = []
  readonly #tag: "Quotes" | "Trades"

  constructor(tag: "Quotes" | "Trades") {
    this.#tag = tag
  }

  add(row: ReadonlyArray<number>): void {
    if (this.#rows.length === 0) setTimeout(() => this.hand(), COMPANY_MS)
    for (const number of row) this.#rows.push(number)
  }

  hand(): void {
    if (this.#rows.length === 0) return
    const rows = Float64Array.from(this.#rows)
    this.#rows = []
    const message: FeedMessage = { _tag: this.#tag, rows }
    self.postMessage(message, [rows.buffer])
  }
}

const quotes = new Rows("Quotes")
const trades = new Rows("Trades")

const ear: SessionCallbacks = {
  quote: (row) => quotes.add(row),
  trade: (row) => trades.add(row),
  // Sent in the sequence in which it happened.
  send: (message) => {
    quotes.hand()
    trades.hand()
    self.postMessage(message)
    // An exchange was lost, or is back.
    if (message._tag === "Health") Sweep.soon()
  },
  now: Date.now
}

const sessions = new Map<KnownExchange, Session>()

/** Answers a question for candles by the exchange's session, which has its markets already. */
const answer = async (query: PageQuestion): Promise<void> => {
  const { exchange } = query.series
  const session = isKnownExchange(exchange) ? sessions.get(exchange) : undefined
  const page = await (session?.page(query) ?? { failure: NOT_WATCHED })
  self.postMessage({ _tag: "Page", question: query.question, ...page } satisfies FeedMessage)
}
const NOT_WATCHED = { reason: "its prices are not watched yet", pauseMs: 0, kind: "passing" } as const

self.onmessage = ({ data }: MessageEvent<Watch | PageQuestion>) => {
  if ("question" in data) return void answer(data)
  const known = sessions.get(data.exchange)
  if (known === undefined && data.markets.length === 0) return
  const session = known ?? new Session(data.exchange, data.base, ear, Pauses.make(data.pauses))
  sessions.set(data.exchange, session)
  session.want(data)
  if (data.markets.length > 0) return
  session.end()
  sessions.delete(data.exchange)
}

setInterval(() => {
  for (const session of sessions.values()) session.check()
  Sweep.look()
}, LOOK_MS)

setInterval(() => ear.send({ _tag: "Alive" }), ALIVE_MS)

// Promises that ccxt abandoned; the watchdog notices what became of them.
process.on("unhandledRejection", () => undefined)
