// The adversary: somebody who changes a row, a reference or the schema of a database of Postgres behind the program's back.
import { afterAll, describe, expect, test } from "bun:test"
import { Effect, Exit, Redacted, Scope } from "effect"
import { Client } from "pg"
import * as Postgres from "../../src/postgres/Postgres.ts"
import * as Books from "../lib/books.ts"
import { administrate, database, fresh, isInstalled, urlOf } from "../lib/postgres/Database.ts"
import { ofPostgres, spoilings } from "../lib/spoilings.ts"

/** SQLite's functions of JSON, in a schema that is not verified. */
const FUNCTIONS = `CREATE SCHEMA spoiling; SET search_path = spoiling, public;
  CREATE FUNCTION place(path text) RETURNS text[] LANGUAGE sql AS $$
    SELECT array_agg(coalesce(found[1], found[2]))
      FROM regexp_matches(path, '"([^"]+)"|([^.$"\\[\\]]+)', 'g') AS found $$;
  CREATE FUNCTION json_set(json text, path text, value text) RETURNS text LANGUAGE sql AS
    'SELECT jsonb_set(json::jsonb, place(path), to_jsonb(value))::text';
  CREATE FUNCTION json_set(json text, path text, value numeric) RETURNS text LANGUAGE sql AS
    'SELECT jsonb_set(json::jsonb, place(path), to_jsonb(value))::text';
  CREATE FUNCTION json_remove(json text, path text) RETURNS text LANGUAGE sql AS
    'SELECT (json::jsonb #- place(path))::text';
  CREATE FUNCTION json_extract(json text, path text) RETURNS numeric LANGUAGE sql AS
    'SELECT (json::jsonb #>> place(path))::numeric'`

const run = async (url: Redacted.Redacted, text: string): Promise<void> => {
  const client = new Client({ connectionString: Redacted.value(url) })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

let opened: Promise<{ readonly scope: Scope.CloseableScope; readonly base: Base }> | undefined
type Base = Effect.Effect.Success<ReturnType<typeof database>>

/** The books, written once; each change is made to a copy. */
const books = () => {
  opened ??= (async () => {
    const scope = await Effect.runPromise(Scope.make())
    const base = await Effect.runPromise(Scope.extend(database(), scope))
    await Effect.runPromise(Books.written(Redacted.value(base.url)))
    await run(base.url, FUNCTIONS)
    return { scope, base }
  })()
  return opened
}
afterAll(async () => {
  if (opened !== undefined) await Effect.runPromise(Scope.close((await opened).scope, Exit.void))
})

/** What is found in a copy of the books once it was changed. */
const found = async (statement: string): Promise<ReadonlyArray<string>> => {
  const { base } = await books()
  const name = fresh("spoiled")
  await administrate(base.server, `CREATE DATABASE ${name} TEMPLATE ${base.name}`)
  const url = urlOf(base.server, name)
  await run(url, `SET search_path = public, spoiling; ${statement}`)
  const { faults } = await Effect.runPromise(Postgres.verify({ url, node: fresh("verify") }))
  await administrate(base.server, `DROP DATABASE ${name} WITH (FORCE)`)
  return faults.map(({ row, strategy, table, text }) => `${strategy ?? "-"} ${table} ${row ?? "-"}: ${text}`)
}

describe.skipIf(!isInstalled)("verification on Postgres", () => {
  test("finds no fault in sound books", async () => expect(await found("SELECT 1")).toEqual([]), 60_000)

  for (const [name, statement, expected] of [...spoilings, ...ofPostgres])
    test(`finds and locates this change, and no other fault: ${name}`, async () => {
      const faults = await found(statement)
      expect(expected.filter((pattern) => !faults.some((fault) => pattern.test(fault)))).toEqual([])
      expect(faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)))).toEqual([])
    }, 60_000)
})
