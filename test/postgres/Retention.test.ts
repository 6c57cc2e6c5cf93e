// The adversary: two processes that clear the same rows, and rows that are still needed.
import { describe, expect } from "bun:test"
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { Events } from "../../src/services/Events.ts"
import { KEPT_DAYS } from "../../src/services/Journal.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import { draft, settings, signalDraft } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import { database, isInstalled } from "../lib/postgres/Database.ts"
import { process } from "../lib/postgres/Process.ts"

const DAY = 86_400_000

describe.skipIf(!isInstalled)("old rows in Postgres", () => {
  it.live("are deleted a little at a time by two processes at once, and younger rows stay", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const one = yield* process(url)
      const { sql } = one
      const now = yield* Clock.currentTimeMillis
      const alice = yield* Effect.provide(sender("alice"), one.context)
      const store = Context.get(one.context, StrategyStore)
      const events = Context.get(one.context, Events)
      const { id: signalId } = yield* Context.get(one.context, Signals).create(alice.account, signalDraft())
      const strategy = yield* store.create(alice.account, settings({ signalId }))
      yield* one.journal.append(draft(alice))
      // Followed until an alert that all have judged, and until one that not all have.
      yield* store.update(alice.account, strategy.id, settings())
      yield* sql`UPDATE partitions SET cursor = 1`
      yield* store.update(alice.account, strategy.id, settings({ signalId }))
      yield* one.journal.append(draft(alice))
      yield* store.update(alice.account, strategy.id, settings())
      const old = now - (KEPT_DAYS + 1) * DAY
      yield* sql`INSERT INTO timeline (account, strategy_id, at, rule, text)
        SELECT ${alice.account}, 1, ${old}, 'old', 'x' FROM generate_series(1, 1200)`
      yield* sql`INSERT INTO timeline (account, strategy_id, at, rule, text) VALUES (${alice.account}, 1, ${now}, 'x', 'young')`
      yield* sql`INSERT INTO outcomes (alert_id, strategy_id, account, reason, at)
        VALUES (1, 1, 1, 'opened', ${old}), (2, 1, 1, 'opened', ${now})`
      yield* sql`INSERT INTO outcome_days (account, day, reason, count)
        VALUES (1, ${Math.floor(old / DAY)}, 'opened', 1), (1, ${Math.floor(now / DAY)}, 'opened', 1)`
      yield* sql`UPDATE alerts SET received_at = CASE id WHEN 1 THEN CAST(${old} AS bigint) ELSE ${now} END`
      const clearing = Layer.provide(Layer.fresh(Postgres.layerRetention), Layer.succeedContext(one.context))
      yield* Layer.build(clearing)
      yield* Layer.build(Layer.fresh(clearing))
      const left = sql`SELECT (SELECT count(*) FROM timeline) AS timeline, (SELECT count(*) FROM outcomes) AS outcomes,
        (SELECT count(*) FROM alerts) AS alerts, (SELECT count(*) FROM outcome_days) AS days,
        (SELECT count(*) FROM followings) AS followings`
      yield* Effect.repeat(left, {
        until: ([row]) => row?.["followings"] === 1 && row["timeline"] === 1,
        schedule: Schedule.spaced("20 millis")
      })
      expect(yield* left).toEqual([{ timeline: 1, outcomes: 1, alerts: 1, days: 1, followings: 1 }])
      const { events: found } = yield* events.after(AccountId.make(1), { entry: 0, alert: 0 }, 10)
      expect(found.map(({ event }) => event.text)).toContain("young")
      expect<number>((yield* one.journal.append(draft(alice))).id).toBe(3)
    })
  )
})
