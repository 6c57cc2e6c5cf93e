// The adversary: answers that are lost on the way back, to reads and to writes.
import { describe, expect, test } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { isRead } from "../../src/postgres/client/Reading.ts"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { it } from "../lib/effect.ts"
import { database, fresh, isInstalled, urlOf } from "../lib/postgres/Database.ts"
import * as Proxy from "../lib/postgres/Proxy.ts"

const proxied = Effect.gen(function* () {
  const { name, server } = yield* database()
  const proxy = yield* Proxy.open(server.port)
  const url = urlOf({ ...server, port: proxy.port }, name)
  const context = yield* Layer.build(Postgres.layer({ url, node: fresh("node") }))
  return { proxy, sql: Context.get(context, SqlClient.SqlClient) }
})

describe.skipIf(!isInstalled)("a statement whose answer is lost", () => {
  it.live("is read again, also as plain values", () =>
    Effect.gen(function* () {
      const { proxy, sql } = yield* proxied
      proxy.loseAnswerTo("read me")
      expect(yield* sql`SELECT ${"read me"}::text AS found`).toEqual([{ found: "read me" }])
      proxy.loseAnswerTo("read me")
      expect(yield* sql`SELECT ${"read me"}::text AS found`.values).toEqual([["read me"]])
      expect(proxy.lost()).toBe(2)
    })
  )

  it.live("is not sent again if it writes, and not within a transaction", () =>
    Effect.gen(function* () {
      const { proxy, sql } = yield* proxied
      proxy.loseAnswerTo("ann")
      yield* Effect.flip(sql`INSERT INTO accounts (name, created_at) VALUES (${"ann"}, 1)`)
      proxy.loseAnswerTo("read me")
      yield* Effect.flip(
        sql.withTransaction(
          Effect.zipRight(
            sql`INSERT INTO accounts (name, created_at) VALUES ('bob', 1)`,
            sql`SELECT ${"read me"}::text AS found`
          )
        )
      )
      expect(yield* sql`SELECT name FROM accounts`).toEqual([{ name: "ann" }])
    })
  )
})

test("a statement that locks, tells others or calls a function of ours does not only read", () => {
  expect(
    ["SELECT 1", "  SELECT id FROM bots", "WITH RECURSIVE x AS (SELECT 1) SELECT 2"].map(isRead)
  ).toEqual([true, true, true])
  const others = [
    "INSERT INTO bots VALUES (1)",
    "WITH x AS (DELETE FROM bots RETURNING 1) SELECT 1",
    "SELECT signalbox_append($1)",
    "SELECT code FROM signalbox_fence($1) AS code",
    "SELECT id FROM bots FOR UPDATE",
    "SELECT id FROM bots FOR KEY SHARE",
    "SELECT pg_advisory_xact_lock(1)",
    "SELECT set_config('a', 'b', false)",
    "COMMIT"
  ]
  expect(others.filter(isRead)).toEqual([])
})
