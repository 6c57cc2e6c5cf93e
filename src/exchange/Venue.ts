import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { lean } from "../ccxt/lean.ts"
import { load } from "../ccxt/load.ts"
import type { Pauses } from "../ccxt/Pauses.ts"
import type { ExchangeName } from "../domain/Market.ts"
import * as Budget from "./gate/Budget.ts"
import * as Clocks from "./gate/Clocks.ts"
import { optionsOf } from "./options.ts"
import { isTrading, type TradingClient } from "./TradingClient.ts"

/** Nothing can be asked of an exchange now; `reason` says why, in words of ours. Nothing was sent. */
export class VenueClosed extends Data.TaggedError("VenueClosed")<{ readonly reason: string }> {}

/** Until the request for all markets is given up (ms): there are thousands. */
const MARKETS_MS = 30_000

/** How soon after a failure they are asked for again, and how long they hold: steps change, and coins are listed. */
const AGAIN_MS = 5000
const HOLD_MS = 12 * 3_600_000

/** The exchanges with a test network that programs can use, as the library knows them (`urls.test`). */
const SANDBOXES: ReadonlySet<ExchangeName> = new Set(["binance", "bybit", "okx"])
/** Whether an exchange has a test network that programs can use. */
export const sandboxed = (exchange: ExchangeName): boolean => SANDBOXES.has(exchange)
/** Said where it has none. */
export const NO_SANDBOX = "this exchange offers no test network to programs"

/** What all accounts at one exchange share: its markets, its clock, and what may be asked of it. */
export interface Venue {
  readonly exchange: ExchangeName
  readonly sandbox: boolean
  readonly pauses: Pauses
  readonly budget: Budget.Budget
  readonly clock: Clocks.ExchangeClock
  /** A ccxt of one's own, that knows the markets; without keys. */
  readonly open: Effect.Effect<TradingClient, VenueClosed>
  /** A ccxt without keys, for what anybody may ask. */
  readonly common: Effect.Effect<TradingClient, VenueClosed>
}

/** Where an exchange is, and whom to tell of its bans. */
export interface Place {
  readonly exchange: ExchangeName
  readonly sandbox: boolean
  /** In place of its own address. */
  readonly base?: string | undefined
  readonly pauses: Pauses
  readonly rate: Budget.Rate
  /** Until a request is given up (ms). */
  readonly requestMs: number
}

/** Asks nothing before it is used. */
export const make = Effect.fnUntraced(function* (place: Place) {
  const { exchange, pauses, rate, sandbox } = place
  const budget = yield* Budget.make(rate, () => pauses.until(exchange))
  const closed = (reason: string) => () => new VenueClosed({ reason })
  const bare = Effect.tryPromise({ try: () => bareOf(place), catch: closed("the library cannot be loaded") })

  const loaded = Effect.gen(function* () {
    if (sandbox && !sandboxed(exchange)) return yield* new VenueClosed({ reason: NO_SANDBOX })
    const ccxt = yield* bare
    const fetchMarkets = ccxt.fetchMarkets.bind(ccxt)
    ccxt.fetchMarkets = async (params) => lean(await fetchMarkets(params))
    ccxt.timeout = MARKETS_MS
    const ask = (what: () => Promise<unknown>, reason: string) =>
      budget.take("lookup").pipe(
        Effect.zipRight(Effect.tryPromise(what)),
        Effect.catchAll(() => new VenueClosed({ reason }))
      )
    yield* ask(() => ccxt.loadMarkets(), "its markets cannot be loaded")
    if (countOf(ccxt) === 0) return yield* new VenueClosed({ reason: "its markets cannot be loaded" })
    ccxt.timeout = place.requestMs
    return ccxt
  })

  // One at a time: what waits finds it loaded. A failure is remembered for moments only.
  const one = yield* Effect.makeSemaphore(1)
  const scope = yield* Effect.scope
  let known: TradingClient | undefined
  let failure: VenueClosed | undefined
  let dueAt = 0
  /** What was known holds until it is known anew: nobody waits for that, nor takes a half of it for the whole. */
  const renewed = loaded.pipe(
    Effect.flatMap((ccxt) =>
      Effect.sync(() => {
        if (known === undefined || 2 * countOf(ccxt) >= countOf(known)) known = ccxt
      })
    ),
    Effect.ignore,
    Effect.forkIn(scope)
  )
  const common = one.withPermits(1)(
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
  yield* Effect.addFinalizer(() => Effect.promise(async () => void (await known?.close())))

  const time = Effect.gen(function* () {
    const ccxt = yield* common
    // Whoever is urgent may wait for it.
    yield* budget.take("exit")
    const sent = yield* Clock.currentTimeMillis
    const told = yield* Effect.tryPromise(() => ccxt.fetchTime())
    const heard = yield* Clock.currentTimeMillis
    return { sent, heard, told: Number(told) }
  })
  const clock = yield* Clocks.make(time)

  const open = Effect.gen(function* () {
    const source = yield* common
    const ccxt = yield* bare
    ccxt.setMarketsFromExchange(source)
    ccxt.timeout = place.requestMs
    return ccxt
  })
  return { exchange, sandbox, pauses, budget, clock, open, common } satisfies Venue
})

const countOf = ({ markets }: TradingClient): number => Object.keys(markets ?? {}).length

/** Without keys and markets. What limits it says of itself is heard by all. */
const bareOf = async ({ base, exchange, pauses, sandbox }: Place): Promise<TradingClient> => {
  const ccxt = await load(exchange, base, { sandbox, heard: (until) => pauses.pause(exchange, until) })
  if (!isTrading(ccxt)) throw new TypeError("it cannot trade")
  // The budget is shared, and knows what is urgent.
  ccxt.enableRateLimit = false
  // Amounts, prices and fees come out as the texts that the exchange wrote.
  ccxt.number = String
  Object.assign(ccxt.options, optionsOf(exchange))
  // It would ask for all coins with the key, to know which networks they may be withdrawn over.
  ccxt.has["fetchCurrencies"] = false
  return ccxt
}
