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
import { RealTime } from "../../src/services/internal/RealTime.ts"
import type { Wallets } from "../../src/services/money/Wallets.ts"
import { Performance } from "../../src/services/Performance.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import type { Tickers } from "../../src/services/Tickers.ts"
import { Validation } from "../../src/services/Validation.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import type { Disk, Stored } from "./Disk.ts"
import type { Life } from "./Loom.ts"

/** The services below the use cases, where planted bugs go. */
export type Base =
  | Stored
  | Exchange
  | Performance
  | StreamingFeed.StreamingFeed
  | Tickers
  | Validation
  | Wallets

export type Services = Base | Alerts | Arming | Bots | ExchangeAccounts | Strategies

/** Replaces services below the use cases. */
export type Alter = (base: Context.Context<Base>) => Context.Context<Base>

export interface Parts {
  readonly disk: Disk
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
const layer = ({ accounts, alter, bounds, disk, exchange, life, turnMs, wallets }: Parts) => {
  const base = Layer.mergeAll(
    disk.layer((then) => life.after(turnMs(), then)),
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

  everywhere(asked: Effect.Effect<void, never, Services>): void {
    this.call(asked)
  }

  #run<A, E>(effect: Effect.Effect<A, E>) {
    return runIn(this.life, Effect.provide(effect, this.#logger))
  }
}

/** Runs an effect as a task of a life: by its clock, with the world's chance. */
export const runIn = <A, E>(life: Life, effect: Effect.Effect<A, E>) => {
  const inWorld = effect.pipe(
    Effect.withClock(life.clock),
    Effect.withRandom(Random.make(life.loom.dice.whole(0, 2 ** 30))),
    Effect.provideService(RealTime, life.clock),
    Effect.withTracerEnabled(false)
  )
  return Effect.runFork(inWorld, { scheduler: life })
}

export const loggerOf = ({ logged }: Pick<Watcher, "logged">) =>
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
