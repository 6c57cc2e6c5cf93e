import { Database } from "bun:sqlite"
import { expect } from "bun:test"
import { join } from "node:path"
import { Duration, Effect, Layer } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Storage } from "../../src/services/health/Storage.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { Results } from "../../src/services/records/Results.ts"
import { Trades } from "../../src/services/records/Trades.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as PortfolioRows from "../../src/sql/rows/PortfolioRows.ts"
import * as StrategyRows from "../../src/sql/rows/StrategyRows.ts"
import * as Migrations from "../../src/sqlite/Migrations.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { note, outcome, step, trade } from "../../src/testing/contracts/steps.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import { folder, sender } from "../services/ports.ts"

const DAY = 86_400_000
/** The version before the tables of the dashboard, and the one before trades have owners. */
const BEFORE = 5
const OWNERLESS = 13
const TRADES = 200_000

const made = (day: number, pnl: string) => ({ ...trade(day * DAY), pnl: Decimal.unsafeFromText(pnl) })

it.live("a migrated database gets the sums that commits maintain, also of deleted strategies", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    const account = AccountId.make(1)
    yield* Effect.void.pipe(
      Effect.provide(
        Sqlite.layerPorts.pipe(
          Layer.provideMerge(Sqlite.layer({ filename, migrations: Migrations.upTo(BEFORE) }))
        )
      )
    )
    const old = new Database(filename)
    // The ports write tables as they are now.
    old.run("INSERT INTO accounts (id, name, created_at) VALUES (1, 'ann', 0)")
    const create = old.query(
      "INSERT INTO strategies (account, settings, created_at, updated_at) VALUES (?, ?, 0, 0)"
    )
    for (let count = 0; count < 3; count++) create.run(account, StrategyRows.encode(settings()))
    const insert = old.query("INSERT INTO trades (strategy_id, trade) VALUES (?, ?)")
    // The second was deleted and left a timeline, the third left nothing; of one row only splinters are left.
    for (const [strategy, day, pnl] of [
      [1, 10, "0.1"],
      [1, 10, "0.2"],
      [2, 10, "5"],
      [3, 11, "7"]
    ] as const)
      insert.run(strategy, PortfolioRows.tradeText(made(day, pnl)))
    insert.run(1, "{")
    insert.run(1, PortfolioRows.tradeText(made(10, "1")).replace('"pnl":"1"', '"pnl":["x"]'))
    old.run(`INSERT INTO timeline (account, strategy_id, at, rule, text) VALUES (${account}, 2, 0, 'x', 'x')`)
    old.run("DELETE FROM strategies WHERE id > 1")
    const decided = old.query("INSERT INTO outcomes VALUES (?, 1, ?, 'opened', ?)")
    for (const [alert, day] of [1, 97, 99, 100, 100].entries()) decided.run(alert, account, day * DAY)
    old.close()
    yield* Effect.gen(function* () {
      const results = yield* Results
      const days = Effect.map(results.days(account), (all) =>
        all.map(({ currency, day, net }) => `${currency} ${day} ${Decimal.toText(net)}`)
      )
      expect(yield* days).toEqual(["USDT 10 5.3"])
      expect(yield* results.outcomes(account, 100)).toEqual([{ reason: "opened", count: 2 }])
      expect(yield* results.outcomes(account, 99)).toEqual([{ reason: "opened", count: 1 }])
      expect(yield* results.outcomes(account, 97)).toEqual([])
      const strategy = yield* (yield* StrategyStore).get(account, 1)
      yield* (yield* Portfolio).commit([step(strategy, 1, { trades: [made(10, "-0.3")] })])
      expect(yield* days).toEqual(["USDT 10 5"])
    }).pipe(Effect.provide(Sqlite.layerPorts.pipe(Layer.provideMerge(Sqlite.layer({ filename })))))
    const now = new Database(filename, { readonly: true })
    expect(now.query("SELECT net, live FROM result_days WHERE account = 0").values()).toEqual([["7", 0]])
    now.close()
  })
)

it.live("a refused commit is in no sum", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    yield* Effect.gen(function* () {
      const { account } = yield* sender("ann")
      const strategy = yield* (yield* StrategyStore).create(account, settings())
      const portfolio = yield* Portfolio
      const bad = step(strategy, 1, {
        trades: [made(10, "1")],
        notes: [note("x")],
        // Given twice: the tables refuse the whole commit.
        outcomes: [outcome(strategy, 1), outcome(strategy, 1)]
      })
      yield* Effect.flip(Effect.sandbox(portfolio.commit([bad])))
      const results = yield* Results
      expect(yield* results.days(account)).toEqual([])
      expect(yield* results.outcomes(account, 0)).toEqual([])
    }).pipe(Effect.provide(Sqlite.layerPorts.pipe(Layer.provideMerge(Sqlite.layer({ filename })))))
  })
)

it.live("the reported room is that of the file and of its disk", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    const room = yield* Effect.flatMap(Storage, (storage) => storage.room).pipe(
      Effect.provide(Sqlite.layerPorts.pipe(Layer.provideMerge(Sqlite.layer({ filename }))))
    )
    expect(room.used).toBeGreaterThan(50_000)
    expect(room.free).toMatchObject({ _tag: "Some" })
  })
)

