import * as SqlClient from "@effect/sql/SqlClient"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import { Alert, AlertNotFound } from "../domain/Alert.ts"
import { Journal } from "../services/Journal.ts"
import * as JournalQueue from "./JournalQueue.ts"
import * as JournalWriter from "./JournalWriter.ts"
import * as Rows from "./Rows.ts"

export const alerts = Rows.reader(
  Schema.Struct({ ...Alert.fields, warnings: Schema.parseJson(Alert.fields.warnings) })
)
const sequences = Rows.reader(Schema.Struct({ id: Schema.Int }))
export const COLUMNS = `id, account, token, signal_id AS signalId, coin, quote AS quoteCurrency, type, tp, sl,
  received_at AS receivedAt, repeats, warnings`

/** Alerts that are looked up in one statement. */
const AMONG = 1_000

const make = Effect.fnUntraced(function* (endOfTurn: JournalQueue.EndOfTurn) {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(COLUMNS)
  const start = yield* sequences.one(
    sql`SELECT coalesce(max(seq), 0) AS id FROM sqlite_sequence WHERE name = 'alerts'`
  )
  const writer = yield* JournalWriter.make(start.id)
  const { bell, tail } = writer
  const queue = yield* JournalQueue.make(endOfTurn, writer.flush)

  /** No span: the engine asks after each commit. */
  const since = (cursor: number, limit: number): Effect.Effect<ReadonlyArray<Alert>> =>
    Effect.suspend(() => {
      const last = writer.lastId()
      const read = (rows: ReadonlyArray<Alert>) => {
        bell.read(rows.length < limit ? last : (rows.at(-1)?.id ?? cursor))
        return rows
      }
      const rows = tail.since(cursor, limit)
      if (rows !== undefined) return Effect.succeed(read(rows))
      return Effect.map(
        alerts.all(sql`SELECT ${columns} FROM alerts WHERE id > ${cursor} ORDER BY id LIMIT ${limit}`),
        read
      )
    })

  const probe = Effect.zipRight(
    sql`INSERT INTO probe (filler) VALUES (zeroblob(8192))`,
    sql`DELETE FROM probe`
  ).pipe(
    sql.withTransaction,
    Effect.matchEffect({ onSuccess: () => writer.wrote, onFailure: () => Effect.succeed(false) })
  )

  return Journal.of({
    append: queue.append,
    offer: queue.offer,
    get: Effect.fn("Journal.get")((account: AccountId, id: number) =>
      Rows.orFail(() => new AlertNotFound())(
        alerts.first(sql`SELECT ${columns} FROM alerts WHERE id = ${id} AND account = ${account}`)
      )
    ),
    list: Effect.fn("Journal.list")((account, { before, limit }) =>
      alerts.all(sql`SELECT ${columns} FROM alerts
        WHERE account = ${account} AND id < ${before ?? Number.MAX_SAFE_INTEGER} ORDER BY id DESC LIMIT ${limit}`)
    ),
    since,
    among: Effect.fn("Journal.among")((ids) =>
      Effect.map(
        Effect.forEach(
          Chunk.chunksOf(Chunk.fromIterable([...new Set(ids)].sort((a, b) => a - b)), AMONG),
          (some) =>
            alerts.all(sql`SELECT ${columns} FROM alerts
            WHERE id IN (SELECT value FROM json_each(${JSON.stringify(Chunk.toReadonlyArray(some))})) ORDER BY id`)
        ),
        (found) => found.flat()
      )
    ),
    last: Effect.sync(writer.lastId),
    arrival: bell.rings,
    writable: Effect.suspend(() =>
      queue.full()
        ? Effect.succeed(false)
        : Effect.flatMap(writer.trusted, (yes) => (yes ? Effect.succeed(true) : probe))
    )
  })
})

/** `endOfTurn` decides which alerts share a commit: a simulated world brings its own. */
export const layerWith = (endOfTurn: JournalQueue.EndOfTurn) =>
  Layer.scoped(Journal, make(endOfTurn)).pipe(Layer.orDie)

export const layer = layerWith((then) => setImmediate(then))
