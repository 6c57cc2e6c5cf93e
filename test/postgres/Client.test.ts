// The adversary: a server that refuses, goes, comes back or is another's, and a reader of logs who wants the password.
import { describe, expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { isRowFault, isUnavailable, orDie } from "../../src/sql/client/SqlErrors.ts"
import { it } from "../lib/effect.ts"
import {
  administrate,
  database,
  fresh,
  isInstalled,
  PASSWORD,
  server,
  urlOf
} from "../lib/postgres/Database.ts"

const connected = (url: Redacted.Redacted) =>
  Effect.map(Layer.build(Postgres.layer({ url, node: fresh("node") })), (context) => context)
const client = (url: Redacted.Redacted) =>
  Effect.flatMap(connected(url), (context) => Effect.provide(SqlClient.SqlClient, context))

/** All that a log or an error page could show of a failure. */
const everythingOf = (cause: Cause.Cause<unknown>) =>
  `${Cause.pretty(cause)} ${Bun.inspect(Cause.squash(cause), { depth: 9 })} ${JSON.stringify(cause)}`

describe.skipIf(!isInstalled)("a database of Postgres", () => {
  it.live("is refused in words when it cannot be opened, without its user and password", () =>
    Effect.gen(function* () {
      const running = yield* Effect.promise(server)
      const urls = [
        urlOf(running, "nowhere"),
        urlOf({ ...running, port: 1 }, "postgres"),
        Redacted.make(`postgres://signalbox:${PASSWORD}@host.invalid/x`),
        Redacted.make(`mysql://signalbox:${PASSWORD}@127.0.0.1/x`),
        Redacted.make(`postgres://signalbox:${PASSWORD}@[bad/x`),
        Redacted.make(`postgres://signalbox:${PASSWORD}@127.0.0.1/x?sslrootcert=/nowhere/ca.pem`)
      ]
      for (const url of urls) {
        const exit = yield* Effect.exit(Effect.scoped(client(url)))
        expect(Exit.isFailure(exit)).toBe(true)
        if (Exit.isSuccess(exit)) continue
        expect(Cause.squash(exit.cause)).toMatchObject({ _tag: "DatabaseUnavailable" })
        const words = everythingOf(exit.cause)
        expect(words).not.toContain(PASSWORD)
        expect(words).not.toContain("signalbox:")
      }
    })
  )

  it.live("returns integers and counts as numbers, reals and bytes as they were stored", () =>
    Effect.gen(function* () {
      const sql = yield* client((yield* database()).url)
      const bytes = new Uint8Array([0, 1, 254, 255])
      const [row] = yield* sql`SELECT count(*) AS count, CAST(${9_007_199_254_740_991} AS bigint) AS large,
        CAST(${5e-324} AS float8) AS least, CAST(${1 / 3} AS float8) AS third, CAST(${bytes} AS bytea) AS bytes
        FROM partitions`
      expect(row).toMatchObject({ count: 256, large: 9_007_199_254_740_991, least: 5e-324, third: 1 / 3 })
      expect(row?.["bytes"]).toEqual(Buffer.from(bytes))
    })
  )

  it.live("says of a row that it is at fault, and shows nothing of what is stored", () =>
    Effect.gen(function* () {
      const sql = yield* client((yield* database()).url)
      yield* sql`INSERT INTO accounts (name, created_at) VALUES ('secret-name', 1)`
      for (const statement of [
        sql`INSERT INTO accounts (name, created_at) VALUES ('secret-name', 1)`,
        sql`INSERT INTO accounts (name, created_at) VALUES ('x', ${"secret-name"})`
      ]) {
        const error = yield* Effect.flip(statement)
        expect([isRowFault(error), isUnavailable(error)]).toEqual([true, false])
        expect(everythingOf(Cause.fail(error))).not.toContain("secret-name")
      }
    })
  )

  it.live("is unavailable while connections are ended, and works again at once", () =>
    Effect.gen(function* () {
      const { name, server: running, url } = yield* database()
      const sql = yield* client(url)
      const end = Effect.promise(() =>
        administrate(
          running,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`
        )
      )
      const defect = yield* Effect.flip(
        Effect.sandbox(
          orDie(
            sql.withTransaction(
              Effect.zipRight(end, sql`INSERT INTO accounts (name, created_at) VALUES ('lost', 1)`)
            )
          )
        )
      )
      expect(Cause.squash(defect)).toBeInstanceOf(StorageUnavailable)
      yield* sql`INSERT INTO accounts (name, created_at) VALUES ('kept', 1)`
      yield* end
      expect(yield* sql`SELECT name FROM accounts`.pipe(Effect.retry({ times: 1 }))).toEqual([
        { name: "kept" }
      ])
    })
  )

  it.live(
    "is unavailable where it only reads, where it takes no more connections, and where a lock stays",
    () =>
      Effect.gen(function* () {
        const sql = yield* client((yield* database()).url)
        const errors = yield* Effect.forEach(["25006", "53300", "53100", "57P03", "40P01", "55P03"], (code) =>
          Effect.flip(sql.unsafe(`DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '${code}'; END $$`))
        )
        expect(errors.map(isUnavailable)).toEqual(errors.map(() => true))
      })
  )

  it.live("undoes a transaction whole, and an inner one alone", () =>
    Effect.gen(function* () {
      const sql = yield* client((yield* database()).url)
      const add = (name: string) => sql`INSERT INTO accounts (name, created_at) VALUES (${name}, 1)`
      const fail = Effect.fail("undone" as const)
      yield* Effect.ignore(sql.withTransaction(Effect.zipRight(add("a"), fail)))
      yield* sql.withTransaction(
        Effect.zipRight(add("b"), Effect.ignore(sql.withTransaction(Effect.zipRight(add("c"), fail))))
      )
      expect(yield* sql`SELECT name FROM accounts ORDER BY id`).toEqual([{ name: "b" }])
    })
  )
})
