// A database of Postgres as one end of a move: its tables, its rows as texts, and the last ids that it gave out. All of
// it goes over one connection, whose transaction the caller begins.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Client } from "pg"
import { DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import { codeOf } from "../../sql/client/SqlErrors.ts"
import type { End, LastIds } from "../../sql/moves/Move.ts"
import type { Kind, Table } from "../../sql/moves/MoveTable.ts"
import { numberText, type Row, type Value } from "../../sql/moves/RowHash.ts"
import * as LedgerChain from "../../sql/rows/LedgerChain.ts"
import { type Options, shown } from "../client/Address.ts"
import { errorOf } from "../client/PostgresError.ts"
import * as Snapshot from "../client/Snapshot.ts"

/** The most rows of a page, and about as many characters as it may have. */
const PAGE_ROWS = 2_000
const PAGE_LENGTH = 2 ** 21

const TABLES = `SELECT relname::text AS name,
    coalesce((SELECT json_agg(json_build_object('name', attname, 'type', format_type(atttypid, NULL),
        'isComputed', attgenerated <> '') ORDER BY attnum)
      FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped), '[]')::text AS columns,
    coalesce((SELECT json_agg(attname ORDER BY place) FROM pg_index, unnest(indkey::int2[]) WITH ORDINALITY AS part (number, place)
      JOIN pg_attribute ON attnum = number
      WHERE indrelid = pg_class.oid AND indisprimary AND attrelid = pg_class.oid), '[]')::text AS key,
    coalesce((SELECT json_agg(DISTINCT other.relname) FROM pg_constraint JOIN pg_class AS other ON other.oid = confrelid
      WHERE conrelid = pg_class.oid AND contype = 'f'), '[]')::text AS parents
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e') ORDER BY oid`

const Tables = Schema.Array(
  Schema.Struct({
    name: Schema.String,
    columns: Schema.parseJson(
      Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String, isComputed: Schema.Boolean }))
    ),
    key: Schema.parseJson(Schema.Array(Schema.String)),
    parents: Schema.parseJson(Schema.Array(Schema.String))
  })
)
const heads = Schema.decodeUnknownSync(Schema.Array(LedgerChain.HeadRow))
const decodeTables = Schema.decodeUnknownSync(Tables)

const KINDS: Readonly<Record<string, Kind>> = {
  bigint: "integer",
  "double precision": "real",
  bytea: "bytes"
}

/** A failed statement ends the move. */
export const attempt = <A>(options: Options, run: () => Promise<A>): Effect.Effect<A, DatabaseUnavailable> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      codeOf(errorOf(cause)) === LOCK_TIMEOUT
        ? new DatabaseUnavailable({
            filename: shown(options.url),
            reason: "another process writes to it: let that one end first"
          })
        : Snapshot.unavailable(options, cause)
  })

/** The code of a lock that was not given in time. */
const LOCK_TIMEOUT = "55P03"

/** Every table of a database. */
export const tablesOf = async (client: Client): Promise<ReadonlyArray<Table>> => {
  const { rows } = await client.query<object>(TABLES)
  return decodeTables(rows).map(({ columns, ...table }) => ({
    ...table,
    columns: columns.map(({ isComputed, name, type }) => ({ name, kind: KINDS[type] ?? "text", isComputed }))
  }))
}

export const quoted = (name: string): string => `"${name}"`

const selectOf = ({ columns, key, name }: Table): string =>
  `SELECT ${columns.map((it) => quoted(it.name)).join(", ")} FROM ${quoted(name)}
    ORDER BY ${key.map(quoted).join(", ")}`

/** Values as the server writes them. */
const AS_TEXT = { getTypeParser: () => (text: unknown) => text }

/** The end of a move that a database is. */
export const make = (client: Client, options: Options, tables: ReadonlyArray<Table>): End => {
  let cursors = 0
  return {
    shown: shown(options.url),
    tables,
    count: ({ name }) =>
      attempt(options, async () => {
        const { rows } = await client.query<{ readonly count: number }>(
          `SELECT count(*) AS count FROM ${quoted(name)}`
        )
        return rows[0]?.count ?? 0
      }),
    read: (table) =>
      Effect.map(
        Effect.acquireRelease(
          attempt(options, async () => {
            const name = `move_${++cursors}`
            await client.query(`DECLARE ${name} NO SCROLL CURSOR FOR ${selectOf(table)}`)
            return name
          }),
          (name) => Effect.promise(() => client.query(`CLOSE ${name}`).catch(() => {}))
        ),
        (name) => pages(client, options, table, name)
      ),
    head: attempt(options, async () => {
      const { rows } = await client.query<object>(LedgerChain.HEADS.replace("?", String(LedgerChain.NEWEST)))
      return LedgerChain.joined(heads(rows))
    }),
    lastIds: attempt(options, () => lastIds(client))
  }
}

/** Asks for as many rows as make a page of the right length, by the length of those before. */
const pages = (client: Client, options: Options, { columns }: Table, cursor: string) => {
  const values = columns.map(({ kind }) => VALUES[kind])
  let rows = PAGE_ROWS / 20
  return attempt(options, async () => {
    const answer = await client.query<Array<Value>>({
      text: `FETCH ${rows} FROM ${cursor}`,
      rowMode: "array",
      types: AS_TEXT
    })
    let length = 1
    const page = answer.rows.map(
      (row): Row =>
        row.map((value, index) => {
          if (value === null) return null
          length += value.length
          return values[index]?.(value) ?? value
        })
    )
    rows = Math.max(1, Math.min(PAGE_ROWS, Math.floor((PAGE_LENGTH * Math.max(1, page.length)) / length)))
    return page
  })
}

/** Values as both dialects write them: Postgres has `1e-07` for a number, and `\x` before bytes. */
const VALUES: Readonly<Record<Kind, (text: string) => string>> = {
  integer: (text) => text,
  real: numberText,
  text: (text) => text,
  bytes: (text) => text.slice(2)
}

/** The sequence of each identity column. */
export const SEQUENCES = `SELECT relname::text AS "table", attname::text AS "column",
    pg_get_serial_sequence(quote_ident(relname), attname) AS sequence
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attidentity <> ''
  WHERE relnamespace = current_schema()::regnamespace ORDER BY 1`

/** A sequence, and the table whose ids it gives out. */
export interface Sequence {
  readonly table: string
  readonly column: string
  readonly sequence: string
}

/** The journal counts its alerts itself. */
export const COUNTED = "alerts"

const lastIds = async (client: Client): Promise<LastIds> => {
  const sequences = await client.query<Sequence>(SEQUENCES)
  const last = new Map<string, number>()
  for (const { sequence, table } of sequences.rows) {
    const { rows } = await client.query<{ readonly last: number }>(
      `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${sequence}`
    )
    last.set(table, rows[0]?.last ?? 0)
  }
  const { rows } = await client.query<{ readonly last: number }>("SELECT last FROM journal")
  return last.set(COUNTED, rows[0]?.last ?? 0)
}
