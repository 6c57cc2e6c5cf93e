// Two servers in this process over one database of Postgres, each with caches, connections and an engine of its own. The
// test gives out the partitions by hand; everything else is what a real server has.
import type * as SqlClient from "@effect/sql/SqlClient"
import { type Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import * as Composition from "../../../src/Composition.ts"
import { STARTING_BALANCES } from "../../../src/domain/Bot.ts"
import { type Partition, partitionOf, partitions } from "../../../src/domain/Partition.ts"
import * as Backups from "../../../src/postgres/Backups.ts"
import * as Postgres from "../../../src/postgres/Postgres.ts"
import * as MemoryBacktester from "../../../src/services/backtest/MemoryBacktester.ts"
import { Exchange } from "../../../src/services/Exchange.ts"
import { EnginePartitions } from "../../../src/services/engine/EnginePartitions.ts"
import { Candles } from "../../../src/services/feeds/Candles.ts"
import { Wallets } from "../../../src/services/money/Wallets.ts"
import * as ChatListener from "../../../src/services/notify/ChatListener.ts"
import * as Couriers from "../../../src/services/notify/Couriers.ts"
import { Outbound } from "../../../src/services/notify/Outbound.ts"
import * as PriceFeed from "../../../src/services/PriceFeed.ts"
import type { RateLimits } from "../../../src/services/RateLimits.ts"
import { MemoryState } from "../../../src/services/records/MemoryState.ts"
import { type CandleSource, ClosedCandles } from "../../../src/services/rules/ClosedCandles.ts"
import { DEFAULT_PATIENCE } from "../../../src/trading/AlertPatience.ts"
import { database, fresh } from "../../lib/postgres/Database.ts"
import { vault } from "../../services/ports.ts"

/** What of the outside a test brings: who takes what is posted, and the limits over all servers. */
export interface Options {
  readonly outbound?: Layer.Layer<Outbound>
  readonly limits?: (node: string) => Layer.Layer<RateLimits, never, SqlClient.SqlClient>
  /** Where rules have their candles, and by which clock. */
  readonly candles?: CandleSource
  readonly clock?: Clock.Clock
}

const TELEGRAM = "https://telegram.example"
const POSTING = { allowPrivate: false, telegramUrl: TELEGRAM }

/** One server, which has no partitions yet. */
const serverOn = (url: Redacted.Redacted, node: string, options: Options) => {
  const { candles, clock, limits, outbound = Outbound.layerNone } = options
  const records = Layer.mergeAll(
    Postgres.layerPorts,
    Backups.layer,
    Postgres.layerExchangeAccounts,
    Postgres.layerTargets
  ).pipe(Layer.provide(vault), Layer.provideMerge(Postgres.layer({ url, node })))
  const outside = Layer.mergeAll(
    Composition.rules({ crud: 0, alert: 0 }),
    Exchange.layerPaper,
    Wallets.layerMemory(),
    PriceFeed.layer("by hand"),
    Candles.layerNone,
    outbound
  )
  const shared = Layer.mergeAll(
    Postgres.layerBacktestClaims(node),
    Postgres.layerConfirmations,
    limits?.(node) ?? Layer.empty
  )
  const beneath = Layer.provideMerge(Layer.merge(outside, shared), records)
  const ports = Layer.merge(beneath, Layer.provide(MemoryBacktester.layer, [beneath, MemoryState.layer]))
  const server = Composition.over(ports, {
    ...POSTING,
    maxPairs: 200,
    paper: STARTING_BALANCES,
    patience: DEFAULT_PATIENCE,
    isShared: true
  })
  return Layer.provideMerge(Layer.merge(Couriers.layer(POSTING), ChatListener.layer(POSTING)), server).pipe(
    Layer.provide(Layer.succeed(ClosedCandles, Option.fromNullable(candles))),
    Layer.provide(clock === undefined ? Layer.empty : Layer.setClock(clock))
  )
}

type Services = Layer.Layer.Success<ReturnType<typeof serverOn>>

/** A server of the two. */
export interface Node {
  readonly name: string
  readonly context: Context.Context<Services>
  /** Runs an effect on this server. */
  readonly on: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Services>>
  readonly partitions: typeof EnginePartitions.Service
}

/** One more server on a database, for as long as the scope lives. */
export const nodeOn = (url: Redacted.Redacted, options: Options = {}) => {
  const name = fresh("node")
  return Effect.map(
    Layer.build(Layer.fresh(serverOn(url, name, options))),
    (context): Node => ({
      name,
      context,
      on: (self) => Effect.provide(self, context),
      partitions: Context.get(context, EnginePartitions)
    })
  )
}

/** Gives partitions of one server to the other, in the sequence that a cluster keeps to. */
export const hand = (from: Node, to: Node, some: ReadonlyArray<Partition>) =>
  Effect.zipRight(from.partitions.release(some), to.partitions.take(some))

/** Two servers on a new database: the first has all partitions with an even number, the other the rest. */
export const twoServers = (options: Options = {}) =>
  Effect.gen(function* () {
    const { name, server, url } = yield* database()
    const a = yield* nodeOn(url, options)
    const b = yield* nodeOn(url, options)
    yield* a.partitions.take(partitions.filter((id) => id % 2 === 0))
    yield* b.partitions.take(partitions.filter((id) => id % 2 === 1))
    /** The server that runs the bots of an account. */
    const homeOf = (account: Parameters<typeof partitionOf>[0]) => (partitionOf(account) % 2 === 0 ? a : b)
    return { a, b, homeOf, url, database: { name, server } }
  })
