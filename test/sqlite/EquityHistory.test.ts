// Equity over time in SQLite: a database of an older version gets the groups of its trades, and a full disk costs a
// sample and nothing else.
import { Database } from "bun:sqlite"
import { expect } from "bun:test"
import { join } from "node:path"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { AccountId } from "../../src/domain/Account.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Trade } from "../../src/domain/Trade.ts"
import { EquityHistory } from "../../src/services/equity/EquityHistory.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as PortfolioRows from "../../src/sql/rows/PortfolioRows.ts"
import * as StrategyRows from "../../src/sql/rows/StrategyRows.ts"
import { upTo } from "../../src/sqlite/Migrations.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { verify } from "../../src/sqlite/Verify.ts"
import { outcome, step, trade } from "../../src/testing/contracts/steps.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import * as Figures from "../../src/trading/equity/Figures.ts"
import * as Tracking from "../../src/trading/equity/Tracking.ts"
import { it } from "../lib/effect.ts"
import { fillUp, folder, makeRoom, onFile, sender } from "../services/ports.ts"

/** The version before equity over time. */
const BEFORE = 13

const made = (pnl: string, more: Partial<Trade> = {}): Trade => ({
  ...trade(Date.UTC(2026, 1, 3)),
  pnl: Decimal.unsafeFromText(pnl),
  ...more
})
const sampleAt = (at: number) =>
  Tracking.sampled(undefined, {
    beginning: { period: 1, currency: "USDT", since: 0, starting: 10_000 },
    sample: { at, equity: 10_000 + at / 1000, notional: 0, isHeld: false, weight: 1 },
    prices: []
  })

it.live("trades of a database of an older version are summed once, and later ones are added", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    yield* Effect.scoped(Layer.build(Sqlite.layer({ filename, migrations: upTo(BEFORE) })))
    const old = new Database(filename)
    old.run("INSERT INTO accounts (id, name, created_at) VALUES (1, 'ann', 0)")
    const create = old.query(
      "INSERT INTO strategies (account, settings, created_at, updated_at) VALUES (1, ?, 0, 0)"
    )
    for (let count = 0; count < 2; count++) create.run(StrategyRows.encode(settings()))
    const insert = old.query("INSERT INTO trades (strategy_id, trade) VALUES (?, ?)")
    old.transaction(() => {
      for (let index = 0; index < 12_000; index++)
        insert.run(1, PortfolioRows.tradeText(made(index % 3 === 0 ? "-0.2" : "0.1")))
      insert.run(2, PortfolioRows.tradeText(made("5", { period: 3 })))
      // Of a deleted strategy, and a damaged row.
      insert.run(99, PortfolioRows.tradeText(made("7")))
      insert.run(2, "{}")
    })()
    old.close()
    yield* Effect.gen(function* () {
      const history = yield* EquityHistory
      const store = yield* StrategyStore
      const account = AccountId.make(1)
      const [first, second] = [yield* store.get(account, 1), yield* store.get(account, 2)]
      const shown = ({ id }: typeof first, period: number) =>
        Effect.map(history.groups(id, period), Figures.completedOf)
      expect(yield* shown(first, 1)).toMatchObject({
        trades: 12_000,
        by_exit_reason: [{ exit_reason: "take_profit", wins: 8000, net_pnl: 0 }],
        by_month: [{ month: "2026-02", trades: 12_000 }]
      })
      expect((yield* shown(second, 3)).trades).toBe(1)
      expect((yield* shown(second, 1)).trades).toBe(0)
      yield* (yield* Portfolio).commit([step(first, 1, { trades: [made("0.1")] })])
      expect(yield* shown(first, 1)).toMatchObject({ trades: 12_001, by_month: [{ net_pnl: 0.1 }] })
    }).pipe(Effect.provide(onFile(filename)), Effect.scoped)
  })
)

it.live("a refused commit is in no group, and on a full disk a sample is lost whole", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    yield* Effect.gen(function* () {
      const { account } = yield* sender("ann")
      const store = yield* StrategyStore
      const history = yield* EquityHistory
      const portfolio = yield* Portfolio
      const mine = yield* store.create(account, settings())
      const twice = [outcome(mine, 1), outcome(mine, 1)]
      yield* Effect.exit(portfolio.commit([step(mine, 1, { trades: [made("1")], outcomes: twice })]))
      expect(yield* history.groups(mine.id, 1)).toEqual([])
      const samples = Array.from({ length: 400 }, (_, minute) => ({
        strategy: mine.id,
        tracked: sampleAt(minute * 60_000)
      }))
      yield* history.store(samples.slice(0, 1))
      yield* fillUp
      const exit = yield* Effect.exit(history.store(samples.slice(1)))
      yield* makeRoom
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({ _tag: "StorageUnavailable" })
      expect((yield* history.latest([mine.id])).get(mine.id)?.state.at).toBe(0)
      expect(yield* history.points(mine.id, 1)).toHaveLength(1)
      yield* history.store(samples.slice(1))
      expect(yield* history.points(mine.id, 1)).toHaveLength(400)
      yield* store.remove(account, mine.id)
      expect(yield* history.latest([mine.id])).toEqual(new Map())
    }).pipe(Effect.provide(onFile(filename)), Effect.scoped)
    expect((yield* verify(filename)).faults).toEqual([])
  })
)
