// The adversary: answers that are lost after the commit, back ends that are killed, a second process that takes the bots
// over, a frozen one that wakes up, and one that changes strategies while their trades are stored.
import { describe, expect, test } from "bun:test"
import { Cause, Context, Effect, FastCheck, Fiber, TestContext } from "effect"
import { Partition, partitionOf } from "../../src/domain/Partition.ts"
import { fateOf, type Held, type Refused } from "../../src/postgres/Partitions.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { PartitionsLost } from "../../src/services/records/PartitionsLost.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Client from "../../src/sqlite/client/Client.ts"
import * as Steps from "../../src/testing/contracts/steps.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import * as Commits from "../lib/postgres/Commits.ts"
import { database, isInstalled, killing, urlOf } from "../lib/postgres/Database.ts"
import { process } from "../lib/postgres/Process.ts"
import * as Proxy from "../lib/postgres/Proxy.ts"
import type { Server } from "../lib/postgres/Server.ts"
import { onFile } from "../services/ports.ts"

/** A process whose every statement goes through a proxy. */
const proxied = Effect.gen(function* () {
  const { name, server, url } = yield* database()
  const proxy = yield* Proxy.open(server.port)
  const { context } = yield* process(urlOf({ ...server, port: proxy.port }, name))
  const [mine] = yield* Effect.provide(Commits.strategies, context)
  if (mine === undefined) throw new Error("a strategy was expected")
  return { context, mine, name, proxy, server, url, portfolio: Context.get(context, Portfolio) }
})

const isLost = <A>(self: Effect.Effect<A>) =>
  Effect.map(Effect.flip(Effect.sandbox(self)), (cause) => Cause.squash(cause) instanceof PartitionsLost)

describe.skipIf(!isInstalled)("commits on Postgres", () => {
  it.live("are stored once where the answer is lost, by one statement and by a transaction", () =>
    Effect.gen(function* () {
      const { context, mine, portfolio, proxy } = yield* proxied
      yield* portfolio.cursors
      proxy.loseAnswerTo("marked note")
      const plain = Steps.step(mine, 1, { notes: [Steps.note("marked note")], fills: [Steps.fill("x", 1)] })
      yield* portfolio.commit([plain], Steps.at(5, partitionOf(mine.account)))
      proxy.loseAnswerTo("COMMIT")
      yield* portfolio.commit([Steps.step(mine, 2, { trades: [Steps.trade(1)] })])
      expect(proxy.lost()).toBe(2)
      expect(yield* portfolio.fills(mine.id)).toHaveLength(1)
      expect(yield* portfolio.trades(mine.id, { limit: 9 })).toHaveLength(1)
      const { result_days, timeline } = yield* Effect.provide(Commits.books, context)
      expect(timeline).toHaveLength(1)
      expect(result_days.map((row: ReadonlyArray<unknown>) => row.at(-1))).toEqual(["87.88999"])
    })
  )

  it.live("that were given up without an answer are stored once, whatever is committed in between", () =>
    Effect.gen(function* () {
      const { mine, portfolio, proxy } = yield* proxied
      yield* portfolio.cursors
      const first = [Steps.step(mine, 1, { notes: [Steps.note("marked note")], fills: [Steps.fill("x", 1)] })]
      proxy.loseAnswerTo("marked note")
      const sending = yield* Effect.fork(portfolio.commit(first))
      while (proxy.lost() === 0) yield* Effect.sleep("2 millis")
      yield* Fiber.interrupt(sending)
      yield* portfolio.commit([Steps.step(mine, 2, { fills: [Steps.fill("y", 2)] })])
      yield* portfolio.commit(first)
      expect((yield* portfolio.fills(mine.id)).map(({ order }) => String(order))).toEqual(["x", "y"])
    })
  )

  it.live(
    "of an owner that was frozen and wakes up store nothing, once another has taken the bots over",
    () =>
      Effect.gen(function* () {
        const { context, mine, portfolio, proxy, url } = yield* proxied
        yield* portfolio.commit([Steps.step(mine, 1)], Steps.judgedTo(3))
        const release = proxy.holdBack("never seen")
        const late = [
          Steps.step(mine, 2, { notes: [Steps.note("never seen")], outcomes: [Steps.outcome(mine, 4)] })
        ]
        const frozen = yield* Effect.fork(isLost(portfolio.commit(late, Steps.judgedTo(4))))
        yield* Effect.sleep("50 millis")
        const next = Context.get((yield* process(url)).context, Portfolio)
        expect((yield* next.cursors).get(Partition.make(0))).toBe(3)
        yield* next.commit([Steps.step(mine, 2, { trades: [Steps.trade(5)] })], Steps.judgedTo(7))
        release()
        expect(yield* Fiber.join(frozen)).toBe(true)
        // Neither by one statement nor by a transaction, again and again.
        for (const step of [
          Steps.step(mine, 9),
          Steps.step(mine, 9, { trades: [Steps.trade(6)], halt: "never" })
        ])
          expect(yield* isLost(portfolio.commit([step]))).toBe(true)
        yield* next.commit([Steps.step(mine, 3)])
        const books = yield* Effect.provide(Commits.books, context)
        expect([books.outcomes, books.halts, books.timeline]).toEqual([[], [], []])
        expect(books.trades).toHaveLength(1)
        expect((yield* next.bot(mine.id))?.step).toBe(3)
        expect(new Set((yield* next.cursors).values())).toEqual(new Set([7]))
      })
  )

  it.live("of ten thousand outcomes are one statement", () =>
    Effect.gen(function* () {
      const { context, mine, portfolio } = yield* proxied
      const alerts = Commits.alerts(10_000)
      const outcomes = alerts.map((alert) => Steps.outcome(mine, alert))
      const notes = alerts.map((alert) => Steps.note("judged", alert, alert))
      const waits = alerts.map((alert) => Steps.waiting(mine.id, alert, mine.account))
      yield* portfolio.commit([Steps.step(mine, 1, { waits })])
      expect(yield* portfolio.waiting).toHaveLength(10_000)
      yield* portfolio.commit([Steps.step(mine, 2, { outcomes, notes, unchanged: true })])
      expect(yield* portfolio.waiting).toEqual([])
      const judged = yield* portfolio.judged(alerts)
      expect(judged.size).toBe(10_000)
      const { outcome_days, timeline } = yield* Effect.provide(Commits.books, context)
      expect(outcome_days).toEqual([[mine.account, 0, "opened", 10_000]])
      expect(timeline.map((row: ReadonlyArray<unknown>) => row[2])).toEqual(alerts.map(Number))
    })
  )

  it.live("lose no trade and no change of a strategy that is edited at the same time", () =>
    Effect.gen(function* () {
      const { context, mine, portfolio } = yield* proxied
      const store = Context.get(context, StrategyStore)
      const shown = { public: true, displayName: "Ann" }
      const edit = Effect.forEach(Commits.alerts(30), (count) =>
        store.update(mine.account, mine.id, settings({ ...shown, buyPercent: 10 + (count % 2) }))
      )
      const trade = Effect.forEach(Commits.alerts(30), (count) =>
        portfolio.commit([Steps.step(mine, count, { trades: [Steps.trade(count)] })])
      )
      yield* Effect.all([edit, trade], { concurrency: "unbounded" })
      const { strategy_records, trade_groups } = yield* Effect.provide(Commits.books, context)
      const [, , changes, , record] = strategy_records[0] ?? []
      expect(changes).toBe(31)
      expect(JSON.parse(record).overall.paper.trades).toBe(30)
      expect(trade_groups.map((row: ReadonlyArray<unknown>) => row[4])).toEqual([30, 30, 30, 30])
    })
  )
})

