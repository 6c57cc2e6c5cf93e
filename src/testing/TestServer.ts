// A whole server in memory for one test, on a virtual clock: send alerts, publish prices, let time pass, and read the
// results.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Identity } from "../domain/Account.ts"
import { type AlertId, type AlertType, type Extras, instruction } from "../domain/Alert.ts"
import { baseOf, type ExchangeName, type MarketKind, Pair, quoteOf } from "../domain/Market.ts"
import type { StrategyPatch } from "../domain/requests/StrategyDraft.ts"
import type { Signal, SignalDraft } from "../domain/Signal.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import { ofLast } from "../domain/Ticker.ts"
import { Http } from "../http/Mount.ts"
import * as Memory from "../Memory.ts"
import { Accounts } from "../services/Accounts.ts"
import { Alerts } from "../services/Alerts.ts"
import { Bots } from "../services/Bots.ts"
import type { Exchange } from "../services/Exchange.ts"
import type { Wallets } from "../services/money/Wallets.ts"
import { PriceFeed } from "../services/PriceFeed.ts"
import { Signals } from "../services/Signals.ts"
import { Strategies } from "../services/Strategies.ts"
import { PriceEvent } from "../services/Tickers.ts"
import { ENDLESS_PATIENCE } from "../trading/AlertPatience.ts"
import { signalDraft, strategyRequest } from "./Fixtures.ts"
import { inStrides, type Script } from "./PriceScript.ts"
import { handleOf, type StrategyHandle } from "./StrategyHandle.ts"
import * as UnlimitedWallets from "./UnlimitedWallets.ts"
import * as VirtualClock from "./VirtualClock.ts"

/** The initial state of a test. */
export interface Options extends Memory.Options {
  /** The owner's account name; by default `ann`. */
  readonly account?: string
  /** Signals; by default one. Missing fields are as in `Fixtures.signalDraft`. */
  readonly signals?: ReadonlyArray<Partial<SignalDraft>>
  /**
   * Strategies; by default one. Missing fields are as in `Fixtures.strategyRequest`. Each follows
   * the first signal unless it names another.
   */
  readonly strategies?: ReadonlyArray<StrategyPatch>
  /**
   * Candles within this span are played together unless an alert comes between them: by default a week, or none with
   * an exchange of your own, which may need queries in between. The bots' decisions are the same; only their clocks
   * stand still meanwhile.
   */
  readonly stride?: Duration.DurationInput
  /**
   * The script for `play`, such as `PriceScript.start(100).alert("buy").to(110, "1 hour")`. If it has candles, alerts wait
   * for the next candle, as in a back-test; a candle inside every watch window of the bots costs next to nothing.
   */
  readonly prices?: Script
}

/** Options of `run`. */
export interface RunOptions extends Options, VirtualClock.Beginning {
  /** The exchange that gets the orders, such as a `ScriptedExchange`'s layer; by default paper trading. */
  readonly exchange?: Layer.Layer<Exchange>
  /** The balances of exchange accounts; by default plenty. See `Wallets.layerMemory`. */
  readonly wallets?: Layer.Layer<Wallets>
  /** The lowest level of logs to print; by default Error. */
  readonly logs?: LogLevel.LogLevel
}

/** All services of the server in memory; a test may use each. */
export type Services = Layer.Layer.Success<ReturnType<typeof Memory.layer>>

/** A market; by default spot BTC/USDT on binance. */
export interface At {
  readonly pair?: string
  readonly kind?: MarketKind
  readonly exchange?: ExchangeName
}

/** The content of an alert besides its type. */
export interface Saying {
  /** By default BTC/USDT. */
  readonly pair?: string
  readonly tp?: number
  readonly sl?: number
  /** The optional fields, such as `{ closePercent: 50 }`. */
  readonly extras?: Extras
  /** By default the test's first signal. */
  readonly signal?: Signal
}

