// The adversary: two servers at the same time, one that was killed, one that is stopped dead and wakes up too late, and
// a database that is away for a while.
import { describe, expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Deferred, Duration, Effect, Exit, Layer, type Redacted, Scope } from "effect"
import * as Lease from "../../src/postgres/Lease.ts"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { it } from "../lib/effect.ts"
import { administrate, database, fresh, isInstalled } from "../lib/postgres/Database.ts"

const opened = (url: Redacted.Redacted) => Layer.build(Postgres.layer({ url, node: fresh("node") }))

/** A server that holds the lease until its scope is closed. */
const serving = (url: Redacted.Redacted, process?: string, isShared = false) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer((exit) => Scope.close(scope, exit))
    const node = fresh("server")
    const context = yield* Layer.build(
      Layer.provideMerge(
        Lease.layer({ node, shown: "here", isShared, ...(process === undefined ? {} : { process }) }),
        Postgres.layer({ url, node })
      )
    ).pipe(Scope.extend(scope))
    return {
      lease: Context.get(context, Lease.Lease),
      sql: Context.get(context, SqlClient.SqlClient),
      stop: Scope.close(scope, Exit.void)
    }
  })

const ELSEWHERE = "another machine"

/** Ends the lease, as if its time had passed. */
const endLease = (url: Redacted.Redacted) =>
  Effect.flatMap(opened(url), (context) =>
    Effect.provide(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE server SET lease = clock_timestamp()`),
      context
    )
  )

describe.skipIf(!isInstalled)("the lease of a database", () => {
  it.live("makes the second server fail while the first runs, and lets it start once that has stopped", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const first = yield* serving(url)
      expect(yield* Effect.flip(serving(url))).toMatchObject({ _tag: "DatabaseServed", filename: "here" })
      const looking = yield* opened(url)
      expect(yield* Effect.provide(Lease.isServed, looking)).toBe(true)
      yield* first.stop
      expect(yield* Effect.provide(Lease.isServed, looking)).toBe(false)
      const second = yield* serving(url)
      expect(second.lease.epoch).toBe(first.lease.epoch + 1)
    })
  )

  it.live("goes to one of several servers that start at the same time", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const exits = yield* Effect.all(
        Array.from({ length: 3 }, () => Effect.exit(serving(url))),
        { concurrency: "unbounded" }
      )
      expect(exits.filter(Exit.isSuccess)).toHaveLength(1)
    })
  )

  it.live("of a process of this machine that was killed is taken at once", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const child = Bun.spawn(["sleep", "60"])
      const { own } = yield* Effect.promise(() => import("../../src/postgres/client/ProcessName.ts"))
      const stat = yield* Effect.promise(() => Bun.file(`/proc/${child.pid}/stat`).text())
      const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
      const named = `${own().split(" ").slice(0, 2).join(" ")} ${child.pid} ${start}`
      const { sql } = yield* serving(url)
      yield* sql`UPDATE server SET owner = 'killed', process = ${named}, lease = clock_timestamp() + interval '1 hour'`
      const looking = yield* opened(url)
      expect(yield* Effect.provide(Lease.isServed, looking)).toBe(true)
      child.kill("SIGKILL")
      yield* Effect.promise(() => child.exited)
      expect(yield* Effect.provide(Lease.isServed, looking)).toBe(false)
      const [took] = yield* Effect.timed(serving(url))
      expect(Duration.toMillis(took)).toBeLessThan(2000)
    })
  )

  it.live("of another machine is taken once it has ended, and the server that had it is fenced off", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const frozen = yield* serving(url, ELSEWHERE)
      yield* Effect.sleep("300 millis")
      // Stopped dead: nothing renews it, as if its time had passed.
      yield* frozen.sql`UPDATE server SET lease = clock_timestamp() + interval '700 milliseconds'`
      const next = yield* serving(url)
      expect(next.lease.epoch).toBe(frozen.lease.epoch + 1)
      const stored = yield* frozen.sql`UPDATE partitions SET cursor = 1
        WHERE id = 0 AND epoch = ${frozen.lease.epoch} RETURNING 1`
      expect(stored).toEqual([])
      // It wakes up, and finds out by itself.
      yield* frozen.lease.lost.pipe(Effect.timeout("5 seconds"))
      yield* frozen.stop
      expect(yield* Effect.provide(Lease.isServed, yield* opened(url))).toBe(true)
    })
  )

  it.live(
    "goes to the next server within ten seconds, though the one before stopped dead within a transaction",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const dead = yield* serving(url, ELSEWHERE)
        const locked = yield* Deferred.make<void>()
        yield* dead.sql`SELECT id FROM partitions FOR UPDATE`.pipe(
          Effect.zipRight(Deferred.succeed(locked, undefined)),
          Effect.zipRight(Effect.never),
          dead.sql.withTransaction,
          Effect.forkScoped
        )
        yield* Deferred.await(locked)
        yield* endLease(url)
        const [took, next] = yield* Effect.timed(serving(url))
        expect(next.lease.epoch).toBe(dead.lease.epoch + 1)
        expect(Duration.toSeconds(took)).toBeLessThan(10)
      }),
    30_000
  )

  it.live("is kept by its server while the database is away", () =>
    Effect.gen(function* () {
      const { name, server, url } = yield* database()
      const first = yield* serving(url)
      yield* Effect.promise(() =>
        administrate(
          server,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`
        )
      )
      const before = yield* first.sql`SELECT lease FROM server`.pipe(Effect.retry({ times: 10 }))
      yield* Effect.sleep("2500 millis")
      const after = yield* first.sql`SELECT lease FROM server`
      expect(after).not.toEqual(before)
      const outcome = yield* Effect.timeoutOption(first.lease.lost, "10 millis")
      expect(outcome._tag).toBe("None")
    })
  )

  it.live(
    "is shared by the nodes of a cluster, which refuse a server that is alone, as it refuses them",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const alone = yield* serving(url)
        expect(yield* Effect.flip(serving(url, undefined, true))).toMatchObject({ _tag: "DatabaseServed" })
        yield* alone.stop
        const nodes = yield* Effect.all([serving(url, undefined, true), serving(url, undefined, true)], {
          concurrency: "unbounded"
        })
        expect(new Set(nodes.map(({ lease }) => lease.epoch)).size).toBe(1)
        expect(yield* Effect.flip(serving(url, ELSEWHERE))).toMatchObject({ _tag: "DatabaseServed" })
        for (const { stop } of nodes) yield* stop
        yield* serving(url)
      })
  )

  // A database that was away for longer than the lease: nobody could renew it, and nobody was seen.
  it.live(
    "is kept by the nodes of a cluster where one joins or leaves before the others have renewed it",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const [one, two] = yield* Effect.all([serving(url, undefined, true), serving(url, undefined, true)])
        yield* endLease(url)
        const three = yield* serving(url, undefined, true)
        // No node is seen here: it takes itself for the last one.
        yield* three.stop
        yield* Effect.sleep("2500 millis")
        for (const { lease } of [one, two])
          expect((yield* Effect.timeoutOption(lease.lost, "10 millis"))._tag).toBe("None")
        expect(yield* Effect.flip(serving(url, ELSEWHERE))).toMatchObject({ _tag: "DatabaseServed" })
      }),
    30_000
  )

  // It may have moved the database away, or brought it to a newer version.
  it.live(
    "is lost by all nodes of a cluster to a server that was alone meanwhile, also where that has stopped",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const nodes = yield* Effect.all([serving(url, undefined, true), serving(url, undefined, true)])
        yield* endLease(url)
        const alone = yield* serving(url)
        yield* alone.stop
        for (const { lease } of nodes) yield* Effect.timeout(lease.lost, "5 seconds")
      }),
    30_000
  )
})
