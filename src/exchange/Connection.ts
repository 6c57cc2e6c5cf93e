// A connection to one account at an exchange. Each request waits for the exchange's clock, then for its turn in the
// budget, then is made and sent once; `NotSent` guarantees that it was not. One that places or cancels an order leaves
// only while the lease under which it is sent holds for longer than the exchange would accept it.
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { descriptors } from "../ccxt/descriptors.ts"
import * as LastCheck from "../ccxt/expiry/LastCheck.ts"
import { fieldOf } from "../ccxt/Field.ts"
import type { TradingClient } from "../ccxt/TradingClient.ts"
import type { Credentials } from "../domain/ExchangeAccount.ts"
import type { KnownExchange } from "../domain/Market.ts"
import { SENDING_MS, SendingLease } from "../services/engine/orders/SendingLease.ts"
import { isTooLate, OverBudget } from "./gate/Budget.ts"
import { isOrder, isPlacing, isUrgent, type Priority } from "./gate/Priority.ts"
import * as RequestGate from "./gate/RequestGate.ts"
import { outcomeOf } from "./Outcome.ts"
import type { Venue, VenueClosed } from "./Venue.ts"

/** A request was sent and failed. `cause` contains the exchange's text and must never be shown. */
export class Failed extends Data.TaggedError("Failed")<{ readonly cause: unknown }> {}

/** A connection to an account at an exchange. */
export interface Connection {
  readonly venue: Venue
  /**
   * Sends one request with the keys, when its turn comes. `request` must make exactly one request, since it counts as
   * one. `NotSent` is certain: nothing was sent.
   */
  readonly ask: (
    priority: Priority,
    request: (ccxt: TradingClient) => Promise<unknown>
  ) => Effect.Effect<unknown, Failed | NotSent>
  /** Sends one request without keys, such as for a price. */
  readonly askAnybody: (
    priority: Priority,
    request: (ccxt: TradingClient) => Promise<unknown>
  ) => Effect.Effect<unknown, Failed | NotSent>
  /** ccxt's market of a symbol; undefined if there is none. */
  readonly market: (symbol: string) => Effect.Effect<unknown, NotSent>
  /** How far the exchange's clock is ahead of ours (ms). */
  readonly skewMs: Effect.Effect<number>
}

/** Certainly nothing was sent; `reason` says why, in our words. */
export class NotSent extends Data.TaggedError("NotSent")<{ readonly reason: string }> {}

/** A connection that lives as long as the scope. Sends nothing before it is used. */
export const make = Effect.fnUntraced(function* (venue: Venue, credentials: Credentials) {
  const { budget, clock } = venue
  const opened = yield* withKeys(venue, credentials)
  // Numbered requests must not overtake each other, and need no measured clock unless they expire by it.
  const { isNumbered } = descriptors[venue.exchange]
  /** The clock measurement under which a request of these keys last passed. */
  let passedBy: number | undefined

  const through = (ccxt: Effect.Effect<TradingClient, VenueClosed>, turns: RequestGate.RequestGate) =>
    Effect.fn("Connection.ask")(
      function* (priority: Priority, request: (ccxt: TradingClient) => Promise<unknown>) {
        const query = yield* Clock.currentTimeMillis
        const open = yield* ccxt
        if (!isNumbered || isPlacing(priority)) yield* measured(priority)
        yield* budget.take(priority)
        return yield* turns(priority)(
          Effect.gen(function* () {
            const waitedMs = (yield* Clock.currentTimeMillis) - query
            if (isTooLate(priority, waitedMs)) return yield* new OverBudget({ priority })
            const by = clock.measuring()
            const sent = sentBy(open, venue.exchange, priority, request)
            const answer = yield* Effect.tapErrorTag(sent, "Failed", ({ cause }) => failed(cause, by))
            if (ccxt === opened) passedBy = by
            return answer
          })
        )
      },
      Effect.catchTags({
        VenueClosed: ({ reason }) => new NotSent({ reason }),
        OverBudget: () => new NotSent({ reason: TOO_MUCH })
      })
    )
  /** An exit does not wait for a measurement if one holds, and otherwise only briefly. */
  const measured = (priority: Priority) => {
    if (isUrgent(priority) && clock.isKnown()) return Effect.void
    return Effect.timeoutOption(clock.measure, isUrgent(priority) ? URGENT_MEASURE_MS : MEASURE_MS)
  }
  const failed = Effect.fnUntraced(function* (cause: unknown, by: number) {
    if (isAboutTime(venue.exchange, cause) && !isAboutNumber(venue.exchange, cause))
      yield* clock.doubt(by, passedBy === by)
    const { pauseMs } = outcomeOf(venue.exchange, "balance", cause)
    const now = yield* Clock.currentTimeMillis
    // A pause named by the answer itself takes precedence.
    if (pauseMs > 0 && venue.pauses.until(venue.exchange) <= now)
      venue.pauses.pause(venue.exchange, now + pauseMs)
  })
  return {
    venue,
    ask: through(opened, isNumbered ? RequestGate.make() : RequestGate.none),
    askAnybody: through(venue.common, RequestGate.none),
    market: (symbol) =>
      Effect.mapBoth(venue.common, {
        onSuccess: ({ markets }) => markets?.[symbol],
        onFailure: ({ reason }) => new NotSent({ reason })
      }),
    skewMs: Effect.map(clock.measure, clock.skewMs)
  } satisfies Connection
})

