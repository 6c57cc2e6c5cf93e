// The adversary: a network, or a machine, that neither answers nor refuses, comes back after a while, and may have
// forgotten every connection of before.
import { describe, expect } from "bun:test"
import { Cause, Effect, Exit, Fiber, Redacted, Schedule, Scope } from "effect"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { orDie } from "../../src/sql/client/SqlErrors.ts"
import { it } from "../lib/effect.ts"
import { database, isInstalled } from "../lib/postgres/Database.ts"
import * as Process from "../lib/postgres/Process.ts"
import * as Proxy from "../lib/postgres/Proxy.ts"

/** A caller of the server gives up after ten seconds: a statement has to end well before. */
const AT_MOST_MS = 8_000

const behindProxy = Effect.gen(function* () {
  const { server, url } = yield* database()
  const proxy = yield* Proxy.open(server.port)
  const own = yield* Process.process(
    Redacted.make(Redacted.value(url).replace(`:${server.port}/`, `:${proxy.port}/`))
  )
  const other = yield* Process.process(url)
  return { proxy, sql: own.sql, other: other.sql }
})

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const began = performance.now()
    return Effect.map(Effect.exit(effect), (exit) => ({ exit, ms: performance.now() - began }))
  })

const isUnavailable = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StorageUnavailable

describe.skipIf(!isInstalled)("a Postgres server that answers nothing", () => {
  for (const forgets of [false, true])
    it.live(
      `lets no statement wait, and has the next ones ${forgets ? "though it forgot our connections" : "once it answers"}`,
      () =>
        Effect.gen(function* () {
          const { other, proxy, sql } = yield* behindProxy
          const add = (name: string) =>
            orDie(sql`INSERT INTO accounts (name, created_at) VALUES (${name}, 1)`)
          // Several connections are open: each of them is of no use afterwards.
          yield* Effect.all(
            [1, 2, 3].map((it) => add(`before-${it}`)),
            { concurrency: "unbounded" }
          )
          const speak = proxy.silence()
          const onTheirWay = yield* Effect.fork(
            Effect.all(
              Array.from({ length: 12 }, (_, it) => timed(add(`under-way-${it}`))),
              { concurrency: "unbounded" }
            )
          )
          for (const { exit, ms } of yield* Fiber.join(onTheirWay)) {
            expect(isUnavailable(exit)).toBe(true)
            expect(ms).toBeLessThan(AT_MOST_MS)
          }
          const during = yield* timed(add("during"))
          expect(isUnavailable(during.exit)).toBe(true)
          expect(during.ms).toBeLessThan(1_000)

          speak(forgets)
          const began = performance.now()
          yield* Effect.retry(Effect.sandbox(add("after")), Schedule.spaced("20 millis"))
          expect(performance.now() - began).toBeLessThan(forgets ? 6_000 : 1_000)
          const names = yield* other<{
            readonly name: string
          }>`SELECT name FROM accounts ORDER BY id`
          // What failed before it was sent is not stored; what was on its way may be.
          expect(names.map(({ name }) => name)).not.toContain("during")
          expect(names.map(({ name }) => name)).toContain("after")
        })
    )

  it.live("for a moment, and has forgotten our connections, gets new ones before anybody gives up", () =>
    Effect.gen(function* () {
      const { proxy, sql } = yield* behindProxy
      const add = (name: string) => orDie(sql`INSERT INTO accounts (name, created_at) VALUES (${name}, 1)`)
      yield* Effect.all(
        Array.from({ length: 10 }, (_, it) => add(`before-${it}`)),
        { concurrency: "unbounded" }
      )
      const speak = proxy.silence()
      yield* Effect.sleep("200 millis")
      speak(true)
      // More than there are connections: some wait for one.
      const all = yield* Effect.all(
        Array.from({ length: 15 }, (_, it) => timed(add(`after-${it}`))),
        { concurrency: "unbounded" }
      )
      for (const { ms } of all) expect(ms).toBeLessThan(5_000)
      expect(all.filter(({ exit }) => Exit.isSuccess(exit)).length).toBeGreaterThanOrEqual(5)
      expect((yield* timed(add("later"))).ms).toBeLessThan(1_000)
    })
  )

  it.live("lets the process end at once", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { proxy, sql } = yield* Scope.extend(behindProxy, scope)
      yield* sql`SELECT 1`
      proxy.silence()
      const { ms } = yield* timed(Scope.close(scope, Exit.void))
      expect(ms).toBeLessThan(3_000)
    })
  )

  it.live("is not taken for one where a statement waits for a lock", () =>
    Effect.gen(function* () {
      const { other, sql } = yield* behindProxy
      const locked = yield* Effect.fork(
        other.withTransaction(
          Effect.zipRight(
            other`LOCK TABLE journal, accounts IN ACCESS EXCLUSIVE MODE`,
            Effect.sleep("7 seconds")
          )
        )
      )
      yield* Effect.sleep("200 millis")
      const { exit, ms } = yield* timed(sql`INSERT INTO accounts (name, created_at) VALUES ('patient', 1)`)
      expect(Exit.isSuccess(exit)).toBe(true)
      expect(ms).toBeGreaterThan(5_000)
      yield* Fiber.join(locked)
    })
  )

  it.live("is not taken for one that is slow, however many connections are new", () =>
    Effect.gen(function* () {
      const { proxy, sql } = yield* behindProxy
      const add = (name: string) => orDie(sql`INSERT INTO accounts (name, created_at) VALUES (${name}, 1)`)
      yield* add("before")
      // Longer than the connection that listens waits at first.
      proxy.slow(2_300)
      const tried = yield* Effect.forEach(
        Array.from({ length: 4 }, (_, it) => it),
        (lane) => Effect.forEach([1, 2, 3, 4, 5], (it) => timed(add(`${lane}-${it}`)), { concurrency: 1 }),
        { concurrency: "unbounded" }
      )
      const all = tried.flat()
      expect(all.filter(({ exit }) => Exit.isSuccess(exit)).length).toBeGreaterThanOrEqual(15)
      // Nor does it stay silent where nobody asked for a while.
      yield* Effect.sleep("6 seconds")
      yield* Effect.retry(Effect.sandbox(add("later")), Schedule.spaced("500 millis")).pipe(
        Effect.timeout("25 seconds")
      )
    })
  )

  it.live("may have been one that only reads: its connections are not used again", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const { sql } = yield* Process.process(url)
      const add = sql`INSERT INTO accounts (name, created_at) VALUES ('x', 1)`
      yield* sql`SELECT set_config('default_transaction_read_only', 'on', false)`
      expect(Exit.isFailure(yield* Effect.exit(add))).toBe(true)
      expect(Exit.isSuccess(yield* Effect.exit(add))).toBe(true)
    })
  )
})
