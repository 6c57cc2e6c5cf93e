// The adversary: processes that tell, count, pair, sample and thin the same rows in one moment.
import { describe, expect } from "bun:test"
import { Context, Effect, Option, Redacted } from "effect"
import type { AccountId } from "../../src/domain/Account.ts"
import { TargetId } from "../../src/domain/Target.ts"
import { Copies } from "../../src/services/directory/Copies.ts"
import { EquityHistory, type Sampled } from "../../src/services/equity/EquityHistory.ts"
import { Chats } from "../../src/services/notify/Chats.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import { settings, signalDraft } from "../../src/testing/Fixtures.ts"
import * as Tracking from "../../src/trading/equity/Tracking.ts"
import { it } from "../lib/effect.ts"
import { database, isInstalled } from "../lib/postgres/Database.ts"
import { process } from "../lib/postgres/Process.ts"

const together = { concurrency: "unbounded" } as const
const DAY = 86_400_000

const scene = Effect.gen(function* () {
  const { url } = yield* database()
  const both = yield* Effect.all([process(url), process(url)])
  const people = yield* Effect.forEach(["ann", "ben", "cem", "dan", "eve", "fay"], (name) =>
    Effect.provide(sender(name), both[0].context)
  )
  const [owner, ...others] = people.map(({ account }) => account)
  if (owner === undefined) return yield* Effect.dieMessage("nobody")
  /** What several do at once, each in one of the processes. */
  const each = <A, E>(
    doing: (store: typeof StrategyStore.Service, account: AccountId) => Effect.Effect<A, E>
  ) =>
    Effect.all(
      others.map((account, index) =>
        doing(Context.get(both[index % 2 === 0 ? 0 : 1].context, StrategyStore), account)
      ),
      together
    )
  return { both, each, owner, others, sql: both[0].sql, store: Context.get(both[0].context, StrategyStore) }
})

const sample = (strategy: Sampled["strategy"], at: number, equity: number): Sampled => ({
  strategy,
  tracked: Tracking.sampled(undefined, {
    beginning: { period: 1, currency: "USDT", since: 0, starting: 10_000 },
    sample: { at, equity, notional: 0, isHeld: false, weight: 1 },
    prices: []
  })
})

describe.skipIf(!isInstalled)("several processes on Postgres", () => {
  it.live("tell the owner of a copy of each change once, and forget none that is made just then", () =>
    Effect.gen(function* () {
      const { both, each, owner, sql, store } = yield* scene
      const base = settings({ public: true })
      const original = yield* store.create(owner, base)
      yield* each((store, account) =>
        store.create(account, settings(), { origin: original.id, base, kept: [], takenAt: 1 })
      )
      const tellers = both.map(({ context }) => Context.get(context, Copies))
      for (let round = 1; round <= 4; round++) {
        yield* Effect.all(
          [
            store.update(owner, original.id, { ...base, minProfitPercent: round }),
            ...[...tellers, ...tellers].map(({ tell }) => tell(2))
          ],
          together
        )
        yield* Effect.all(
          [...tellers, ...tellers].map(({ tell }) => tell(2)),
          together
        )
        for (const { tell } of tellers) while (yield* tell(2));
        expect(
          yield* sql`SELECT count(*) AS notes, count(DISTINCT strategy_id) AS copies,
            (SELECT min(reported) FROM copies) - (SELECT changes FROM strategy_records WHERE strategy_id = ${original.id})
              AS missing
            FROM timeline WHERE rule = 'original_changed'`
        ).toEqual([{ notes: 5 * round, copies: 5, missing: 0 }])
      }
    })
  )

  it.live("count every copy of an original and every follower of a signal", () =>
    Effect.gen(function* () {
      const { both, each, owner, sql, store } = yield* scene
      const base = settings({ public: true })
      const original = yield* store.create(owner, base)
      const signal = yield* Context.get(both[0].context, Signals).create(owner, {
        ...signalDraft(),
        public: true
      })
      const made = yield* each((store, account) =>
        store.create(account, settings({ signalId: signal.id }), {
          ...{ origin: original.id, base, kept: [], takenAt: 1 }
        })
      )
      const counts = sql`SELECT copies, followers FROM strategy_records, signal_records
        WHERE strategy_id = ${original.id} AND signal_id = ${signal.id}`
      expect(yield* counts).toEqual([{ copies: 5, followers: 5 }])
      const [first] = made
      yield* each((store, account) =>
        account === first?.account
          ? Effect.void
          : Effect.forEach(
              made.filter((it) => it.account === account),
              ({ id }) => store.remove(account, id)
            )
      )
      expect(yield* counts).toEqual([{ copies: 1, followers: 1 }])
    })
  )

  it.live("pair one person with a code, whichever of them hears of it", () =>
    Effect.gen(function* () {
      const { both, owner, sql } = yield* scene
      yield* sql`INSERT INTO notification_targets (account, name, kind, shown, kinds, created_at, revision, progress)
        VALUES (${owner}, 'Phone', 'telegram', 'x', '[]', 0, 1, '{}')`
      const target = TargetId.make(1)
      const chats = both.map(({ context }) => Context.get(context, Chats))
      const [one] = chats
      if (one === undefined) return
      for (let round = 1; round <= 4; round++) {
        const { code } = yield* one.issue(owner, target)
        const pairings = yield* Effect.all(
          [...chats, ...chats].map(({ redeem }, user) =>
            redeem([target], Redacted.value(code), { chat: round, user: user + 1, name: "Ann\0" })
          ),
          together
        )
        expect(pairings.filter(Option.isSome).length).toBe(1)
        const list = yield* one.list(owner)
        expect(list.length).toBe(round)
        // What Postgres cannot store in a text does not keep anybody out.
        expect(list.every(({ name }) => name === "Ann\uFFFD")).toBe(true)
      }
    })
  )

  it.live("keep every sample of a minute, and thin each point once", () =>
    Effect.gen(function* () {
      const { both, owner, store } = yield* scene
      const { id } = yield* store.create(owner, settings())
      const histories = both.map(({ context }) => Context.get(context, EquityHistory))
      const [one, other] = histories
      if (one === undefined || other === undefined) return
      yield* Effect.all(
        [one, other, one, other].map(({ store }, index) =>
          store([sample(id, 60_000 + index, 10_000 + index)])
        ),
        together
      )
      const times = Effect.map(one.points(id, 1), (points) => points.map(([at]) => at))
      expect(yield* times).toEqual([60_000, 60_001, 60_002, 60_003])
      for (let minute = 2; minute < 60; minute++)
        yield* one.store([sample(id, minute * 60_000, 10_000 + minute)])
      const before = yield* one.points(id, 1)
      yield* Effect.all(
        [...histories, ...histories].map(({ thin }) => thin(3 * DAY)),
        together
      )
      const after = yield* one.points(id, 1)
      expect(after.length).toBeLessThanOrEqual(5)
      expect([after.at(0), after.at(-1)]).toEqual([before.at(0), before.at(-1)])
      expect(new Set(after.map(([at]) => at)).size).toBe(after.length)
    })
  )
})
