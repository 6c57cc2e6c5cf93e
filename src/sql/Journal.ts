// The stored journal: reads, and a queue in front of the database's writer. Appends that arrive in one turn of the event
// loop share one commit; none is answered before it.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import { type Alert, AlertId, AlertNotFound } from "../domain/Alert.ts"
import { ORIGINS } from "../domain/alert/Incoming.ts"
import type { SignalId } from "../domain/Signal.ts"
import { isWithin, outsideKey } from "../services/alerts/WitnessedAlert.ts"
import { breathe } from "../services/engine/Breath.ts"
import { type AlertPage, Journal } from "../services/Journal.ts"
import * as Dialect from "./Dialect.ts"
import * as JournalQueue from "./journal/JournalQueue.ts"
import type * as JournalWriter from "./journal/JournalWriter.ts"
import { alerts, COLUMNS } from "./rows/AlertRows.ts"
import * as Rows from "./rows/Rows.ts"

const incoming = Rows.reader(
  Schema.Struct({ id: AlertId, door: Schema.Literal(...ORIGINS), body: Schema.String })
)
const bodies = Rows.reader(Schema.Struct({ body: Schema.String }))
const stretches = Rows.reader(Schema.Struct({ from: Schema.NullOr(Schema.Int) }))
/** Alerts read by id in one statement. */
const AMONG = 1_000

/** Alerts searched in one statement for those of one signal, so that others need not wait long. */
const STRETCH = 2_000

const NEWEST = Number.MAX_SAFE_INTEGER

/** What a probe writes: more than a page, so that a full disk refuses it. */
const FILLER = new Uint8Array(8_192)

/** Makes the journal over a database's writer. */
export const make = Effect.fnUntraced(function* (
  writer: JournalWriter.JournalWriter,
  endOfTurn: JournalQueue.EndOfTurn
) {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(COLUMNS)
  const byAccount = Dialect.byIndex(sql, "alerts_of_account")
  const { bell, tail } = writer
  const queue = yield* JournalQueue.make(endOfTurn, writer)

  /** Without a span: the engine calls it after each commit. */
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
        (found) => {
          // Another process may have written some of them, whose bell was not heard yet: the tail lacks those.
          const last = found.at(-1)
          if (last !== undefined) writer.reached(last.id)
          return read(found)
        }
      )
    })

  /** Searches an account's alerts: an index by signal would cost every alert more than a rare search costs. */
  const ofSignal = Effect.fnUntraced(function* (account: AccountId, page: AlertPage, signal: SignalId) {
    const found: Array<Alert> = []
    let before = page.before ?? NEWEST
    while (found.length < page.limit) {
      const { from } =
        yield* stretches.one(sql`SELECT min(id) AS "from" FROM (SELECT id FROM alerts ${byAccount}
        WHERE account = ${account} AND id < ${before} ORDER BY id DESC LIMIT ${STRETCH}) AS stretch`)
      if (from === null) break
      found.push(
        ...(yield* alerts.all(sql`SELECT ${columns} FROM alerts ${byAccount} WHERE account = ${account}
          AND id >= ${from} AND id < ${before} AND signal_id = ${signal}
          ORDER BY id DESC LIMIT ${page.limit - found.length}`))
      )
      before = from
      yield* breathe
    }
    return found
  })

  const probe = Effect.zipRight(
    sql`INSERT INTO probe (filler) VALUES (${FILLER})`,
    sql`DELETE FROM probe`
  ).pipe(
    sql.withTransaction,
    Effect.matchEffect({ onSuccess: () => writer.wrote, onFailure: () => Effect.succeed(false) })
  )

  return Journal.of({
    append: queue.append,
    offer: queue.offer,
    // A database of typed columns compares no integer with a fraction.
    get: Effect.fn("Journal.get")((account: AccountId, id: number) =>
      Number.isSafeInteger(id)
        ? Rows.orFail(() => new AlertNotFound())(
            alerts.first(sql`SELECT ${columns} FROM alerts WHERE id = ${id} AND account = ${account}`)
          )
        : new AlertNotFound()
    ),
    list: Effect.fn("Journal.list")((account, page) =>
      page.signal === undefined
        ? alerts.all(sql`SELECT ${columns} FROM alerts
            WHERE account = ${account} AND id < ${page.before ?? NEWEST} ORDER BY id DESC LIMIT ${page.limit}`)
        : ofSignal(account, page, page.signal)
    ),
    incoming: Effect.fn("Journal.incoming")((account, ids) =>
      Effect.map(
        incoming.all(sql`SELECT id, door, body FROM alerts WHERE account = ${account} AND body IS NOT NULL
          AND ${Dialect.among(sql, "id", ids)}`),
        (rows) => new Map(rows.map(({ body, door, id }) => [id, { door, body }]))
      )
    ),
    since,
    among: Effect.fn("Journal.among")((ids) =>
      Effect.map(
        Effect.forEach(
          Chunk.chunksOf(Chunk.fromIterable([...new Set(ids)].sort((a, b) => a - b)), AMONG),
          (some) =>
            alerts.all(sql`SELECT ${columns} FROM alerts
            WHERE ${Dialect.among(sql, "id", Chunk.toReadonlyArray(some))} ORDER BY id`)
        ),
        (found) => found.flat()
      )
    ),
    last: Effect.sync(writer.lastId),
    settled: queue.settled,
    isWitnessed: Effect.fn("Journal.isWitnessed")((account, slot, { now, since }) =>
      Effect.map(
        bodies.first(
          sql`SELECT body FROM alert_keys WHERE account = ${account} AND key = ${outsideKey(slot)}`
        ),
        Option.exists((last) => isWithin(last, since, now))
      )
    ),
    arrival: bell.rings,
    writable: Effect.suspend(() =>
      queue.full()
        ? Effect.succeed(false)
        : Effect.flatMap(writer.trusted, (yes) => (yes ? Effect.succeed(true) : probe))
    )
  })
})