/** A server in memory with one user. Every method except `fetch` ends only when the bots have finished. */
export interface TestServer {
  /** The owner, as the bearer of `token`. */
  readonly identity: Identity
  /** A token with all rights. */
  readonly token: string
  /** A token that may only send alerts. */
  readonly alertToken: string
  readonly signals: ReadonlyArray<Signal>
  /** The first signal. */
  readonly signal: Signal
  readonly strategies: ReadonlyArray<StrategyHandle>
  /** The first strategy. */
  readonly strategy: StrategyHandle
  /** Sends an alert, which acts at the current price or waits for one; returns its id. */
  readonly alert: (type: AlertType, saying?: Saying) => Effect.Effect<AlertId>
  /** Publishes a market's price. Bots trade on a price for ten seconds. */
  readonly price: (price: number, at?: At) => Effect.Effect<void>
  /** Plays a script, by default the one in the options, letting time pass between its moments. */
  readonly play: (script?: Script) => Effect.Effect<void>
  /** Lets time pass. */
  readonly pass: (by: Duration.DurationInput, options?: VirtualClock.Passing) => Effect.Effect<void>
  /** Waits until every alert has an outcome or waits for a price. */
  readonly caughtUp: Effect.Effect<void>
  /** Calls the HTTP interface without a socket, with `token` unless `init` has another Authorization. */
  readonly fetch: (path: string | URL | Request, init?: RequestInit) => Promise<Response>
}

/**
 * Runs a test against a server of its own, in its own time. Rejects with what the test failed with.
 *
 * @example
 * ```ts
 * import { test } from "node:test"
 * import { Effect } from "effect"
 * import { expectTimeline, TestServer } from "signalbox/testing"
 *
 * test("a stop loss closes", () =>
 *   TestServer.run({ strategies: [{ stop_loss: true, stop_loss_percentage: 5 }] }, (server) =>
 *     Effect.gen(function* () {
 *       yield* server.price(60_000)
 *       yield* server.alert("buy")
 *       yield* server.price(57_000)
 *       yield* expectTimeline(
 *         server.strategy,
 *         `t=0 | alert
 *          t=0 | opened | Ordered to buy 0.083333 BTC on BTC/USDT at 60000...
 *          t=0 | closed | ...stop loss...
 *          t=0 | trade`
 *       )
 *     })
 *   ))
 * ```
 */
export const run = <A, E>(
  options: RunOptions,
  test: (server: TestServer) => Effect.Effect<A, E, Services | VirtualClock.VirtualClock | Scope.Scope>
): Promise<A> =>
  runOn(
    Memory.layerWith(
      Layer.merge(options.exchange ?? Layer.empty, options.wallets ?? UnlimitedWallets.layer),
      memoryOptions(options)
    ),
    options,
    test
  )

/**
 * Runs a test on services of your own, such as `Memory.layerWith(mySignals)`. Options that say how to build the
 * services are ignored.
 */
export const runOn = <A, E, LE>(
  services: Layer.Layer<Services, LE>,
  options: RunOptions,
  test: (server: TestServer) => Effect.Effect<A, E, Services | VirtualClock.VirtualClock | Scope.Scope>
): Promise<A> =>
  VirtualClock.run(
    VirtualClock.on(Effect.flatMap(make({ ...strideOf(options), ...options }), test), services).pipe(
      Effect.withTracerEnabled(false),
      Logger.withMinimumLogLevel(options.logs ?? LogLevel.Error)
    ),
    options
  )

