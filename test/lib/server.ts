// The HTTP server in the test's process, without a socket, over ports in memory.
import { Effect, Exit, Layer, Logger, ManagedRuntime, Option, Redacted, Scope } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import { STARTING_BALANCES as paper, startingBalanceOf } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { HaltCause } from "../../src/domain/Halt.ts"
import type { ManualOrder } from "../../src/domain/position/ManualOrder.ts"
import { type Reading, read, readDraft, readPatch, view } from "../../src/domain/requests/StrategyRequest.ts"
import { Violations } from "../../src/domain/requests/Violations.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import * as Edge from "../../src/http/edge/Edge.ts"
import { docs } from "../../src/http/ReferencePage.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Backups } from "../../src/services/Backups.ts"
import { Bots } from "../../src/services/Bots.ts"
import * as MemoryBacktester from "../../src/services/backtest/MemoryBacktester.ts"
import { Copies } from "../../src/services/directory/Copies.ts"
import { Copying } from "../../src/services/directory/Copying.ts"
import { Directory } from "../../src/services/directory/Directory.ts"
import { PublicPages } from "../../src/services/directory/PublicPages.ts"
import { Events } from "../../src/services/Events.ts"
import type { ManualResult } from "../../src/services/engine/orders/ManualForms.ts"
import * as ManualForms from "../../src/services/engine/orders/ManualForms.ts"
import { EquityHistory } from "../../src/services/equity/EquityHistory.ts"
import { StrategyFigures } from "../../src/services/equity/StrategyFigures.ts"
import { Candles } from "../../src/services/feeds/Candles.ts"
import { Charts } from "../../src/services/feeds/Charts.ts"
import * as MemoryMarkets from "../../src/services/feeds/MemoryMarkets.ts"
import type { ClusterReading } from "../../src/services/health/ClusterReading.ts"
import { Meters } from "../../src/services/health/Meters.ts"
import { Refusals } from "../../src/services/health/Refusals.ts"
import { Storage } from "../../src/services/health/Storage.ts"
import { Idempotency } from "../../src/services/Idempotency.ts"
import { Journal } from "../../src/services/Journal.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { Notifications } from "../../src/services/Notifications.ts"
import { Chats } from "../../src/services/notify/Chats.ts"
import { Outbound } from "../../src/services/notify/Outbound.ts"
import { Targets } from "../../src/services/notify/Targets.ts"
import { Performance } from "../../src/services/Performance.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import * as PriceFeed from "../../src/services/PriceFeed.ts"
import { RateLimits, type Rates } from "../../src/services/RateLimits.ts"
import { MemoryState } from "../../src/services/records/MemoryState.ts"
import { Overview } from "../../src/services/records/Overview.ts"
import { Results } from "../../src/services/records/Results.ts"
import { SignInCodes } from "../../src/services/records/SignInCodes.ts"
import { StrategyPages } from "../../src/services/records/StrategyPages.ts"
import { Trades } from "../../src/services/records/Trades.ts"
import { WhatIfTries } from "../../src/services/records/WhatIfTries.ts"
import { Sessions } from "../../src/services/Sessions.ts"
import { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import type { Tickers } from "../../src/services/Tickers.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import { Tokens as OwnTokens } from "../../src/services/Tokens.ts"
import { Validation } from "../../src/services/Validation.ts"
import { start as begin } from "../../src/trading/Bot.ts"
import { live } from "./live.ts"

/** Strategies without catalogue and bots: only types, bounds and dependent fields are checked. */
const strategies = Layer.effect(
  Strategies,
  Effect.gen(function* () {
    const store = yield* StrategyStore
    const performance = yield* Performance
    const shown = (strategy: Parameters<typeof view>[0]) =>
      view(
        strategy,
        { makerFeePercent: 0.1, takerFeePercent: 0.1 },
        { summary: performance.summary(performance.begin(Decimal.hundred, 0), 0) }
      )
    const settled = ({ settings, violations }: Reading) =>
      violations.length > 0 || Option.isNone(settings)
        ? Violations.of(violations)
        : Effect.succeed(settings.value)
    const created = (account: AccountId, reading: Reading) =>
      Effect.flatMap(settled(reading), (settings) => Effect.map(store.create(account, settings), shown))
    const changed = (account: AccountId, id: number, reading: (stored: Settings) => Reading) =>
      Effect.flatMap(store.get(account, id), ({ settings }) =>
        Effect.flatMap(settled(reading(settings)), (merged) =>
          Effect.map(store.update(account, id, merged), shown)
        )
      )
    return {
      create: (account, draft) => created(account, readDraft(draft)),
      post: (account, body) => created(account, read(body, Option.none())),
      get: (account, id) => Effect.map(store.visible(account, id), shown),
      list: (account, page) => Effect.map(store.list(account, page), (all) => all.map(shown)),
      update: (account, id, patch) => changed(account, id, (stored) => readPatch(patch, stored)),
      put: (account, id, body) => changed(account, id, (stored) => read(body, Option.some(stored))),
      remove: (account, id) =>
        id === 666
          ? Effect.die(new Error("planted"))
          : Effect.catchTag(store.remove(account, id), "AlertsUnjudged", Effect.die)
    } satisfies typeof Strategies.Service
  })
)
const cancelled = ({ exchange, pair }: ManualOrder): ManualResult => ({
  market: { exchange, pair, kind: "spot" },
  isPreview: false,
  outcome: "entry_cancelled",
  text: "The waiting entry is cancelled.",
  isLive: false,
  order: undefined,
  plan: undefined,
  fills: []
})
/** No bots. */
const idleBots = Layer.succeed(Bots, {
  admit: () => Effect.succeed([]),
  end: () => Effect.void,
  preview: () => Effect.succeed([]),
  standings: () => Effect.succeed(new Map()),
  started: Effect.succeed([]),
  arm: () => Effect.void,
  disarm: () => Effect.void,
  byHand: (strategy, order, { form }) =>
    Effect.succeed(ManualForms.written(form, { strategy, result: cancelled(order), standing: undefined })),
  previewByHand: (_, order) => Effect.succeed({ ...cancelled(order), isPreview: true }),
  stand: ({ settings: { quote } }) =>
    Effect.succeed({ state: begin(quote, startingBalanceOf(paper, quote)), lostToday: undefined }),
  watchAlso: () => Effect.void,
  caughtUp: Effect.void
})

/** Accepts every post, unless its host names a status: `https://STATUS.example`. */
const outbound = Layer.succeed(Outbound, {
  post: ({ url }) =>
    Effect.succeed({
      status: Number(/^https:\/\/(\d{3})\./.exec(url)?.[1] ?? 200),
      retryAfterSeconds: 0,
      text: ""
    })
})
/** Notifications that are never delivered. */
export const notifying = Notifications.layer({
  allowPrivate: false,
  telegramUrl: "https://api.telegram.org"
}).pipe(Layer.provide(outbound))
const notifications = notifying.pipe(
  Layer.provideMerge(Layer.mergeAll(Chats.layerMemory, Events.layerMemory, Targets.layerMemory))
)

/** The ports in memory and the use cases over them. */
export const world = (rates: Rates, prices: Layer.Layer<Tickers> = PriceFeed.layerNone) =>
  Layer.mergeAll(
    StrategyPages.layer({ paper }),
    StrategyFigures.layer({ paper }),
    Layer.provide(PublicPages.layer({ paper }), StrategyFigures.layer({ paper })),
    Layer.provide(Copying.layer({ paper, maxPairs: 200 }), Validation.layer),
    Charts.layer({ paper }),
    Overview.layer({ paper })
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Alerts.layer,
        MemoryBacktester.layer,
        OwnTokens.layer,
        Refusals.layer,
        strategies,
        RateLimits.layerMemory(rates)
      )
    ),
    Layer.provideMerge(live),
    Layer.provideMerge(idleBots),
    Layer.provideMerge(
      Layer.mergeAll(
        Backups.layerMemory,
        MemoryMarkets.layer,
        Sessions.layerMemory.pipe(Layer.provideMerge(Accounts.layerMemory)),
        Signals.layerMemory,
        SignInCodes.layerMemory,
        WhatIfTries.layerMemory,
        StrategyStore.layerMemory,
        Directory.layerMemory,
        Copies.layerMemory,
        Idempotency.layerMemory,
        Timeline.layerMemory,
        Layer.merge(notifications, Results.layerMemory).pipe(Layer.provideMerge(Journal.layerMemory)),
        Trades.layerMemory,
        Portfolio.layerMemory,
        EquityHistory.layerMemory,
        Storage.layerMemory,
        Candles.layerNone,
        Performance.layer,
        prices
      )
    ),
    Layer.provideMerge(Layer.merge(MemoryState.layer, Meters.layer))
  )

