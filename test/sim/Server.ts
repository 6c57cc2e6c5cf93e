// One life of the real server below http, on the simulated disk, clock, prices and exchange.

import {
  Cause,
  type Context,
  Effect,
  Exit,
  Layer,
  Logger,
  LogLevel,
  Option,
  Random,
  type Scope
} from "effect"
import { STARTING_BALANCES } from "../../src/domain/Bot.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Arming } from "../../src/services/Arming.ts"
import type { Bots } from "../../src/services/Bots.ts"
import type { Exchange } from "../../src/services/Exchange.ts"
import type { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import * as EngineLayer from "../../src/services/engine/EngineLayer.ts"
import { type Bounds, EngineLimits } from "../../src/services/engine/EngineLimits.ts"
import * as StreamingFeed from "../../src/services/feeds/StreamingFeed.ts"
import type { Idempotency } from "../../src/services/Idempotency.ts"
import { RealTime } from "../../src/services/internal/RealTime.ts"
import type { Journal } from "../../src/services/Journal.ts"
import type { Markets } from "../../src/services/Markets.ts"
import type { Halts } from "../../src/services/money/Halts.ts"
import type { Orders } from "../../src/services/money/Orders.ts"
import type { Wallets } from "../../src/services/money/Wallets.ts"
import { Performance } from "../../src/services/Performance.ts"
import type { Portfolio } from "../../src/services/Portfolio.ts"
import type { Trades } from "../../src/services/records/Trades.ts"
import type { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import type { StrategyStore } from "../../src/services/StrategyStore.ts"
import type { Tickers } from "../../src/services/Tickers.ts"
import type { Timeline } from "../../src/services/Timeline.ts"
import { Validation } from "../../src/services/Validation.ts"
import { ChangeWatch } from "../../src/sql/client/ChangeWatch.ts"
import * as HaltRows from "../../src/sql/Halts.ts"
import * as KeyRows from "../../src/sql/Idempotency.ts"
import * as MarketRows from "../../src/sql/Markets.ts"
import * as OrderRows from "../../src/sql/Orders.ts"
import * as SignalRows from "../../src/sql/Signals.ts"
import * as StrategyRows from "../../src/sql/StrategyStore.ts"
import * as TimelineRows from "../../src/sql/Timeline.ts"
import * as TradeRows from "../../src/sql/Trades.ts"
import * as Client from "../../src/sqlite/client/Client.ts"
import * as JournalRows from "../../src/sqlite/Journal.ts"
import * as Migrations from "../../src/sqlite/Migrations.ts"
import * as PortfolioRows from "../../src/sqlite/Portfolio.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import type { Life } from "./Loom.ts"

/** The services below the use cases, where planted bugs go. */
export type Base =
  | Exchange
  | Halts
  | Idempotency
  | Journal
  | Markets
  | Orders
  | Performance
  | Portfolio
  | StreamingFeed.StreamingFeed
  | Signals
  | StrategyStore
  | Tickers
  | Timeline
  | Trades
  | Validation
  | Wallets

export type Services = Base | Alerts | Arming | Bots | ExchangeAccounts | Strategies

/** Replaces services below the use cases. */
export type Alter = (base: Context.Context<Base>) => Context.Context<Base>

export interface Parts {
  readonly filename: string
  readonly life: Life
  readonly exchange: Layer.Layer<Exchange>
  readonly wallets: Layer.Layer<Wallets>
  readonly accounts: Layer.Layer<ExchangeAccounts>
  readonly alter: Alter
  /** How long the journal waits to share a commit (ms). */
  readonly turnMs: () => number
  readonly bounds: Bounds
}

/** The use cases, engine and storage over the world's prices and exchange. */
const layer = ({ accounts, alter, bounds, exchange, filename, life, turnMs, wallets }: Parts) => {
  const database = Migrations.layer(filename).pipe(
    Layer.provideMerge(Client.layer(filename)),
    Layer.provideMerge(ChangeWatch.layer)
  )
  const rows = Layer.mergeAll(
    SignalRows.layer,
    StrategyRows.layer,
    MarketRows.layer,
    JournalRows.layerWith((then) => life.after(turnMs(), then)),
    TimelineRows.layer,
    PortfolioRows.layer,
    KeyRows.layer,
    OrderRows.layer,
    TradeRows.layer,
    HaltRows.layer
  ).pipe(Layer.provide(database))
  const base = Layer.mergeAll(
    rows,
    exchange,
    wallets,
    Validation.layer,
    Performance.layer,
    StreamingFeed.layer
  )
  return Layer.mergeAll(Strategies.layer({ maxPairs: 200, paper: STARTING_BALANCES }), Alerts.layer).pipe(
    Layer.provideMerge(Arming.layer()),
    Layer.provideMerge(
      Layer.provide(
        EngineLayer.layer({ paper: STARTING_BALANCES, patience: DEFAULT_PATIENCE }),
        Layer.succeed(EngineLimits, bounds)
      )
    ),
    Layer.provideMerge(accounts),
    Layer.provideMerge(Layer.map(base, alter))
  )
}

/** Hears of failures of the server. */
export interface Watcher {
  readonly ready: () => void
  readonly ended: (why: string) => void
  readonly logged: (level: string, text: string) => void
}

/** One life: from a start to a crash. */
export class Server {
  readonly life: Life
  #context: Context.Context<Services> | undefined
  readonly #logger: Layer.Layer<never>

  constructor(parts: Parts, watcher: Watcher) {
    this.life = parts.life
    this.#logger = loggerOf(watcher)
    const program = Effect.gen(this, function* () {
      this.#context = yield* Layer.build(layer(parts))
      watcher.ready()
      return yield* Effect.never
    }).pipe(Effect.scoped)
    this.#run(program).addObserver((exit) => {
      if (this.life.alive && Exit.isFailure(exit)) watcher.ended(Cause.pretty(exit.cause))
    })
  }

  get isReady(): boolean {
    return this.#context !== undefined
  }

  /** Makes a request; `answer` is not called if the server dies first or is not ready. */
  call<A, E>(
    asked: Effect.Effect<A, E, Services | Scope.Scope>,
    answer: (exit: Exit.Exit<A, E>) => void = () => {}
  ): void {
    if (this.#context === undefined) return
    this.#run(Effect.provide(Effect.scoped(asked), this.#context)).addObserver((exit) => {
      if (this.life.alive) answer(exit)
    })
  }

  #run<A, E>(effect: Effect.Effect<A, E>) {
    const { clock, loom } = this.life
    const inWorld = effect.pipe(
      Effect.withClock(clock),
      Effect.withRandom(Random.make(loom.dice.whole(0, 2 ** 30))),
      Effect.provideService(RealTime, clock),
      Effect.withTracerEnabled(false),
      Effect.provide(this.#logger)
    )
    return Effect.runFork(inWorld, { scheduler: this.life })
  }
}

const loggerOf = ({ logged }: Watcher) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ cause, logLevel, message }) => {
      if (!LogLevel.greaterThanEqual(logLevel, LogLevel.Warning)) return
      const text = [message].flat().map(String).join(" ")
      logged(logLevel.label, Cause.isEmpty(cause) ? text : `${text}: ${Cause.pretty(cause)}`)
    })
  )

/** The failure of an exit, if callers may expect it. */
export const failureOf = <A, E>(exit: Exit.Exit<A, E>): E | undefined =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.failureOption(exit.cause)) : undefined