/** A test server over existing services: what `run` passes to the test. */
export const make: (
  options?: Options
) => Effect.Effect<TestServer, never, Services | VirtualClock.VirtualClock | Scope.Scope> = Effect.fnUntraced(
  function* (options: Options = {}) {
    const context = yield* Effect.context<Services | VirtualClock.VirtualClock>()
    const http = Context.get(yield* Layer.build(Http.layer()), Http)
    const bots = yield* Bots
    const alerts = yield* Alerts
    const feed = yield* PriceFeed
    const startsAt = yield* Clock.currentTimeMillis
    const { alertToken, identity, token } = yield* user(options.account ?? "ann")
    const signals = yield* signalsOf(identity, options.signals ?? [{}])
    const [signal] = signals
    if (signal === undefined) return yield* Effect.dieMessage("a test server begins with a signal at least")
    const strategies = yield* Effect.forEach(options.strategies ?? [{}], (body) =>
      Effect.map(created(identity, { signal_id: signal.id, ...body }), (id) =>
        handleOf(identity.account, id, startsAt, context)
      )
    )
    const [strategy] = strategies
    if (strategy === undefined)
      return yield* Effect.dieMessage("a test server begins with a strategy at least")

    const receive = (type: AlertType, { signal: of = signal, ...saying }: Saying = {}) => {
      const pair = Pair.make(saying.pair ?? "BTC/USDT")
      const { extras, sl, tp } = saying
      const [coin, quoteCurrency] = [baseOf(pair), quoteOf(pair)]
      return alerts
        .receive(identity, instruction({ signalId: of.id, coin, quoteCurrency, type, tp, sl, ...extras }), {})
        .pipe(
          Effect.map(({ id }) => id),
          Effect.orDie
        )
    }
    const alert: TestServer["alert"] = (type, saying) => Effect.zipLeft(receive(type, saying), bots.caughtUp)
    const price = (price: number, { exchange = "binance", kind = "spot", pair = "BTC/USDT" }: At = {}) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const market = { exchange, pair: Pair.make(pair), kind }
        return feed.publish([PriceEvent.Quoted({ market, ticker: ofLast(price, now) })])
      })
    const strideMs = Duration.toMillis(options.stride ?? "7 days")
    const play = Effect.fnUntraced(function* (script: Script = options.prices ?? []) {
      let isBarred = false
      for (const moment of inStrides(script, strideMs)) {
        // No price is known between two candles, so wait for the next.
        isBarred ||= moment.isBarred
        yield* VirtualClock.passTo(moment.at, isBarred ? { leap: Number.POSITIVE_INFINITY } : {})
        if (moment.act._tag === "Prices") isBarred = moment.isBarred
        if (moment.act._tag === "Prices") yield* feed.publish(moment.act.events)
        // Between candles an alert is judged with the next one.
        else if (isBarred) yield* receive(moment.act.type, moment.act)
        else yield* alert(moment.act.type, moment.act)
      }
      yield* bots.caughtUp
      // Candles that were played together end later than they begin.
      const last = script.at(-1)
      if (last !== undefined) yield* VirtualClock.passTo(last.at, { leap: Number.POSITIVE_INFINITY })
    })
    const server: TestServer = {
      identity,
      token,
      alertToken,
      signals,
      signal,
      strategies,
      strategy,
      alert,
      price,
      play: (script) => Effect.provide(play(script), context),
      pass: (by, passing) => Effect.provide(VirtualClock.pass(by, passing), context),
      caughtUp: bots.caughtUp,
      fetch: (path, init) => http.handle(authorized(path, init, token), "203.0.113.1")
    }
    return server
  }
)

const memoryOptions = ({ patience, prices = [], rates = { crud: 0, alert: 0 }, ...rest }: RunOptions) => {
  const hasCandles = prices.some(({ act }) => act._tag === "Price" && act.event._tag === "Barred")
  const waits = patience ?? (hasCandles ? ENDLESS_PATIENCE : undefined)
  return { ...rest, rates, ...(waits === undefined ? {} : { patience: waits }) }
}

/** With an exchange of its own a test may need queries between two candles. */
const strideOf = ({ exchange }: RunOptions) => (exchange === undefined ? {} : { stride: 0 })

const user = Effect.fnUntraced(function* (name: string) {
  const accounts = yield* Accounts
  const issue = (scope: Identity["scope"]) =>
    Effect.map(accounts.issue(name, scope, Option.none()), ({ secret }) => Redacted.value(secret))
  const token = yield* issue("full")
  const identity = yield* Effect.flatten(accounts.authenticate(token))
  return { identity, token, alertToken: yield* issue("alerts") }
}, Effect.orDie)

const signalsOf = ({ account }: Identity, drafts: ReadonlyArray<Partial<SignalDraft>>) =>
  Effect.flatMap(Signals, (signals) =>
    Effect.forEach(drafts, (draft) => signals.create(account, signalDraft(draft)))
  ).pipe(Effect.orDie)

const created = ({ account }: Identity, draft: StrategyPatch) =>
  Effect.flatMap(Strategies, (strategies) => strategies.create(account, strategyRequest(draft))).pipe(
    Effect.map((view) => StrategyId.make(view.strategy_id)),
    Effect.orDie
  )

const authorized = (path: string | URL | Request, init: RequestInit | undefined, token: string): Request => {
  const request =
    path instanceof Request
      ? new Request(path, init)
      : new Request(new URL(path, "http://signalbox.test").href, init)
  if (!request.headers.has("authorization")) request.headers.set("authorization", `Bearer ${token}`)
  return request
}