/** Tokens of two accounts: `ann` and `bob` have full scope, `hook` may only send Ann's alerts. */
export interface Tokens {
  readonly ann: string
  readonly hook: string
  readonly bob: string
}

export const tokens = Effect.gen(function* () {
  const accounts = yield* Accounts
  const make = (account: string, scope: "full" | "alerts") =>
    Effect.map(accounts.issue(account, scope, Option.none()), ({ secret }) => Redacted.value(secret))
  return {
    ann: yield* make("ann", "full"),
    hook: yield* make("ann", "alerts"),
    bob: yield* make("bob", "full")
  }
})

/** A server in this process. */
export interface TestServer extends Tokens {
  readonly fetch: (path: string, init?: RequestInit, peer?: string) => Promise<Response>
  readonly edge: Edge.Edge
  /** Halts everybody, as a command would. */
  readonly halt: (cause: HaltCause) => Promise<unknown>
  /** Makes it a node of a cluster that stands so. */
  readonly cluster: (reading: ClusterReading) => Promise<unknown>
  /** An account's events without an alert: kind, rule and text. */
  readonly told: (account: "ann" | "bob") => Promise<ReadonlyArray<ReadonlyArray<string>>>
  readonly stop: () => Promise<void>
}

export const NO_LIMITS: Rates = { crud: 0, alert: 0 }

