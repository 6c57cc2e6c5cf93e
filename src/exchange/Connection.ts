import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { fieldOf } from "../ccxt/Failure.ts"
import type { Credentials } from "../domain/ExchangeAccount.ts"
import type { ExchangeName } from "../domain/Market.ts"
import { dialects } from "./dialects.ts"
import { isTooLate, OverBudget } from "./gate/Budget.ts"
import { isUrgent, type Priority } from "./gate/Priority.ts"
import * as RequestGate from "./gate/RequestGate.ts"
import { outcomeOf } from "./Outcome.ts"
import type { TradingClient } from "./TradingClient.ts"
import type { Venue, VenueClosed } from "./Venue.ts"

/** A request was sent, and failed by `cause`, which says what the exchange said: never to be shown. */
export class Failed extends Data.TaggedError("Failed")<{ readonly cause: unknown }> {}

/** An account at an exchange: asks with its keys, within the exchange's budget and by its clock. */
export interface Connection {
  readonly venue: Venue
  /**
   * One request with the keys, when its turn comes. What `request` makes of the ccxt has to be one request: it counts
   * as one. `VenueClosed` and `OverBudget` are sure: nothing was sent.
   */
  readonly ask: (
    priority: Priority,
    request: (ccxt: TradingClient) => Promise<unknown>
  ) => Effect.Effect<unknown, Failed | NotSent>
  /** One request that needs no key: a price, for one. */
  readonly askAnybody: (
    priority: Priority,
    request: (ccxt: TradingClient) => Promise<unknown>
  ) => Effect.Effect<unknown, Failed | NotSent>
  /** What the library knows of a market, by its symbol; undefined where there is none. */
  readonly market: (symbol: string) => Effect.Effect<unknown, NotSent>
  /** How far the exchange's clock is ahead of ours (ms). */
  readonly skewMs: Effect.Effect<number>
}

/** It is sure that nothing was sent; `reason` says why, in words of ours. */
export class NotSent extends Data.TaggedError("NotSent")<{ readonly reason: string }> {}

/** For as long as the scope lives. Asks nothing before it is used. */
export const make = Effect.fnUntraced(function* (venue: Venue, credentials: Credentials) {
  const { budget, clock } = venue
  const one = yield* Effect.makeSemaphore(1)
  let known: TradingClient | undefined
  let markets: unknown
  const opened = one.withPermits(1)(
    Effect.gen(function* () {
      const source = yield* venue.common
      known ??= keyed(yield* venue.open, venue, credentials)
      // They are loaded anew now and then.
      if (markets !== source.markets) known.setMarketsFromExchange(source)
      markets = source.markets
      return known
    })
  )
  yield* Effect.addFinalizer(() => Effect.promise(async () => void (await known?.close())))
  // Of two on their way at once one may overtake the other. How far the exchange's time is off is nothing to a number.
  const { isNumbered = false } = dialects[venue.exchange]
  /** The measuring of the clock by which a request of these keys has passed. */
  let passedBy: number | undefined

  const through = (ccxt: Effect.Effect<TradingClient, VenueClosed>, turns: RequestGate.RequestGate) =>
    Effect.fn("Connection.ask")(
      function* (priority: Priority, request: (ccxt: TradingClient) => Promise<unknown>) {
        const query = yield* Clock.currentTimeMillis
        const open = yield* ccxt
        if (!isNumbered) yield* measured(priority)
        yield* budget.take(priority)
        return yield* turns(priority)(
          Effect.gen(function* () {
            const waitedMs = (yield* Clock.currentTimeMillis) - query
            if (isTooLate(priority, waitedMs)) return yield* new OverBudget({ priority })
            const by = clock.measuring()
            const sent = Effect.tryPromise({
              try: () => request(open),
              catch: (cause) => new Failed({ cause })
            })
            const answer = yield* Effect.tapError(sent, ({ cause }) => failed(cause, by))
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
  /** An exit waits for no measuring that others can wait for, and for one that it needs only for a moment. */
  const measured = (priority: Priority) => {
    if (isUrgent(priority) && clock.isKnown()) return Effect.void
    return Effect.timeoutOption(clock.measure, isUrgent(priority) ? URGENT_MEASURE_MS : MEASURE_MS)
  }
  const failed = Effect.fnUntraced(function* (cause: unknown, by: number) {
    if (isAboutTime(venue.exchange, cause) && !isNumbered) yield* clock.doubt(by, passedBy === by)
    const { pauseMs } = outcomeOf(venue.exchange, "balance", cause)
    const now = yield* Clock.currentTimeMillis
    // Where the answer itself named a time, that one holds.
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

/** For how long a request waits for the exchange's time (ms): then it is sent by what is known. */
const MEASURE_MS = 4000
const URGENT_MEASURE_MS = 1000

const TOO_MUCH = "it has been asked as much as it bears just now"

/** Coinbase tells nobody what is wrong with a token, whose time is one of the things that can be. */
export const isAboutTime = (exchange: ExchangeName, cause: unknown): boolean => {
  const name = fieldOf(cause, "name")
  return name === "InvalidNonce" || (name === "AuthenticationError" && exchange === "coinbase")
}

/** With the keys, and a sense of the exchange's time. */
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
  // Coinbase's tokens are made of these.
  ccxt.seconds = () => Math.floor(now() / 1000)
  let last = 0
  // They have to grow also within a millisecond and when a clock is set back, and over all that ask with the key: so it
  // is this machine's own time, which they share, and not what each has measured of the exchange's.
  if (dialects[exchange].isNumbered === true)
    ccxt.nonce = () => {
      last = Math.max(last + 1, ours())
      return last
    }
  return ccxt
}
