// The adversaries: somebody who serves a copy of a database, or one that was set back in time, beside the exchange accounts
// of the first; and a false alarm, which would teach an operator to take no notice.
import { describe, expect } from "bun:test"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, type Layer, Redacted } from "effect"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { Journal } from "../../src/services/Journal.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import { draft } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import { administrate, database, fresh, isInstalled, urlOf } from "../lib/postgres/Database.ts"
import { folder } from "../services/ports.ts"

type Served = Layer.Layer.Success<ReturnType<typeof Postgres.layerServed>>

/** Serves a database for a moment; why entries are halted for everybody, if they are. */
const serve = <E>(url: Redacted.Redacted, at: string, use: Effect.Effect<unknown, E, Served> = Effect.void) =>
  Effect.zipRight(
    use,
    Effect.flatMap(Halts, ({ all }) => Effect.map(all, (halts) => halts.map(({ text }) => text)))
  ).pipe(Effect.provide(Postgres.layerServed({ url, node: fresh("server"), shown: "it", folder: at })))

/** Stores so many alerts. */
const alerts = (count: number) =>
  Effect.gen(function* () {
    const known = yield* sender(fresh("ann"))
    const { append } = yield* Journal
    for (let index = 0; index < count; index++) yield* append(draft(known))
  })

/** Changes rows as only Postgres itself does. */
const changed = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text))

const BACK = ["DELETE FROM alerts WHERE id > 2", "UPDATE journal SET last = 2"]

describe.skipIf(!isInstalled)("the server of a database", () => {
  it.live(
    "finds nothing wrong with its own, on this machine and on another, killed, renamed, and with other rights",
    () =>
      Effect.gen(function* () {
        const { name, server, url } = yield* database()
        const [here, there] = [yield* folder, yield* folder]
        expect(yield* serve(url, here)).toEqual([])
        expect(yield* serve(url, here, alerts(3))).toEqual([])
        // A kill leaves the file behind the journal.
        const [file = ""] = readdirSync(here)
        const noted = readFileSync(join(here, file), "utf8")
        expect(yield* serve(url, here, alerts(3))).toEqual([])
        writeFileSync(join(here, file), noted)
        expect(yield* serve(url, here)).toEqual([])
        writeFileSync(join(here, file), "half a")
        expect(yield* serve(url, here)).toEqual([])
        expect(yield* serve(url, there, alerts(1))).toEqual([])
        expect(yield* serve(url, here)).toEqual([])
        const other = fresh("renamed")
        yield* Effect.promise(() => administrate(server, `ALTER DATABASE ${name} RENAME TO ${other}`))
        expect(yield* serve(urlOf(server, other), here)).toEqual([])
        const role = fresh("poor")
        const mine = new URL(Redacted.value(urlOf(server, other)))
        mine.username = role
        const poor = Redacted.make(mine.href)
        const rights = `CREATE ROLE ${role} LOGIN IN ROLE pg_read_all_data, pg_write_all_data`
        yield* Effect.promise(() => administrate(server, rights))
        yield* Effect.promise(() => administrate(server, `GRANT CREATE ON DATABASE ${other} TO ${role}`))
        yield* serve(
          urlOf(server, other),
          here,
          changed("REVOKE EXECUTE ON FUNCTION pg_control_system FROM PUBLIC")
        )
        // Who may not read which system it is knows no other.
        expect(yield* serve(poor, here)).toEqual([])
        expect(yield* serve(urlOf(server, other), here)).toEqual([])
        yield* Effect.promise(() => administrate(server, `ALTER DATABASE ${other} RENAME TO ${name}`))
      })
  )

  it.live("halts entries of a copy, and of what was restored to another server, once", () =>
    Effect.gen(function* () {
      const { name, server, url } = yield* database()
      const [here, there] = [yield* folder, yield* folder]
      yield* serve(url, here, alerts(2))
      const copy = fresh("copy")
      yield* Effect.acquireRelease(
        Effect.promise(() => administrate(server, `CREATE DATABASE ${copy} TEMPLATE ${name}`)),
        () => Effect.promise(() => administrate(server, `DROP DATABASE ${copy} WITH (FORCE)`))
      )
      const halted = [expect.stringContaining("restored from a copy of another database of Postgres")]
      expect(yield* serve(urlOf(server, copy), there)).toEqual(halted)
      expect(yield* serve(url, here)).toEqual([])
      // It stays halted until somebody resumes, and then it is a database of its own.
      expect(yield* serve(urlOf(server, copy), there)).toEqual(halted)
      expect(yield* serve(urlOf(server, copy), there, changed("DELETE FROM halts"))).toEqual([])
      expect(yield* serve(urlOf(server, copy), there, alerts(1))).toEqual([])
      // The same OID on another system.
      yield* serve(url, here, changed("UPDATE server SET system = '7000000000000000001'"))
      expect(yield* serve(url, here)).toEqual(halted)
    })
  )

  it.live("halts entries of one that went back in time, whatever its copy says of itself", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const here = yield* folder
      yield* serve(url, here, alerts(5))
      // Rows go back while nobody serves: a recovery to a point in time keeps system and OID.
      yield* Effect.provide(Effect.forEach(BACK, changed), Postgres.layer({ url, node: fresh("recovery") }))
      const halted = [expect.stringContaining("restored from an earlier state of it")]
      expect(yield* serve(url, here)).toEqual(halted)
      expect(yield* serve(url, here, changed("DELETE FROM halts"))).toEqual([])
      expect(yield* serve(url, here, alerts(1))).toEqual([])
    })
  )
})
