// Streaming prices of the wanted markets, from a thread that starts with the first of them and restarts after growing
// pauses if it ends. Markets cross between the threads as numbers.
import { networkInterfaces } from "node:os"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Pauses from "../../ccxt/Pauses.ts"
import {
  EXCHANGE_NAMES,
  type ExchangeName,
  type KnownExchange,
  type MarketId,
  marketKey
} from "../../domain/Market.ts"
import { type FeedReport, StreamingFeed } from "../../services/feeds/StreamingFeed.ts"
import { ClosedCandles } from "../../services/rules/ClosedCandles.ts"
import type { Quote } from "../../services/Tickers.ts"
import * as LiveCandles from "../closed/LiveCandles.ts"
import { Tape } from "../Tape.ts"
import { start, type Thread } from "./Thread.ts"
import { type FeedMessage, QUOTE_ROW, TRADE_ROW, type Watch } from "./Wire.ts"

export interface Options {
  /** The base URLs that replace the exchanges' own. */
  readonly urls: ReadonlyMap<KnownExchange, string>
  /** Whether trades are wanted, to record candles. */
  readonly record: boolean
  /** Shared with orders. */
  readonly pauses?: Pauses.Pauses
  /** The program of the thread; our own by default. */
  readonly entry?: string | URL
}

/** Streams the prices of the markets that the feed wants, and gives the closed candles of those that rules look at. */
export const layer = ({ entry, pauses = Pauses.make(), record, urls }: Options) =>
  Layer.scoped(
    ClosedCandles,
    Effect.gen(function* () {
      const feed = yield* StreamingFeed
      const tape = yield* Tape
      const fork = Runtime.runFork(yield* Effect.runtime<never>())
      const numbers = new Numbers()
      const health = new Health(feed, (report) => fork(logReport(report)))
      const watches = new Watches(health, watchOf({ pauses, record, urls }, numbers))
      const candles = yield* LiveCandles.make
      const hear = hearing({ feed, tape, candles, numbers, health, watches })

      /** A thread from its start to its end. */
      const live = Effect.scoped(
        Effect.gen(function* () {
          const thread = yield* start(hear, entry)
          watches.begin(thread, yield* feed.wanted)
          candles.questions.through(thread.ask)
          return yield* thread.end
        })
      ).pipe(
        Effect.tapError(({ reason }) =>
          Effect.gen(function* () {
            const since = yield* Clock.currentTimeMillis
            tape.broken(numbers.all())
            candles.broken(numbers.all())
            candles.questions.through(undefined)
            watches.end(since)
            yield* Effect.logError(
              `the thread that follows the exchanges ended and is started anew: ${reason}`
            )
          })
        ),
        Effect.retry(AGAIN)
      )

      const first = Stream.runHead(Stream.filter(feed.changes, (markets) => markets.length > 0))
      yield* Effect.forkScoped(Effect.zipRight(first, live))
      yield* Effect.forkScoped(
        Stream.runForEach(feed.changes, (wanted) => Effect.sync(() => watches.ask(wanted)))
      )
      return Option.some(candles.source)
    })
  )

interface Hearing {
  readonly feed: typeof StreamingFeed.Service
  readonly tape: typeof Tape.Service
  readonly candles: LiveCandles.LiveCandles
  readonly numbers: Numbers
  readonly health: Health
  readonly watches: Watches
}

/** Makes the reader of the thread's messages. */
const hearing =
  ({ candles, feed, health, numbers, tape, watches }: Hearing) =>
  (message: FeedMessage): void => {
    switch (message._tag) {
      case "Quotes":
        return heardQuotes(quotesOf(message.rows, numbers), { feed, tape })
      case "Trades":
        for (let row = 0; row < message.rows.length; row += TRADE_ROW) {
          const [number = 0, price = 0, amount = 0, at = 0] = message.rows.subarray(row, row + TRADE_ROW)
          const market = numbers.market(number)
          if (market === undefined) continue
          tape.traded(market, price, amount, at)
          candles.traded(market, { price, amount, at })
        }
        return
      case "Whole":
        tape.whole(numbers.markets(message.numbers))
        return candles.whole(numbers.markets(message.numbers))
      case "Broken":
        tape.broken(numbers.markets(message.numbers), message.since)
        return candles.broken(numbers.markets(message.numbers))
      case "Page":
        return candles.questions.answered(message)
      case "Health":
        // A late message of an ended thread may be of an exchange that is no longer wanted.
        if (watches.has(message.health.exchange)) health.report(message.health)
        return
      case "Alive":
        return
    }
  }

const heardQuotes = (quotes: ReadonlyArray<Quote>, { feed, tape }: Pick<Hearing, "feed" | "tape">): void => {
  for (const { market, ticker } of quotes) tape.quoted(market, ticker.bid, ticker.ask)
  feed.publish(quotes)
}

/** Reports the health of exchanges, and logs each change of it once, however often the same is retried. */
class Health {
  readonly #logged = new Map<ExchangeName, string>()
  readonly #feed: typeof StreamingFeed.Service
  readonly #log: (report: FeedReport) => void

  constructor(feed: typeof StreamingFeed.Service, log: (report: FeedReport) => void) {
    this.#feed = feed
    this.#log = log
  }