/** Writes trades without the indexes, and makes the one that searches need anew: with them it would take far longer. */
const manyTrades = (filename: string, account: AccountId) => {
  const database = new Database(filename)
  const indexes = database
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'trades'"
    )
    .all()
  for (const { name } of indexes) database.run(`DROP INDEX ${name}`)
  database.run(
    `WITH RECURSIVE places (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM places WHERE n < ${TRADES - 1})
    INSERT INTO trades (account, strategy_id, trade)
    SELECT ?, 1 + n % 50, json_set(?, '$.closedAt', n * 60000, '$.openedAt', n * 60000 - n * 7919 % 86400000,
      '$.pnl', CAST(n * 7919 % 2000 - 1000 AS TEXT), '$.side', iif(n % 7 = 0, 'short', 'long')) FROM places`,
    [account, PortfolioRows.tradeText(made(0, "1"))]
  )
  const searched = indexes.find(({ name }) => name === "trades_of_account")
  database.run(searched?.sql ?? "")
  database.close()
}

it.live("a search among 200,000 trades of an account reads its index, and no page takes long", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    yield* Effect.gen(function* () {
      const { account } = yield* sender("ann")
      manyTrades(filename, account)
      const trades = yield* Trades
      const took: Array<number> = []
      const timed = <A>(effect: Effect.Effect<A>) =>
        Effect.map(Effect.timed(effect), ([time, value]) => {
          took.push(Duration.toMillis(time))
          return value
        })
      for (const order of ["closed_at", "pnl", "pair", "hold"] as const)
        for (const offset of [0, TRADES - 60]) {
          const stretch = { order, direction: "desc", offset, limit: 50 } as const
          expect((yield* timed(trades.search(account, {}, stretch))).total).toBe(TRADES)
          const rare = yield* timed(trades.search(account, { side: "short", pair: "DOGE" }, stretch))
          expect(rare).toEqual({ rows: [], total: 0 })
        }
      const [sum] = yield* trades.totals(account, {})
      expect(sum?.trades).toBe(TRADES)
      expect(took.sort((a, b) => a - b).at(took.length >> 1)).toBeLessThan(400)
    }).pipe(Effect.provide(Sqlite.layerPorts.pipe(Layer.provideMerge(Sqlite.layer({ filename })))))
  })
)

it.live("trades of older versions get their owners, also those of deleted strategies", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    const before = Sqlite.layer({ filename, migrations: Migrations.upTo(OWNERLESS) })
    yield* Effect.scoped(Layer.build(before))
    const old = new Database(filename)
    old.run("INSERT INTO accounts (id, name, created_at) VALUES (1, 'ann', 0)")
    old
      .query("INSERT INTO strategies (account, settings, created_at, updated_at) VALUES (1, ?, 0, 0)")
      .run(StrategyRows.encode(settings()))
    old.run("INSERT INTO timeline (account, strategy_id, at, rule, text) VALUES (1, 7, 0, 'x', 'x')")
    const insert = old.query("INSERT INTO trades (strategy_id, trade) VALUES (?, ?)")
    for (const [strategy, day] of [
      [1, 10],
      [7, 11],
      [8, 12]
    ] as const)
      insert.run(strategy, PortfolioRows.tradeText(made(day, "1")))
    old.close()
    const found = yield* Effect.flatMap(Trades, (trades) =>
      trades.searchAfter(AccountId.make(1), {}, { id: 0, limit: 9 })
    ).pipe(Effect.provide(Sqlite.layerPorts.pipe(Layer.provideMerge(Sqlite.layer({ filename })))))
    expect(found.map(({ strategy }) => Number(strategy))).toEqual([1, 7])
  })
)

it.live("lists and curves are read from their indexes without sorting", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    yield* Layer.build(Sqlite.layer({ filename }))
    const database = new Database(filename)
    const plan = (statement: string) =>
      database
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${statement}`)
        .all()
        .map(({ detail }) => detail)
        .join("; ")
    const of = "FROM trades WHERE strategy_id = 1"
    for (const [by, index] of [
      ["id", "trades_of_strategy"],
      ["opened_at", "trades_by_opening"],
      ["pair", "trades_by_pair"],
      ["pnl", "trades_by_pnl"],
      ["profit_percent", "trades_by_profit"],
      ["closed_at - opened_at", "trades_by_hold"]
    ] as const)
      for (const way of ["ASC", "DESC"])
        expect(plan(`SELECT id, trade ${of} ORDER BY ${by} ${way}, id ${way} LIMIT 9 OFFSET 9`)).toBe(
          `SEARCH trades USING INDEX ${index} (strategy_id=?)`
        )
    expect(plan(`SELECT id, closed_at, pnl ${of} AND id > 7 ORDER BY id LIMIT 9`)).toBe(
      "SEARCH trades USING INDEX trades_of_strategy (strategy_id=? AND id>?)"
    )
    expect(plan(`SELECT id ${of} AND period >= 3 AND period > 1 ORDER BY period, id LIMIT 1`)).toBe(
      "SEARCH trades USING INDEX trades_of_later_periods (strategy_id=? AND period>?)"
    )
    const fill = `SELECT fill FROM fills WHERE ${PortfolioRows.ORDER_OF_FILL.sqlite} = +orders.id ORDER BY fills.id LIMIT 1`
    const placed = "FROM orders WHERE strategy_id = 1 AND sequence < 9 ORDER BY sequence DESC"
    expect(plan(`SELECT intent, (${fill}) ${placed}`)).toBe(
      "SEARCH orders USING INDEX orders_of_strategy (strategy_id=? AND sequence<?); " +
        "CORRELATED SCALAR SUBQUERY 1; SEARCH fills USING INDEX fills_of_order (<expr>=?)"
    )
    const fills = "FROM fills WHERE strategy_id = 1 AND market = 'm' AND at >= 1 AND at < 2"
    expect(plan(`SELECT id, fill ${fills} ORDER BY at DESC, id DESC LIMIT 9`)).toBe(
      "SEARCH fills USING INDEX fills_by_market (strategy_id=? AND market=? AND at>? AND at<?)"
    )
    database.close()
  })
)
