// The rows of a commit as the parameters of the functions that store them: an array for each column, so that any number
// of rows is one statement.
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Cursors } from "../services/Portfolio.ts"
import type { CommitRows } from "../sql/rows/CommitRows.ts"
import type { PlainRow } from "../sql/rows/Insert.ts"
import { numbers, texts, values } from "./client/ArrayText.ts"
import type { Held } from "./Partitions.ts"

/** A commit on its way: its name, which no other has, its partitions as they were before, and what it stores. */
export interface Sent {
  readonly name: string
  readonly held: ReadonlyArray<Held>
  readonly cursors: Cursors
  readonly rows: CommitRows
}

/** A function of the database, with the types of its parameters. */
const call = (name: string, types: string, from: number) =>
  `${name}(${types.split(" ").map((type, index) => `$${from + index + 1}::${type}`)})`

const FENCE = "text text bigint[] bigint[] bigint[] bigint[]"
const TRADE = `bigint[] bigint[] text[] text[] text[] bigint[] text[] text[] text[] text[]
  bigint[] text[] bigint[] bigint[] text[]`.replace(/\s+/g, " ")
const POST = "bigint[] bigint[] text[]"
const JUDGE = `bigint[] bigint[] bigint[] bigint[] bigint[] bigint[] bigint[] text[] bigint[] text[]
  bigint[] bigint[] bigint[] text[] bigint[] text[] text[] text[]`.replace(/\s+/g, " ")

const count = (types: string) => types.split(" ").length

/** The three functions of rows; notes come last, since others wait for who adds to timelines. */
const store = (from: number) =>
  [
    call("signalbox_trade", TRADE, from),
    call("signalbox_post", POST, from + count(TRADE)),
    call("signalbox_judge", JUDGE, from + count(TRADE) + count(POST))
  ].join(", ")

const FENCED = `SELECT ${call("signalbox_fence", FENCE, 0)}`
const STORED = `SELECT ${store(0)}`
const WHOLE = `SELECT ${store(count(FENCE))} FROM ${call("signalbox_fence", FENCE, 0)}`

type Stored = Effect.Effect<void, SqlError>

/** Stores a commit by one statement. Fails with the code `MOVED` where its partitions are not as it says. */
export const whole = (sql: SqlClient, sent: Sent): Stored =>
  Effect.asVoid(sql.unsafe(WHOLE, [...fenceOf(sent), ...valuesOf(sent.rows)]))

/** The first part of a commit: its partitions are its own until the transaction ends. */
export const fence = (sql: SqlClient, sent: Sent): Stored => Effect.asVoid(sql.unsafe(FENCED, fenceOf(sent)))

/** The rest of a commit, within the transaction of `fence`. */
export const rows = (sql: SqlClient, sent: Sent): Stored =>
  Effect.asVoid(sql.unsafe(STORED, valuesOf(sent.rows)))

const fenceOf = ({ cursors, held, name }: Sent) => [
  held[0]?.owner ?? "",
  name,
  numbers(held.map(({ id }) => id)),
  numbers(held.map(({ epoch }) => epoch)),
  numbers(held.map(({ seq }) => seq)),
  numbers(held.map(({ id }) => cursors.get(id) ?? null))
]

const valuesOf = (rows: CommitRows) => [
  ...columnsOf(rows.bots, 4),
  ...columnsOf(rows.orders, 4),
  // Of several statuses of an order, and of several times that an alert is held, the last one counts.
  ...columnsOf([...new Map(rows.statuses)], 2),
  ...columnsOf(rows.fills, 2),
  ...columnsOf(rows.trades, 3),
  numbers(rows.postings.map(({ partition }) => partition)),
  numbers(rows.postings.map(({ strategy }) => strategy)),
  texts(rows.postings.map(({ posting }) => posting)),
  ...columnsOf([...new Map(rows.waits.map((row) => [`${row[0]} ${row[1]}`, row])).values()], 4),
  ...columnsOf(rows.outcomes, 6),
  ...columnsOf(rows.notes, 8)
]

const columnsOf = (rows: ReadonlyArray<PlainRow>, columns: number) =>
  Array.from({ length: columns }, (_, column) => values(rows.map((row) => row[column] ?? null)))
