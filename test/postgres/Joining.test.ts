// The adversary: an operator who starts a program that is two versions apart from those that run, in either direction, and
// one who is in the middle of an upgrade, with an older node beside a newer one.
import { describe, expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer, type Redacted, type Scope } from "effect"
import * as Client from "../../src/postgres/client/Client.ts"
import * as Joining from "../../src/postgres/Joining.ts"
import * as Migrations from "../../src/postgres/Migrations.ts"
import * as Nodes from "../../src/postgres/Nodes.ts"
import { ChangeWatch } from "../../src/sql/client/ChangeWatch.ts"
import { it } from "../lib/effect.ts"
import { database, fresh, isInstalled } from "../lib/postgres/Database.ts"

const run = <A, E>(url: Redacted.Redacted, self: Effect.Effect<A, E, SqlClient.SqlClient | Scope.Scope>) =>
  Effect.scoped(
    Effect.provide(self, Layer.provide(Client.layer({ url, node: fresh("node") }), ChangeWatch.layer))
  )

const statement = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text))

/** A program with so many migrations starts. */
const starts = (url: Redacted.Redacted, version: number, isNode = true) =>
  run(url, Layer.build(Migrations.layer({ shown: "db", isNode, migrations: program(version) })))

/** Those of ours, and some of later versions. */
const program = (version: number): Migrations.Migrations => [
  ...Migrations.upTo(version),
  ...Array.from({ length: Math.max(0, version - Migrations.VERSION) }, (_, index) => {
    const name = `later_${Migrations.VERSION + index + 1}`
    return [name, statement(`CREATE TABLE ${name} (id bigint)`)] as const
  })
]

/** A node that knows this version of the tables and this protocol is there. */
const there = (url: Redacted.Redacted, schema: number, protocol = 1, seen = "0 seconds") =>
  run(
    url,
    statement(`INSERT INTO nodes (address, node, runner, version, protocol, schema, healthy, seen)
      VALUES ('10.0.0.${schema}:8090', 'n', '{}', '1', ${protocol}, ${schema}, true,
        clock_timestamp() - interval '${seen}')`)
  )

const joins = (url: Redacted.Redacted, protocol: number) =>
  run(url, Layer.build(Joining.layer("db", protocol)))

const { VERSION } = Migrations

describe.skipIf(!isInstalled)("a program that joins those that run on a database", () => {
  it.live("brings the tables one step further beside them, and refuses two", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      yield* there(url, VERSION)
      const refused = yield* Effect.flip(starts(url, VERSION + 2))
      expect(refused.message).toContain(
        `servers that know its version ${VERSION} run on it, and this program would make it version ${VERSION + 2}: upgrade one version at a time, or stop all of them first`
      )
      expect(yield* run(url, statement(`SELECT to_regclass('later_${VERSION + 1}') AS made`))).toEqual([
        { made: null }
      ])
      yield* starts(url, VERSION + 1)
      expect(yield* run(url, statement("SELECT max(id) AS id FROM signalbox_migrations"))).toEqual([
        { id: VERSION + 1 }
      ])
    })
  )

  it.live("asks a node of the first tables too, which says nothing of its version", () =>
    Effect.gen(function* () {
      const { url } = yield* database("empty")
      yield* starts(url, 1)
      yield* run(
        url,
        statement(`INSERT INTO nodes (address, node, runner, version, healthy, seen)
          VALUES ('10.0.0.1:8090', 'n', '{}', '1', true, clock_timestamp())`)
      )
      expect((yield* Effect.flip(starts(url, 3))).message).toContain("servers that know its version 1")
      yield* starts(url, 2)
    })
  )

  it.live(
    "goes ahead where those that were behind are gone",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        yield* there(url, VERSION, 1, "1 minute")
        yield* starts(url, VERSION + 2)
      }),
    30_000
  )

  it.live(
    "hears those first who could not be heard of while the database was away",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        yield* there(url, VERSION, 1, "1 minute")
        yield* Effect.sleep("1 second").pipe(
          Effect.zipRight(run(url, statement("UPDATE nodes SET seen = clock_timestamp()"))),
          Effect.forkScoped
        )
        const [migrated, joined] = yield* Effect.all(
          [Effect.flip(starts(url, VERSION + 2)), Effect.flip(joins(url, 3))],
          { concurrency: 2 }
        )
        expect(migrated.message).toContain(`servers that know its version ${VERSION} run on it`)
        expect(joined.message).toContain("its servers talk to each other by protocol 1")
      }),
    30_000
  )

  it.live("starts as an older node on tables one step newer, and not two, nor as a server alone", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      yield* starts(url, VERSION + 1)
      yield* starts(url, VERSION)
      expect(yield* Effect.flip(starts(url, VERSION, false))).toMatchObject({ _tag: "DatabaseNewer" })
      yield* starts(url, VERSION + 2)
      expect(yield* Effect.flip(starts(url, VERSION))).toMatchObject({
        _tag: "DatabaseNewer",
        found: VERSION + 2
      })
    })
  )

  it.live("talks to the others by a protocol one step apart, in either direction, and to none beyond", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      yield* joins(url, 7)
      yield* there(url, 1, 4)
      for (const protocol of [3, 4, 5]) yield* joins(url, protocol)
      for (const protocol of [2, 6])
        expect((yield* Effect.flip(joins(url, protocol))).message).toBe(
          `cannot open the database db: its servers talk to each other by protocol 4, and this program by protocol ${protocol}: upgrade one version at a time, or stop all of them first`
        )
      yield* there(url, 2, 5)
      expect((yield* Effect.flip(joins(url, 3))).message).toContain("by protocol 5")
    })
  )

  it.live("is listed with its versions, and clears away those that were gone for a day", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      yield* there(url, 1, 1, "2 days")
      const own = { address: "10.0.0.2:8090", runner: "{}", healthy: true }
      yield* run(
        url,
        Effect.flatMap(Nodes.Nodes, (nodes) => nodes.register(own)).pipe(
          Effect.provide(Nodes.layer({ node: "two", version: "1.2.3", protocol: 9 }))
        )
      )
      expect(yield* run(url, statement("SELECT address, version, protocol, schema FROM nodes"))).toEqual([
        { address: "10.0.0.2:8090", version: "1.2.3", protocol: 9, schema: VERSION }
      ])
    })
  )
})