  report(health: FeedReport): void {
    this.#feed.report(health)
    const change = `${health.state} ${health.reason}`
    if (this.#logged.get(health.exchange) !== change) this.#log(health)
    this.#logged.set(health.exchange, change)
  }

  /** Forgets an exchange that is no longer wanted. */
  forget(exchange: ExchangeName): void {
    this.#feed.forget(exchange)
    this.#logged.delete(exchange)
  }

  /** Reports that no thread serves these exchanges. The next report of each is logged whatever it says. */
  ended(exchanges: Iterable<ExchangeName>, since: number): void {
    const end = { state: "unreachable", since, reconnects: 0, reason: "its thread ended" } as const
    for (const exchange of exchanges) this.#feed.report({ exchange, ...end })
    this.#logged.clear()
  }
}

type WatchOf = (exchange: KnownExchange, markets: ReadonlyArray<MarketId>) => Watch

/** Makes the request for the prices of an exchange's markets. */
const watchOf =
  (
    { pauses, record, urls }: Required<Pick<Options, "pauses" | "record" | "urls">>,
    numbers: Numbers
  ): WatchOf =>
  (exchange, markets) => ({
    exchange,
    base: urls.get(exchange) ?? "",
    trades: record,
    pauses: pauses.memory,
    markets: markets.map((market) => ({
      number: numbers.of(market),
      pair: market.pair,
      kind: market.kind
    }))
  })

/** The markets that the present thread watches. Sends it a change of an exchange's list, and nothing that it knows. */
class Watches {
  #thread: Thread | undefined
  /** The markets of each exchange in one text: a change of it is sent to the thread. */
  #requested = new Map<ExchangeName, string>()
  readonly #health: Health
  readonly #watchOf: WatchOf

  constructor(health: Health, watchOf: WatchOf) {
    this.#health = health
    this.#watchOf = watchOf
  }

  has(exchange: ExchangeName): boolean {
    return this.#requested.has(exchange)
  }

  /** A new thread watches nothing yet. */
  begin(thread: Thread, wanted: ReadonlyArray<MarketId>): void {
    this.#thread = thread
    this.#requested = new Map()
    this.ask(wanted)
  }

  end(since: number): void {
    this.#thread = undefined
    this.#health.ended(this.#requested.keys(), since)
  }

  /** Sends the watches that changed. */
  ask(wanted: ReadonlyArray<MarketId>): void {
    const before = this.#requested
    this.#requested = new Map()
    for (const exchange of EXCHANGE_NAMES) {
      const markets = wanted.filter((market) => market.exchange === exchange)
      const key = markets.map(marketKey).join(" ")
      if (key !== "") this.#requested.set(exchange, key)
      if (key === (before.get(exchange) ?? "")) continue
      if (key === "") this.#health.forget(exchange)
      this.#thread?.ask(this.#watchOf(exchange, markets))
    }
  }
}

/** The source of prices as a text, with a note if this machine has no network. */
export const describe = (urls: Options["urls"]): string => {
  const isAlone = urls.size === 0 && addresses().every(({ internal }) => internal)
  return isAlone ? "live (but this machine has no network now: there are none until it has)" : "live"
}

/** The network interfaces; an unreadable list, as in a sandbox, is no reason not to start. */
const addresses = () => {
  try {
    return Object.values(networkInterfaces()).flatMap((some) => some ?? [])
  } catch {
    return [{ internal: false }]
  }
}

const AGAIN = Schedule.exponential("1 second").pipe(
  Schedule.union(Schedule.spaced("30 seconds")),
  Schedule.resetAfter("5 minutes")
)

/** The numbers of markets in messages between the threads, never reused. */
class Numbers {
  readonly #markets: Array<MarketId> = []
  readonly #numbers = new Map<string, number>()

  of(market: MarketId): number {
    const key = marketKey(market)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.#markets.length)
    return this.#markets.push(market) - 1
  }

  market(number: number): MarketId | undefined {
    return this.#markets[number]
  }

  markets(numbers: ReadonlyArray<number>): ReadonlyArray<MarketId> {
    return numbers.flatMap((number) => this.#markets[number] ?? [])
  }

  all(): ReadonlyArray<MarketId> {
    return this.#markets
  }
}

const quotesOf = (rows: Float64Array, numbers: Numbers): ReadonlyArray<Quote> => {
  const quotes: Array<Quote> = []
  for (let row = 0; row < rows.length; row += QUOTE_ROW) {
    const market = numbers.market(rows[row] ?? -1)
    if (market === undefined) continue
    const [bid = 0, ask = 0, last = 0, at = 0] = rows.subarray(row + 1, row + QUOTE_ROW)
    quotes.push({ market, ticker: { bid, ask, last, at } })
  }
  return quotes
}

/** One log line for each change of health. */
const logReport = ({ exchange, reason, state }: FeedReport) => {
  switch (state) {
    case "connecting":
      return Effect.void
    case "streaming":
      return Effect.logInfo(`prices of ${exchange} are streaming`)
    case "polling":
      return Effect.logWarning(`prices of ${exchange} are polled, because its streams are down: ${reason}`)
    case "unreachable":
      return Effect.logWarning(
        `no prices of ${exchange}: ${reason}; its bots open nothing until they are back`
      )
  }
}