/** Makes and sends a request whose turn has come. One about an order leaves only while its lease holds. */
const sentBy = (
  ccxt: TradingClient,
  exchange: KnownExchange,
  priority: Priority,
  request: (ccxt: TradingClient) => Promise<unknown>
) =>
  Effect.flatMap(SendingLease, (left) => {
    const { expiry } = descriptors[exchange]
    const check = {
      headers: () => (isPlacing(priority) ? expiry.headers(ccxt.milliseconds()) : {}),
      passes: () => left() >= SENDING_MS
    }
    return Effect.tryPromise({
      try: () => (isOrder(priority) ? LastCheck.within(check, () => request(ccxt)) : request(ccxt)),
      catch: (cause) =>
        cause instanceof LastCheck.NotPassed ? new NotSent({ reason: NOT_OURS }) : new Failed({ cause })
    })
  })

/** The ccxt with the keys, opened on first use and closed with the scope. */
const withKeys = Effect.fnUntraced(function* (venue: Venue, credentials: Credentials) {
  const one = yield* Effect.makeSemaphore(1)
  let known: TradingClient | undefined
  let markets: unknown
  yield* Effect.addFinalizer(() => Effect.promise(async () => void (await known?.close())))
  return one.withPermits(1)(
    Effect.gen(function* () {
      const source = yield* venue.common
      known ??= keyed(yield* venue.open, venue, credentials)
      // The venue reloads its markets now and then.
      if (markets !== source.markets) known.setMarketsFromExchange(source)
      markets = source.markets
      return known
    })
  )
})

/** How long a request waits for the exchange's clock (ms) before it is sent without. */
const MEASURE_MS = 4000
const URGENT_MEASURE_MS = 1000

const TOO_MUCH = "its request limit is used up at the moment"

const NOT_OURS = "this server was about to lose the strategy to another one"

/** Whether a request may have been refused for its time or number. */
export const isAboutTime = (exchange: KnownExchange, cause: unknown): boolean =>
  descriptors[exchange].timeErrors.includes(String(fieldOf(cause, "name"))) || hasExpired(exchange, cause)

/** Whether a request was refused for its number, which says nothing of the clock. */
export const isAboutNumber = (exchange: KnownExchange, cause: unknown): boolean =>
  descriptors[exchange].isNumbered && !hasExpired(exchange, cause)

const hasExpired = (exchange: KnownExchange, cause: unknown): boolean =>
  descriptors[exchange].expiry.refusal?.test(String(fieldOf(cause, "message"))) === true

/** Sets the keys and the exchange's time on a ccxt. */
const keyed = (
  ccxt: TradingClient,
  { clock, exchange }: Venue,
  { apiKey, password, secret }: Credentials
): TradingClient => {
  ccxt.apiKey = Redacted.value(apiKey)
  ccxt.secret = Redacted.value(secret)
  if (password !== undefined) ccxt.password = Redacted.value(password)
  const ours = ccxt.milliseconds.bind(ccxt)
  const now = () => ours() + clock.skewMs()
  ccxt.milliseconds = now
  // Tokens are signed with these.
  ccxt.seconds = () => Math.floor(now() / 1000)
  let last = 0
  // Nonces must grow within a millisecond, after the clock was set back, and across all programs with the key. So they
  // use the machine's own time, which these share, not the measured one.
  if (descriptors[exchange].isNumbered)
    ccxt.nonce = () => {
      last = Math.max(last + 1, ours())
      return last
    }
  return ccxt
}
