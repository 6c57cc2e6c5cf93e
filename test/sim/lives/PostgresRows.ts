// The rows of lives in a database of a real Postgres server. The engine reaches it by a proxy that loses answers; lives
// look at it directly.
import { Effect, Layer, Schema, type Scope } from "effect"
import { Outcome, ReasonFacts } from "../../../src/domain/Alert.ts"
import type { BotState } from "../../../src/domain/Bot.ts"
import { TimelineEntry } from "../../../src/domain/Timeline.ts"
import * as Memory from "../../../src/Memory.ts"
import * as Postgres from "../../../src/postgres/Postgres.ts"
import { Orders } from "../../../src/services/money/Orders.ts"
import * as OrderRows from "../../../src/sql/Orders.ts"
import * as StoredPortfolio from "../../../src/sql/Portfolio.ts"
import * as PortfolioRows from "../../../src/sql/rows/PortfolioRows.ts"
import * as Reader from "../../../src/sql/rows/Rows.ts"
import { database, fresh, urlOf } from "../../lib/postgres/Database.ts"
import { Eye } from "../../lib/postgres/Eye.ts"
import * as Proxy from "../../lib/postgres/Proxy.ts"
import { vault } from "../../services/ports.ts"
import type { Rows } from "./Rows.ts"
import type { Storage } from "./Storage.ts"
import * as Unrest from "./Unrest.ts"

/** More rows than a life has. */
const ALL = { limit: 1_000_000 }
/** How long the versions of all bots are taken for current (ms of real time). */
const CURRENT_MS = 20
/** How many of the latest orders are looked at: more than come between two requests. */
const LATEST = 200

const outcomes = Reader.reader(
  Schema.Struct({ ...Outcome.fields, facts: Schema.NullOr(Schema.parseJson(ReasonFacts)) })
)
const notes = Reader.reader(
  Schema.Struct({ ...TimelineEntry.fields, facts: Schema.parseJson(TimelineEntry.fields.facts) })
)
const counts = Reader.reader(Schema.Struct({ count: Schema.Int }))
const versions = Reader.reader(Schema.Struct({ strategy: Schema.Int, version: Schema.String }))

/** A database of its own for as long as the scope lives. */
export const open: Effect.Effect<Storage, never, Scope.Scope> = Effect.gen(function* () {
  const { name, server, url } = yield* database()
  const proxy = yield* Proxy.open(server.port)
  const eye = yield* Effect.acquireRelease(
    Effect.sync(() => new Eye(url)),
    (eye) => Effect.sync(() => eye.close())
  )
  const behind = urlOf({ ...server, port: proxy.port }, name)
  // Each engine is a process of its own.
  const stored = Layer.unwrapEffect(
    Effect.sync(() =>
      Layer.merge(Postgres.layerPorts, Layer.provide(Postgres.layerExchangeAccounts, vault)).pipe(
        Layer.provide(Postgres.layer({ url: behind, node: fresh("life") }))
      )
    )
  )
  return {
    ports: Layer.fresh(Layer.provideMerge(stored, Memory.ports)),
    rows: rowsOf(eye),
    unrest: (dice, isOver) => Unrest.suffer({ database: name, eye, proxy }, dice, isOver),
    flaws: () => Effect.runPromise(verified(url))
  }
})

const verified = (url: Parameters<typeof Postgres.layer>[0]["url"]) =>
  Effect.map(Postgres.verify({ url, node: fresh("verify") }), ({ faults }) =>
    faults.map(
      ({ row, table, text }) => `the table ${table}${row === undefined ? "" : `, row ${row}`}: ${text}`
    )
  ).pipe(Effect.orDie)

const rowsOf = (eye: Eye): Rows => {
  const { sql } = eye
  const portfolio = eye.read(StoredPortfolio.make(() => Effect.dieMessage("an eye commits nothing")))
  const orders = eye.read(Effect.provide(Orders, OrderRows.layer))
  const states = statesOf(eye)
  return {
    state: states.of,
    orders: (strategy) => eye.read(orders.page(strategy, ALL)).toReversed(),
    trades: (strategy) => eye.read(portfolio.trades(strategy, ALL)).map(({ trade }) => trade),
    outcomes: (strategy) => {
      states.expire()
      return eye
        .read(
          outcomes.all(sql`SELECT alert_id AS "alertId", strategy_id AS "strategyId", account, reason, at, facts
            FROM outcomes WHERE strategy_id = ${strategy} ORDER BY alert_id`)
        )
        .map(({ facts, ...outcome }) => (facts === null ? outcome : { ...outcome, facts }))
    },
    notes: (strategy) =>
      eye.read(
        notes.all(sql`SELECT id, strategy_id AS "strategyId", at, rule, alert_id AS "alertId", reason, text, facts
          FROM timeline WHERE strategy_id = ${strategy} ORDER BY id`)
      ),
    ledger: (strategy) => eye.read(portfolio.ledger(strategy)),
    alerts: (signal) =>
      eye.read(counts.one(sql`SELECT count(*) AS count FROM alerts WHERE signal_id = ${signal}`)).count,
    latest: () =>
      eye
        .read(
          PortfolioRows.orders.all(sql`SELECT ${sql.literal(PortfolioRows.ORDER)} FROM orders
            ORDER BY sequence DESC LIMIT ${LATEST}`)
        )
        .map(({ order }) => order)
  }
}

/** Reads the states of bots: all versions at once, and again only what has changed. */
const statesOf = (eye: Eye) => {
  const { sql } = eye
  const portfolio = eye.read(StoredPortfolio.make(() => Effect.dieMessage("an eye commits nothing")))
  const known = new Map<number, { readonly version: string; readonly state: BotState | undefined }>()
  let current = new Map<number, string>()
  let readAt = Number.NEGATIVE_INFINITY
  const of: Rows["state"] = (strategy) => {
    if (performance.now() - readAt > CURRENT_MS) {
      const all = eye.read(
        versions.all(sql`SELECT strategy_id AS strategy, CAST(xmin AS text) AS version FROM bots`)
      )
      current = new Map(all.map((bot) => [bot.strategy, bot.version]))
      readAt = performance.now()
    }
    const version = current.get(strategy) ?? ""
    const last = known.get(strategy)
    if (last?.version === version) return last.state
    const state = eye.read(portfolio.bot(strategy))?.state
    known.set(strategy, { version, state })
    return state
  }
  const expire = () => {
    readAt = Number.NEGATIVE_INFINITY
  }
  return { of, expire }
}
