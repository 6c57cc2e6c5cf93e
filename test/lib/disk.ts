// The server without a listener on a database, which tests close, kill and open again: a file, or one of Postgres by its
// address.
import { copyFileSync, existsSync } from "node:fs"
import { Effect, Layer } from "effect"
import { STARTING_BALANCES } from "../../src/domain/Bot.ts"
import type { Accounts } from "../../src/services/Accounts.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Exchange } from "../../src/services/Exchange.ts"
import * as EngineLayer from "../../src/services/engine/EngineLayer.ts"
import type { Options } from "../../src/services/engine/EngineState.ts"
import type { Idempotency } from "../../src/services/Idempotency.ts"
import type { Journal } from "../../src/services/Journal.ts"
import type { Markets } from "../../src/services/Markets.ts"
import type { Halts } from "../../src/services/money/Halts.ts"
import type { Orders } from "../../src/services/money/Orders.ts"
import { Performance } from "../../src/services/Performance.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import * as PriceFeed from "../../src/services/PriceFeed.ts"
import type { Trades } from "../../src/services/records/Trades.ts"
import type { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import type { StrategyStore } from "../../src/services/StrategyStore.ts"
import type { Timeline } from "../../src/services/Timeline.ts"
import { Validation } from "../../src/services/Validation.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { onDatabase } from "../services/ports.ts"
import * as Flow from "./flow.ts"
import * as Own from "./ownVenue.ts"

export interface Parts extends Partial<Options> {
  readonly exchange?: Layer.Layer<Exchange>
  readonly performance?: Layer.Layer<Performance>
  /** Wraps the portfolio's commits. */
  readonly commit?: (commit: CommitOf) => CommitOf
  /** Whether the server lists the embedder's venue, and has its markets. */
  readonly own?: boolean
  /** Wraps the portfolio's read of one bot. */
  readonly bot?: (bot: BotOf) => BotOf
}
type CommitOf = (typeof Portfolio.Service)["commit"]
type BotOf = (typeof Portfolio.Service)["bot"]

/** What the engine and the use cases of these tests read and write. */
type Stored =
  | Accounts
  | Halts
  | Idempotency
  | Journal
  | Markets
  | Orders
  | Portfolio
  | Signals
  | StrategyStore
  | Timeline
  | Trades

/** Everything of the real server below http over stored ports, with prices that the test publishes. */
export const worldOn = <Others, E>(stored: Layer.Layer<Stored | Others, E>, parts: Parts = {}) => {
  const paper = parts.paper ?? STARTING_BALANCES
  const { bot = (inner: BotOf) => inner, commit = (inner: CommitOf) => inner } = parts
  const needed: Layer.Layer<Stored, E> = stored
  const portfolio = Layer.effect(
    Portfolio,
    Effect.map(Portfolio, (inner) => ({ ...inner, commit: commit(inner.commit), bot: bot(inner.bot) }))
  )
  const server = Layer.mergeAll(Strategies.layer({ maxPairs: 200, paper }), Alerts.layer).pipe(
    Layer.provideMerge(
      EngineLayer.layer({
        paper,
        patience: parts.patience ?? DEFAULT_PATIENCE,
        with: parts.with ?? [],
        without: parts.without ?? []
      })
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        Validation.layer,
        parts.performance ?? Performance.layer,
        parts.exchange ?? Exchange.layerPaper,
        PriceFeed.layer("by hand")
      )
    ),
    Layer.provideMerge(parts.own === true ? Layer.merge(Own.venues, Own.markets) : Layer.empty),
    Layer.provideMerge(portfolio),
    Layer.provideMerge(needed)
  )
  return Layer.merge(stored, server)
}

/** The same on a file of SQLite, or on a database of Postgres by its address. */
export const world = (filename: string, parts: Parts = {}) => worldOn(onDatabase(filename), parts)

export type World = Layer.Layer.Success<ReturnType<typeof world>>

/** Runs the server from its start to its orderly end. */
export const run = <A, E, R>(filename: string, self: Effect.Effect<A, E, R>, parts: Parts = {}) =>
  Effect.provide(self, Layer.fresh(world(filename, parts)))

/** Ann, whose strategy bought at 100 on a server that has ended since. */
export const bought = (filename: string, changes: Flow.Body = {}) =>
  run(
    filename,
    Effect.gen(function* () {
      const ann = yield* Flow.ann(changes)
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      return ann
    })
  )

/** Copies the file as a kill would leave it at this moment: committed rows, but nothing that a finalizer stores. */
export const copy = (from: string, to: string): string => {
  copyFileSync(from, to)
  if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${to}-wal`)
  return to
}
