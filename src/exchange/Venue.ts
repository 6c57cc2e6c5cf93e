// One exchange as all its accounts share it: the markets (reloaded every 12 hours), the clock and the request budget.
// Markets that fail to reload, or reload by less than half, keep their old state.
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Rate } from "../ccxt/Descriptor.ts"
import { descriptors } from "../ccxt/descriptors.ts"
import { lean } from "../ccxt/lean.ts"
import { load } from "../ccxt/load.ts"
import type { Pauses } from "../ccxt/Pauses.ts"
import { isTrading, type TradingClient } from "../ccxt/TradingClient.ts"
import type { KnownExchange } from "../domain/Market.ts"
import * as Budget from "./gate/Budget.ts"
import * as Clocks from "./gate/Clocks.ts"

/** The exchange cannot be used now; nothing was sent. `reason` says why, in our words. */
export class VenueClosed extends Data.TaggedError("VenueClosed")<{ readonly reason: string }> {}

/** The time-out of the request for all markets (ms); there are thousands. */
const MARKETS_MS = 30_000

/** The wait after a failed load, and how long loaded markets hold: steps change and coins are listed. */
const AGAIN_MS = 5000
const HOLD_MS = 12 * 3_600_000

/** The reason if an exchange has no test network. */
export const NO_SANDBOX = "this exchange offers no test network to programs"

/** The shared part of the accounts at one exchange. */
export interface Venue {
  readonly exchange: KnownExchange
  readonly sandbox: boolean
  readonly pauses: Pauses
  readonly budget: Budget.Budget
  readonly clock: Clocks.ExchangeClock
  /** A new ccxt that knows the markets; without keys. */
  readonly open: Effect.Effect<TradingClient, VenueClosed>
  /** The shared ccxt without keys, for public requests. */
  readonly common: Effect.Effect<TradingClient, VenueClosed>
}

/** An exchange with its address, and the receiver of its bans. */
export interface Place {
  readonly exchange: KnownExchange
  readonly sandbox: boolean
  /** Replaces its own address. */
  readonly base?: string | undefined
  readonly pauses: Pauses
  readonly rate: Rate
  /** The time-out of a request (ms). */
  readonly requestMs: number
}

/** A venue. Sends nothing before it is used. */
export const make = Effect.fnUntraced(function* (place: Place) {
  const { exchange, pauses, rate, sandbox } = place
  const budget = yield* Budget.make(rate, () => pauses.until(exchange))
  const common = yield* kept(loaded(place, budget))

  const time = Effect.gen(function* () {
    const ccxt = yield* common
    // Urgent requests may be waiting for it.
    yield* budget.take("exit")
    const sent = yield* Clock.currentTimeMillis
    const serverTime = yield* Effect.tryPromise(() => ccxt.fetchTime())
    const heard = yield* Clock.currentTimeMillis
    return { sent, heard, serverTime: Number(serverTime) }
  })
  const clock = yield* Clocks.make(time)

  const open = Effect.gen(function* () {
    const source = yield* common
    const ccxt = yield* bare(place)
    ccxt.setMarketsFromExchange(source)
    ccxt.timeout = place.requestMs
    return ccxt
  })
  return { exchange, sandbox, pauses, budget, clock, open, common } satisfies Venue
})

/** A ccxt that knows the markets. */
const loaded = Effect.fnUntraced(function* (place: Place, budget: Budget.Budget) {
  if (place.sandbox && !descriptors[place.exchange].hasSandbox)
    return yield* new VenueClosed({ reason: NO_SANDBOX })
  const ccxt = yield* bare(place)
  const fetchMarkets = ccxt.fetchMarkets.bind(ccxt)
  ccxt.fetchMarkets = async (params) => lean(await fetchMarkets(params))
  ccxt.timeout = MARKETS_MS
  yield* budget.take("lookup").pipe(
    Effect.zipRight(Effect.tryPromise(() => ccxt.loadMarkets())),
    Effect.catchAll(() => new VenueClosed({ reason: NOT_LOADED }))
  )
  if (countOf(ccxt) === 0) return yield* new VenueClosed({ reason: NOT_LOADED })
  ccxt.timeout = place.requestMs
  return ccxt
})

const NOT_LOADED = "its markets cannot be loaded"

/** Keeps one ccxt with its markets, as long as the scope lives. One load at a time; those that waited use it. */
const kept = Effect.fnUntraced(function* (loaded: Effect.Effect<TradingClient, VenueClosed>) {
  const one = yield* Effect.makeSemaphore(1)
  const scope = yield* Effect.scope
  let known: TradingClient | undefined
  /** The last failed load, which is remembered only briefly. */
  let failure: VenueClosed | undefined
  let dueAt = 0
  /** The known markets stay until they are reloaded: nobody waits, and a half list never replaces a whole one. */
  const renewed = loaded.pipe(
    Effect.flatMap((ccxt) =>
      Effect.sync(() => {
        if (known === undefined || 2 * countOf(ccxt) >= countOf(known)) known = ccxt
      })
    ),
    Effect.ignore,
    Effect.forkIn(scope)
  )
  yield* Effect.addFinalizer(() => Effect.promise(async () => void (await known?.close())))
  return one.withPermits(1)(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const isDue = now >= dueAt || dueAt - now > HOLD_MS
      if (known !== undefined) {
        if (isDue) {
          dueAt = now + HOLD_MS
          yield* renewed
        }
        return known
      }
      if (failure !== undefined && !isDue) return yield* failure
      dueAt = now + AGAIN_MS
      known = yield* Effect.tapError(loaded, (error) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          failure = error
          dueAt = now + AGAIN_MS
        })
      )
      dueAt = now + HOLD_MS
      return known
    })
  )
})

/** A ccxt without keys and markets. */
const bare = (place: Place) =>
  Effect.tryPromise({
    try: () => bareOf(place),
    catch: () => new VenueClosed({ reason: "the library cannot be loaded" })
  })

const countOf = ({ markets }: TradingClient): number => Object.keys(markets ?? {}).length

/** Creates it. Its limits are reported to all threads. */
const bareOf = async ({ base, exchange, pauses, sandbox }: Place): Promise<TradingClient> => {
  const ccxt = await load(exchange, base, { sandbox, heard: (until) => pauses.pause(exchange, until) })
  if (!isTrading(ccxt)) throw new TypeError("it cannot trade")
  // Our own budget replaces ccxt's rate limiter, because it is shared and knows what is urgent.
  ccxt.enableRateLimit = false
  // Amounts, prices and fees come out as the exchange's texts.
  ccxt.number = String
  Object.assign(ccxt.options, descriptors[exchange].options)
  // ccxt would query all coins with the key, for their withdrawal networks.
  ccxt.has["fetchCurrencies"] = false
  return ccxt
}
