// Random histories of somebody who wants to look better than he is: he edits, arms, disarms, hides, publishes, renames,
// deletes and makes anew, and trades in between. Nothing but his trades makes his record.
import { expect, test } from "bun:test"
import { Effect, FastCheck } from "effect"
import type { Mode, Standing } from "../../src/domain/directory/TrackRecord.ts"
import type { Settings, Strategy } from "../../src/domain/Strategy.ts"
import { Directory } from "../../src/services/directory/Directory.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Ledger from "../../src/testing/contracts/directory/Ledger.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import * as VirtualClock from "../../src/testing/VirtualClock.ts"
import { levelOf, rankOf } from "../../src/trading/TrackRecord.ts"
import { isInstalled, onPostgres } from "../lib/postgres/Database.ts"
import { memory, onFile, sender } from "./ports.ts"

const HOUR = 3_600_000
const shown = (changes: Parameters<typeof settings>[0] = {}): Settings =>
  settings({ public: true, displayName: "Ann", ...changes })

/** What the adversary does next. */
const move = FastCheck.oneof(
  { weight: 6, arbitrary: FastCheck.integer({ min: -3000, max: 3000 }).map((result) => ({ result })) },
  { weight: 4, arbitrary: FastCheck.constantFrom("real", "paper", "hide", "show", "stop", "edit", "rename") }
)
type Move = typeof move extends FastCheck.Arbitrary<infer A> ? A : never

/** A trade of the history, and what it did to equity. */
interface Made {
  readonly mode: Mode
  readonly growth: number
  readonly openedAt: number
  readonly closedAt: number
}

/** What the trades make by themselves: the reference, computed from scratch. */
const standingOf = (trades: ReadonlyArray<Made>, mode: Mode): Standing | undefined => {
  const own = trades.filter((it) => it.mode === mode)
  return own.length === 0
    ? undefined
    : {
        growth: own.reduce((growth, it) => growth * it.growth, 1),
        trades: own.length,
        until: Math.max(...own.map(({ closedAt }) => closedAt))
      }
}

/** The rank of an owner who made the same trades and nothing else: the lower of both modes. */
const honest = (trades: ReadonlyArray<Made>, first: number): number => {
  const ranks = (["paper", "real"] as const).flatMap((mode) => {
    const standing = standingOf(trades, mode)
    if (standing === undefined) return []
    const record = { mode, period: 1, since: 0, overall: {}, published: { [mode]: standing } }
    return [rankOf(record, first)]
  })
  return ranks.length === 0 ? 0 : Math.min(...ranks)
}

const history = (moves: ReadonlyArray<Move>) =>
  Effect.gen(function* () {
    const directory = yield* Directory
    const store = yield* StrategyStore
    const { account } = yield* sender("ann")
    const strategy: Strategy = yield* store.create(account, shown({ public: false }))
    const books = yield* Ledger.open(strategy, 0)
    const made: Array<Made> = []
    let [mode, equity, now, percent]: [Mode, number, number, number] = ["paper", 10_000, 0, 10]
    let first: number | undefined
    let last = -1
    for (const next of moves) {
      const openedAt = now
      now += 7 * HOUR
      yield* VirtualClock.passTo(now)
      if (typeof next === "object") {
        yield* books.trade(next.result, openedAt, now)
        const growth = equity > 0 ? Math.max(0, (equity + next.result) / equity) : 1
        made.push({ mode, growth, openedAt, closedAt: now })
        equity += next.result
      } else if (next === "real" || next === "paper") {
        yield* books.begin(next, now)
        ;[mode, equity] = [next, 10_000]
      } else {
        const { settings: before } = yield* store.get(account, strategy.id)
        if (next === "edit") percent++
        const changes = {
          ...(next === "hide" ? { public: false } : next === "show" ? { public: true, active: true } : {}),
          ...(next === "stop" ? { active: false } : {}),
          ...(next === "rename" ? { name: `N${now}`, displayName: `A${now}` } : {})
        }
        yield* store.update(account, strategy.id, { ...before, ...changes, buyPercent: percent })
        if (next === "show") first ??= Math.floor(now / 1000)
      }
      const listed = yield* Effect.option(directory.strategy(strategy.id))
      if (listed._tag === "None" || first === undefined) continue
      const { publication, record } = listed.value
      const since = made.filter((it) => it.openedAt >= publication.first * 1000)
      expect(publication.first).toBe(first)
      expect(publication.since).toBeGreaterThanOrEqual(last)
      last = publication.since
      for (const each of ["paper", "real"] as const) {
        const [overall, published] = [standingOf(made, each), standingOf(since, each)]
        expect([record.overall[each]?.trades, record.overall[each]?.until]).toEqual([
          overall?.trades,
          overall?.until
        ])
        expect(record.overall[each]?.growth ?? 1).toBeCloseTo(overall?.growth ?? 1, 9)
        expect(record.published[each]?.trades).toBe(published?.trades)
        expect(record.published[each]?.growth ?? 1).toBeCloseTo(published?.growth ?? 1, 9)
        expect(levelOf(record.published[each], first)).toBe(levelOf(published, first))
      }
      expect(rankOf(record, first)).toBeLessThanOrEqual(honest(since, first) + 1e-3)
    }
  })

