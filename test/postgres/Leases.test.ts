// The adversary: two nodes that want the same partitions at the same moment, one that is frozen beyond its lease and wakes
// up, and one that gives back what is no longer its own.
import { describe, expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Cause, Context, Deferred, Effect, Fiber, Layer, type Redacted } from "effect"
import { Partition, partitionOf } from "../../src/domain/Partition.ts"
import * as Leases from "../../src/postgres/Leases.ts"
import * as Partitions from "../../src/postgres/Partitions.ts"
import * as PortfolioLayer from "../../src/postgres/Portfolio.ts"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { PartitionsLost } from "../../src/services/records/PartitionsLost.ts"
import * as Steps from "../../src/testing/contracts/steps.ts"
import { it } from "../lib/effect.ts"
import * as Commits from "../lib/postgres/Commits.ts"
import { database, fresh, isInstalled } from "../lib/postgres/Database.ts"
import { process } from "../lib/postgres/Process.ts"

/** A node of a cluster: what it has leased, and its portfolio. */
const node = (url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const name = fresh("node")
    const context = yield* Layer.build(
      Layer.merge(PortfolioLayer.layer, Leases.layer(name)).pipe(
        Layer.provideMerge(Partitions.layerShared),
        Layer.provideMerge(Postgres.layer({ url, node: name }))
      )
    )
    return {
      leases: Context.get(context, Leases.Leases),
      partitions: Context.get(context, Partitions.Partitions),
      portfolio: Context.get(context, Portfolio),
      sql: Context.get(context, SqlClient.SqlClient)
    }
  })

/** Has a node lease partitions, and begin with them. */
const begun = (
  { leases, portfolio }: Effect.Effect.Success<ReturnType<typeof node>>,
  some: ReadonlyArray<Partition>
) => Effect.flatMap(leases.acquire(some), (taken) => portfolio.begin(new Set(taken)))

/** Strategies of two owners, in two partitions. */
const strategiesOf = (url: Redacted.Redacted) =>
  Effect.flatMap(process(url), ({ context }) =>
    Effect.map(Effect.provide(Commits.strategies, context), ([mine, , hers]) => [mine, hers])
  )

/** A node that has begun with the partition of a strategy, and another one that takes it over, and gives it back. */
const overtaken = Effect.gen(function* () {
  const { url } = yield* database()
  const [one, other] = yield* Effect.all([node(url), node(url)])
  const [mine] = yield* strategiesOf(url)
  if (mine === undefined) throw new Error("a strategy was expected")
  const id = partitionOf(mine.account)
  yield* begun(one, [id])
  const before = one.partitions.of([id])
  yield* one.portfolio.commit([Steps.step(mine, 1)])
  yield* expire(one.sql)
  yield* begun(other, [id])
  yield* other.portfolio.commit([Steps.step(mine, 2)])
  yield* other.leases.release([id])
  return { one, mine, id, before }
})

const ids = (...all: ReadonlyArray<number>) => all.map((id) => Partition.make(id))
const sorted = (some: Iterable<number>) => [...some].sort((one, other) => one - other)
const lostOf = <A>(self: Effect.Effect<A>) =>
  Effect.map(Effect.flip(Effect.sandbox(self)), (cause) => {
    const defect = Cause.squash(cause)
    return defect instanceof PartitionsLost ? sorted(defect.partitions) : cause
  })

/** Lets the leases of all nodes end in the database, as if they had been frozen for long. */
const expire = (sql: SqlClient.SqlClient) =>
  sql`UPDATE partitions SET lease = clock_timestamp() - interval '1 second'`