export const start = async (
  rates: Rates = NO_LIMITS,
  options: Edge.Options = {},
  prices?: Layer.Layer<Tickers>
): Promise<TestServer> => {
  const quiet = Layer.merge(Layer.setTracerEnabled(false), Logger.replace(Logger.defaultLogger, Logger.none))
  const runtime = ManagedRuntime.make(Layer.merge(world(rates, prices), quiet))
  const scope = Effect.runSync(Scope.make())
  const edge = await runtime.runPromise(Scope.extend(Edge.make({ docs, ...options }), scope))
  return {
    ...(await runtime.runPromise(tokens)),
    edge,
    halt: (cause) =>
      runtime.runPromise(Effect.flatMap(Halts, (halts) => halts.halt(Option.none(), cause, cause))),
    cluster: (reading) =>
      runtime.runPromise(
        Effect.flatMap(Meters, ({ cluster }) =>
          Effect.sync(() => {
            cluster.reading = () => reading
          })
        )
      ),
    told: (account) => {
      const events = Effect.flatMap(Events, ({ after }) =>
        after(AccountId.make(account === "ann" ? 1 : 2), { entry: 0, alert: 0 }, 1_000)
      )
      return runtime.runPromise(
        Effect.map(events, (found) => found.events.map(({ event }) => [event.kind, event.rule, event.text]))
      )
    },
    fetch: (path, init, peer = "203.0.113.1") =>
      edge.handle(new Request(`http://localhost${path}`, init), () => peer),
    stop: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    }
  }
}