const histories = FastCheck.array(move, { minLength: 1, maxLength: 40 })

test("whatever an owner does, in memory only trades make a record", async () => {
  await FastCheck.assert(
    FastCheck.asyncProperty(histories, (moves) => VirtualClock.run(VirtualClock.on(history(moves), memory))),
    { numRuns: 60 }
  )
}, 60_000)

test("whatever an owner does, in SQLite only trades make a record", async () => {
  await FastCheck.assert(
    FastCheck.asyncProperty(histories, (moves) =>
      VirtualClock.run(VirtualClock.on(history(moves), onFile(":memory:")))
    ),
    { numRuns: 15 }
  )
}, 60_000)

test.skipIf(!isInstalled)(
  "whatever an owner does, on Postgres only trades make a record",
  async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(histories, (moves) =>
        VirtualClock.run(VirtualClock.on(history(moves), onPostgres))
      ),
      { numRuns: 3 }
    )
  },
  60_000
)

test("a record that is made anew by deleting is young and empty", () =>
  VirtualClock.run(
    VirtualClock.on(
      Effect.gen(function* () {
        const directory = yield* Directory
        const store = yield* StrategyStore
        const { account } = yield* sender("ann")
        const loser = yield* store.create(account, shown())
        yield* (yield* Ledger.open(loser, 0)).trade(-9000, 0, HOUR)
        yield* VirtualClock.passTo(900 * HOUR)
        yield* store.remove(account, loser.id)
        const anew = yield* store.create(account, shown())
        const { publication, publisher, record } = yield* directory.strategy(anew.id)
        expect(record).toMatchObject({ overall: {}, published: {}, since: 900 * HOUR })
        expect(publication).toEqual({ first: 3_240_000, since: 3_240_000, times: 1 })
        expect(publisher).toEqual({ number: 1, name: "Ann", published: 2 })
      }),
      memory
    )
  ))

test("a week of luck never ranks above a year, nor a loss above a gain", () => {
  const rank = (growth: number, days: number, trades: number) =>
    rankOf(
      {
        ...{ mode: "paper", period: 1, since: 0, overall: {} },
        published: { paper: { growth, trades, until: days * 24 * HOUR } }
      },
      0
    )
  const ranked = [
    rank(1.01, 365, 50),
    rank(3, 90, 49),
    rank(1.5, 364, 25),
    rank(9, 30, 10),
    rank(1e12, 7, 500),
    rank(1.2, 400, 9),
    rank(0.99, 400, 99),
    rank(0.5, 2, 1),
    rank(0, 400, 99)
  ]
  expect(ranked).toEqual([...ranked].sort((one, other) => other - one))
  expect(new Set(ranked).size).toBe(ranked.length)
})
