// The stored ports of a node. What is about several nodes is what they have on Postgres: the journal, the leases, the
// partitions and the fate of commits. The rows of a commit are stored as on SQLite, behind the fence.
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { Effect, Layer } from "effect"
import * as Commits from "../../../src/postgres/Commits.ts"
import { PostgresError } from "../../../src/postgres/client/PostgresError.ts"
import * as Journal from "../../../src/postgres/Journal.ts"
import * as Leases from "../../../src/postgres/Leases.ts"
import { MOVED } from "../../../src/postgres/migrations/first/commits.ts"
import * as Nodes from "../../../src/postgres/Nodes.ts"
import { layerShared, Partitions } from "../../../src/postgres/Partitions.ts"
import { withClaims } from "../../../src/postgres/Portfolio.ts"
import { Portfolio } from "../../../src/services/Portfolio.ts"
import * as HaltRows from "../../../src/sql/Halts.ts"
import * as KeyRows from "../../../src/sql/Idempotency.ts"
import type { EndOfTurn } from "../../../src/sql/journal/JournalQueue.ts"
import * as MarketRows from "../../../src/sql/Markets.ts"
import * as OrderRows from "../../../src/sql/Orders.ts"
import * as StoredPortfolio from "../../../src/sql/Portfolio.ts"
import * as SignalRows from "../../../src/sql/Signals.ts"
import * as StrategyRows from "../../../src/sql/StrategyStore.ts"
import * as TimelineRows from "../../../src/sql/Timeline.ts"
import * as TradeRows from "../../../src/sql/Trades.ts"
import * as SqlitePortfolio from "../../../src/sqlite/Portfolio.ts"
import * as Client from "./client.ts"
import { FENCE } from "./dialect.ts"
import type { Link } from "./Link.ts"

const moved = () =>
  new SqlError({
    cause: new PostgresError(MOVED, "the partitions have moved on"),
    message: "Failed to execute statement"
  })

const portfolio = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Portfolio
  const store: Commits.Store = (steps, { cursors, held, name }) =>
    Effect.gen(function* () {
      const noted = yield* sql.unsafe(FENCE, [
        name,
        JSON.stringify(held.map(({ id }) => id)),
        JSON.stringify(held.map(({ epoch }) => epoch)),
        JSON.stringify(held.map(({ seq }) => seq)),
        JSON.stringify(held.map(({ id }) => cursors.get(id) ?? null)),
        held[0]?.owner ?? ""
      ])
      if (noted.length < held.length) return yield* moved()
      yield* rows.commit(steps)
    }).pipe(sql.withTransaction)
  const partitions = yield* Partitions
  return withClaims(partitions, yield* StoredPortfolio.make(yield* Commits.make(partitions, store)))
})

/** The ports, the leases and the nodes, as one node has them. `stir` is called where a promise goes on. */
export const layer = (link: Link, endOfTurn: EndOfTurn, stir: () => void) =>
  Layer.mergeAll(
    SignalRows.layer,
    StrategyRows.layer,
    MarketRows.layer,
    Journal.layerWith(endOfTurn),
    TimelineRows.layer,
    Layer.provide(Layer.effect(Portfolio, portfolio), SqlitePortfolio.layer),
    KeyRows.layer,
    OrderRows.layer,
    TradeRows.layer,
    HaltRows.layer,
    Leases.layer(link.name),
    Nodes.layer({ node: link.name, version: "0", protocol: 1 })
  ).pipe(Layer.provide(layerShared), Layer.provide(Client.layer(link, stir)))
