import { expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer, TestClock } from "effect"
import { Journal, KEPT_DAYS } from "../../src/services/Journal.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { judgedTo, note, outcome, postings, step } from "../../src/testing/contracts/steps.ts"
import { draft, settings } from "../../src/testing/Fixtures.ts"
import { layer } from "../lib/effect.ts"
import { aSignal, onTemporaryFile, sender } from "../services/ports.ts"

const DAY = 86_400_000

layer(onTemporaryFile).effect(
  "expired rows are deleted a little at a time, and the books and younger rows stay",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const journal = yield* Journal
      const alice = yield* sender("alice")
      const store = yield* StrategyStore
      const { id: signalId } = yield* (yield* Signals).create(alice.account, aSignal())
      const strategy = yield* store.create(alice.account, settings({ signalId }))
      const old = Array.from({ length: 1_200 }, (_, at) => at)
      yield* Effect.forEach(old, (receivedAt) => journal.append(draft(alice, { receivedAt })), {
        concurrency: "unbounded"
      })
      yield* journal.append(draft(alice, { receivedAt: 2 * DAY }))
      const outcomes = [
        { ...outcome(strategy, 1), at: 0 },
        { ...outcome(strategy, 1_201), at: 2 * DAY }
      ]
      const notes = [...old.map((at) => note("old", at)), note("young", 2 * DAY)]
      yield* (yield* Portfolio).commit([step(strategy, 1, { outcomes, notes, postings: postings("x") })])
      // Followed twice; of the second time not all is judged.
      yield* store.update(alice.account, strategy.id, settings())
      yield* store.update(alice.account, strategy.id, settings({ signalId }))
      yield* journal.append(draft(alice, { receivedAt: 2 * DAY }))
      yield* store.update(alice.account, strategy.id, settings())
      yield* (yield* Portfolio).commit([], judgedTo(1_201))
      yield* TestClock.setTime((KEPT_DAYS + 1) * DAY)
      yield* Layer.build(Sqlite.layerRetention)
      yield* TestClock.adjust("1 seconds")
      const count = (table: string) =>
        Effect.map(sql.unsafe(`SELECT count(*) FROM ${table}`).values, (rows) => rows[0]?.[0])
      for (const [table, left] of [
        ["alerts", 2],
        ["followings", 1],
        ["timeline", 1],
        ["outcomes", 1],
        ["outcome_days", 1],
        ["ledger", 2]
      ] as const) {
        expect([table, yield* count(table)]).toEqual([table, left])
      }
      expect<number>((yield* journal.append(draft(alice))).id).toBe(1_203)
    })
)