describe.skipIf(!isInstalled)("leases of partitions", () => {
  it.live("go to one of two nodes that want them at the same moment, each whole", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const [one, other] = yield* Effect.all([node(url), node(url)])
      const [first, second] = yield* Effect.all(
        [one.leases.acquire(ids(1, 2, 3, 4)), other.leases.acquire(ids(4, 3, 2, 1, 5))],
        { concurrency: "unbounded" }
      )
      expect(sorted([...first, ...second])).toEqual([1, 2, 3, 4, 5])
      for (const id of first) expect(one.leases.leftOf(id)).toBeGreaterThan(9000)
      for (const id of first) expect(other.leases.leftOf(id)).toBeLessThanOrEqual(0)
    })
  )

  it.live(
    "are renewed by their node alone, and taken by another once they have ended or were given back",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const [one, other] = yield* Effect.all([node(url), node(url)])
        yield* one.leases.acquire(ids(1, 2, 3))
        expect(yield* other.leases.acquire(ids(1, 2))).toEqual([])
        expect(yield* other.leases.renew(ids(1, 2))).toEqual([])
        yield* one.leases.release(ids(3))
        expect(yield* other.leases.acquire(ids(3))).toEqual(ids(3))
        yield* expire(one.sql)
        // Nobody has taken it: it goes on.
        expect(yield* one.leases.renew(ids(2))).toEqual(ids(2))
        expect(yield* other.leases.acquire(ids(1, 2))).toEqual(ids(1))
        expect(sorted(yield* one.leases.renew(ids(1, 2)))).toEqual([2])
        expect(sorted(yield* one.leases.all)).toEqual([2])
        yield* one.leases.release(ids(1, 2, 3))
        expect(sorted(yield* other.leases.renew(ids(1, 3)))).toEqual([1, 3])
      })
  )

  it.live("hold until they are given back, not only until somebody asks how to", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const one = yield* node(url)
      const [id] = ids(1)
      if (id === undefined) throw new Error("a partition was expected")
      yield* begun(one, [id])
      const giveBack = one.leases.release([id])
      expect(one.leases.leftOf(id)).toBeGreaterThan(9000)
      expect(one.leases.isBegun(id)).toBe(true)
      yield* giveBack
      expect(one.leases.leftOf(id)).toBe(0)
    })
  )

  it.live("that are asked for by a node that stops in that moment are known to it, and given back", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const one = yield* node(url)
      const other = yield* node(url)
      const [locked, gate] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
      const lock = other.sql`SELECT id FROM partitions WHERE id = 1 FOR UPDATE`
      const locking = yield* Effect.fork(
        other.sql.withTransaction(
          Effect.zipRight(Effect.zipRight(lock, Deferred.succeed(locked, undefined)), Deferred.await(gate))
        )
      )
      yield* Deferred.await(locked)
      const asking = yield* Effect.fork(one.leases.acquire(ids(1)))
      yield* Effect.sleep(50)
      const stopping = yield* Effect.fork(Fiber.interrupt(asking))
      yield* Effect.sleep(50)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(locking)
      yield* Fiber.join(stopping)
      yield* Effect.flatMap(one.leases.all, one.leases.release)
      yield* Effect.sleep(100)
      expect(yield* one.sql`SELECT id FROM partitions WHERE owner IS NOT NULL`).toEqual([])
    })
  )

  it.live("last for whoever had them, and not for whoever lost them and took them anew", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const [one, other] = yield* Effect.all([node(url), node(url)])
      const [id] = ids(1)
      if (id === undefined) throw new Error("a partition was expected")
      expect(one.leases.lasting(id)()).toBe(0)
      yield* one.leases.acquire([id])
      const first = one.leases.lasting(id)
      yield* one.leases.renew([id])
      expect(first()).toBeGreaterThan(9000)
      yield* expire(one.sql)
      yield* other.leases.acquire([id])
      yield* one.leases.renew([id])
      expect(first()).toBe(0)
      yield* other.leases.release([id])
      yield* one.leases.acquire([id])
      expect(first()).toBe(0)
      expect(one.leases.lasting(id)()).toBeGreaterThan(9000)
    })
  )

  it.live(
    "keep what was done under them once their node had ended with the partition, and nothing that was lost",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const [one, other] = yield* Effect.all([node(url), node(url)])
        const [ended, lost] = ids(1, 2)
        if (ended === undefined || lost === undefined) throw new Error("two partitions were expected")
        expect(one.leases.keeping(ended)()).toBe(false)
        yield* one.leases.acquire([ended, lost])
        const all = [ended, lost].map((id) => one.leases.keeping(id))
        const kept = () => all.map((isKept) => isKept())
        expect(kept()).toEqual([true, true])
        one.leases.finish([ended])
        yield* one.leases.release([ended])
        yield* expire(one.sql)
        yield* other.leases.acquire([ended, lost])
        yield* one.leases.renew([lost])
        one.leases.finish([lost])
        expect(kept()).toEqual([true, false])
        // Taken anew, it is another lease.
        yield* other.leases.release([ended, lost])
        yield* one.leases.acquire([ended, lost])
        expect(kept()).toEqual([true, false])
      })
  )

  it.live(
    "fence: a node that was frozen stores nothing of a partition that is lost, and all of the others",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const [one, other] = yield* Effect.all([node(url), node(url)])
        const [mine, hers] = yield* strategiesOf(url)
        if (mine === undefined || hers === undefined) throw new Error("two strategies were expected")
        const [lost, kept] = [partitionOf(mine.account), partitionOf(hers.account)]
        yield* begun(one, [lost, kept])
        yield* one.portfolio.commit([Steps.step(mine, 1), Steps.step(hers, 1)])
        yield* expire(one.sql)
        yield* begun(other, [lost])
        yield* other.portfolio.commit([Steps.step(mine, 2)])
        const both = [Steps.step(mine, 3), Steps.step(hers, 2)]
        expect(yield* lostOf(one.portfolio.commit(both))).toEqual([lost])
        expect((yield* one.portfolio.bot(hers.id))?.step).toBe(1)
        yield* one.portfolio.commit([Steps.step(hers, 2)])
        // What is lost is known: nobody is asked about it again.
        expect(yield* lostOf(one.portfolio.commit([Steps.step(mine, 4)]))).toEqual([lost])
        expect((yield* one.portfolio.bot(mine.id))?.step).toBe(2)
        expect((yield* one.portfolio.bot(hers.id))?.step).toBe(2)
      })
  )

  it.live(
    "that were taken anew commit nothing before they were begun anew: others have stored meanwhile",
    () =>
      Effect.gen(function* () {
        const { id, mine, one } = yield* overtaken
        yield* one.leases.acquire([id])
        expect(one.leases.isBegun(id)).toBe(false)
        // What it decided on what it remembers.
        expect(yield* lostOf(one.portfolio.commit([Steps.step(mine, 9)]))).toEqual([id])
        expect((yield* one.portfolio.bot(mine.id))?.step).toBe(2)
        yield* one.portfolio.begin(new Set([id]))
        expect(one.leases.isBegun(id)).toBe(true)
        yield* one.portfolio.commit([Steps.step(mine, 3)])
        expect((yield* one.portfolio.bot(mine.id))?.step).toBe(3)
      })
  )

  it.live("stay with a node that hears of an earlier commit's fate after it has taken them anew", () =>
    Effect.gen(function* () {
      const { before, id, mine, one } = yield* overtaken
      yield* begun(one, [id])
      expect(sorted((yield* one.partitions.ask(before, "lost")).lost)).toEqual([id])
      // An answer that comes late tells nothing of the new lease either.
      one.partitions.stored(before)
      yield* one.portfolio.commit([Steps.step(mine, 3)])
      expect((yield* one.portfolio.bot(mine.id))?.step).toBe(3)
    })
  )

  it.live("that were never taken commit nothing", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const one = yield* node(url)
      const [mine] = yield* strategiesOf(url)
      if (mine === undefined) throw new Error("a strategy was expected")
      expect(yield* lostOf(one.portfolio.commit([Steps.step(mine, 1)]))).toEqual([partitionOf(mine.account)])
    })
  )
})
