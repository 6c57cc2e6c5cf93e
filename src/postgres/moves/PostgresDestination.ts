// A database of Postgres as the target of a move. It stays marked as unfinished until everything is there.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Client } from "pg"
import type { Destination, LastIds } from "../../sql/moves/Move.ts"
import * as MoveRows from "../../sql/moves/MoveRows.ts"
import { type Kind, MADE_WITH_ROWS, OWN, type Table } from "../../sql/moves/MoveTable.ts"
import type { Row } from "../../sql/moves/RowHash.ts"
import { type Options, shown } from "../client/Address.ts"
import { texts } from "../client/ArrayText.ts"
import * as Snapshot from "../client/Snapshot.ts"
import * as PostgresEnd from "./PostgresEnd.ts"
import * as PostgresIndexes from "./PostgresIndexes.ts"
import { leased } from "./PostgresOrigin.ts"

/** Opens a database as the target of a move, under its lease. It must not hold anything yet. */
export const open = Effect.fn("PostgresDestination.open")(function* (
  options: Options,
  claim: MoveRows.Claim
) {
  const name = shown(options.url)
  const held = yield* Layer.build(leased(options))
  const client = yield* Snapshot.connect(options)
  const tables = yield* PostgresEnd.attempt(options, () => PostgresEnd.tablesOf(client))
  const standing = yield* Effect.provide(MoveRows.standing, held)
  const holdsRows = yield* PostgresEnd.attempt(options, () => hasRows(client, tables))
  const refusal = MoveRows.claimRefusal(claim, { standing, holdsRows })
  if (refusal !== undefined) return yield* new MoveRows.MoveRefused({ message: `${name}: ${refusal}` })
  yield* Effect.provide(MoveRows.record(MoveRows.unfinished(claim)), held)
  const indexes = yield* PostgresEnd.attempt(options, async () => {
    await client.query("BEGIN")
    await client.query("SET LOCAL lock_timeout = '5s'")
    await client.query(`TRUNCATE ${moved(tables).map(PostgresEnd.quoted).join(", ")}`)
    return PostgresIndexes.drop(client, moved(tables))
  })
  return {
    ...PostgresEnd.make(client, options, tables),
    write: (table, rows) =>
      checked(name, table, rows) ?? PostgresEnd.attempt(options, () => write(client, table, rows)),
    setLastIds: (ids) => PostgresEnd.attempt(options, () => setLastIds(client, ids)),
    settle: PostgresEnd.attempt(options, async () => {
      await PostgresIndexes.make(client, indexes)
      await client.query("COMMIT")
      // Without statistics the first statements would read whole tables.
      await client.query("ANALYZE")
      await client.query("BEGIN READ ONLY")
    }),
    arrive: Effect.void,
    finish: Effect.provide(MoveRows.record({ ...MoveRows.unfinished(claim), finished: true }), held)
  } satisfies Destination
})

const moved = (tables: ReadonlyArray<Table>): ReadonlyArray<string> =>
  tables.map(({ name }) => name).filter((name) => !OWN.has(name))

const hasRows = async (client: Client, tables: ReadonlyArray<Table>): Promise<boolean> => {
  const looked = moved(tables).filter((name) => !MADE_WITH_ROWS.has(name))
  const { rows } = await client.query<{ readonly found: boolean }>(
    `SELECT ${looked.map((name) => `EXISTS (SELECT 1 FROM ${PostgresEnd.quoted(name)})`).join(" OR ")} AS found`
  )
  return rows[0]?.found === true
}

/** The types of the arrays that rows are sent in, a column each. */
const ARRAYS: Readonly<Record<Kind, string>> = {
  integer: "bigint[]",
  real: "float8[]",
  text: "text[]",
  bytes: "bytea[]"
}

/** Refuses the character 0 in a text, which SQLite stores and Postgres cannot. */
const checked = (
  filename: string,
  table: Table,
  rows: ReadonlyArray<Row>
): Effect.Effect<never, MoveRows.MoveRefused> | undefined => {
  const spoiled = rows.find((row) => row.some((value) => value?.includes("\0") === true))
  if (spoiled === undefined) return undefined
  const key = table.key.map((name) => {
    const index = table.columns.findIndex((column) => column.name === name)
    return `${name} ${spoiled[index] ?? ""}`.replaceAll("\0", "")
  })
  return Effect.fail(
    new MoveRows.MoveRefused({
      message: `${filename} cannot hold the row of ${table.name} with ${key.join(", ")}: a text of it has a NUL character`
    })
  )
}

const write = async (client: Client, { columns, name }: Table, rows: ReadonlyArray<Row>): Promise<void> => {
  const names = columns.map((it) => PostgresEnd.quoted(it.name)).join(", ")
  const arrays = columns.map(({ kind }, index) => `$${index + 1}::${ARRAYS[kind]}`).join(", ")
  await client.query({
    name: `move_${name}`,
    text: `INSERT INTO ${PostgresEnd.quoted(name)} (${names}) SELECT * FROM unnest(${arrays})`,
    values: columns.map(({ kind }, index) => {
      const values = rows.map((row) => row[index] ?? null)
      return texts(kind === "bytes" ? values.map((hex) => (hex === null ? null : `\\x${hex}`)) : values)
    })
  })
}

/** The next id of each table is beyond all that were given out. */
const setLastIds = async (client: Client, ids: LastIds): Promise<void> => {
  const sequences = await client.query<PostgresEnd.Sequence>(PostgresEnd.SEQUENCES)
  for (const { column, sequence, table } of sequences.rows)
    await client.query(
      `SELECT setval('${sequence}', last) FROM (SELECT greatest($1::bigint, max(${PostgresEnd.quoted(column)})) AS last
        FROM ${PostgresEnd.quoted(table)}) AS ids WHERE last > 0`,
      [ids.get(table) ?? 0]
    )
  await client.query(
    "UPDATE journal SET last = greatest($1::bigint, (SELECT coalesce(max(id), 0) FROM alerts))",
    [ids.get(PostgresEnd.COUNTED) ?? 0]
  )
}