/** The same commits on SQLite and on Postgres leave the same rows. */
const same = (drawn: Commits.Drawn, isKilled: boolean) =>
  Effect.gen(function* () {
    const written = Effect.gen(function* () {
      const owners = yield* Commits.strategies
      const portfolio = yield* Portfolio
      if (isKilled && here !== undefined) yield* killing(here.server, here.name, 0.4)
      yield* Effect.forEach(Commits.commitsOf(drawn, owners), (it) => Commits.patiently(portfolio, it))
    })
    let here: { readonly server: Server; readonly name: string } | undefined
    const [, there] = yield* Effect.scoped(
      Effect.provide(Effect.zip(written, Commits.books), onFile(Client.MEMORY))
    )
    here = yield* database()
    const { context } = yield* process(urlOf(here.server, here.name))
    yield* Effect.scoped(Effect.provide(written, context))
    // The pool may still hold connections that were ended.
    const found = Effect.provide(Effect.retry(Commits.books, { times: 20 }), context)
    expect(yield* found).toEqual(there)
  }).pipe(Effect.scoped, Effect.provide(TestContext.TestContext), Effect.runPromise)

describe.skipIf(!isInstalled)("the books on Postgres", () => {
  for (const [name, isKilled] of [
    ["are those on SQLite, to the last hash, whatever is committed", false],
    ["are those on SQLite as well, while back ends are killed at random", true]
  ] as const)
    test(
      name,
      () =>
        FastCheck.assert(
          FastCheck.asyncProperty(Commits.commits, (drawn) => same(drawn, isKilled)),
          { numRuns: 3, endOnFailure: true }
        ),
      60_000
    )
})

describe("the fate of a commit", () => {
  const held = (id: number, changes: Partial<Held> = {}): Held => ({
    id: Partition.make(id),
    owner: "us",
    epoch: 3,
    seq: 7,
    last: "before",
    ...changes
  })
  const before = [held(1), held(2)]
  const cases: ReadonlyArray<
    readonly [string, ReadonlyArray<Held>, Refused, ...lost: ReadonlyArray<number>]
  > = [
    [
      "is to be sent again where others of ours came before it",
      [held(1, { seq: 8, last: "other" }), held(2)],
      "moved"
    ],
    [
      "is to be stored where it is the last",
      [held(1, { seq: 8, last: "it" }), held(2, { seq: 8, last: "it" })],
      "stored"
    ],
    [
      "is to be stored where it is the last of one",
      [held(1, { seq: 9, last: "b" }), held(2, { seq: 8, last: "it" })],
      "stored"
    ],
    [
      "is to be sent again without a partition that is lost",
      [held(1), held(2, { epoch: 4, owner: "them" })],
      "moved",
      2
    ],
    ["is to be sent again without one of the same epoch", [held(1), held(2, { owner: "them" })], "moved", 2],
    [
      "is to be stored though a partition was lost after it",
      [held(1, { epoch: 4, last: "theirs" }), held(2, { seq: 8, last: "it" })],
      "stored",
      1
    ],
    ["is not told by a partition that is lost", [held(1, { epoch: 4, last: "it" }), held(2)], "moved", 1],
    ["is to be sent again without a partition that is gone", [held(1)], "moved", 2]
  ]
  for (const [name, now, refused, ...lost] of cases)
    it.effect(name, () =>
      Effect.sync(() =>
        expect(fateOf(before, now, "it")).toEqual({
          refused,
          lost: new Set(lost.map((id) => Partition.make(id)))
        })
      )
    )
})
