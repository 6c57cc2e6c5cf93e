// The SQLite layer of events: it reads timelines and alerts from a position on, by index.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import type { Position } from "../domain/Event.ts"
import { TimelineEntry } from "../domain/Timeline.ts"
import { EVERYBODY, Events, least, merged } from "../services/Events.ts"
import { orDie } from "../sql/client/SqlErrors.ts"
import * as AlertRows from "../sql/rows/AlertRows.ts"
import * as Rows from "../sql/rows/Rows.ts"
import * as TimelineRows from "../sql/rows/TimelineRows.ts"

const heads = Rows.reader(Schema.Struct({ entry: Schema.Int, alert: Schema.Int }))
const entries = Rows.reader(
  Schema.Struct({
    ...TimelineEntry.omit("strategyId").fields,
    facts: Schema.parseJson(TimelineEntry.fields.facts),
    strategy: Schema.Int,
    name: Schema.NullOr(Schema.String)
  })
)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(AlertRows.COLUMNS)

  /**
   * The position of the newest event, from the tables' counters: the newest rows may be deleted, but their ids are
   * never reused.
   */
  const readHeads = heads.one(sql`SELECT
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'timeline'), 0) AS entry,
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'alerts'), 0) AS alert`)

  /** Ids of one owner's entries, so that each index is read only as far as needed. */
  const idsOf = (owner: number, from: Position, head: Position, limit: number) =>
    sql`SELECT id FROM (SELECT id FROM timeline WHERE account = ${owner} AND id > ${from.entry}
      AND id <= ${head.entry} ORDER BY id LIMIT ${limit})`

  return Events.of({
    head: readHeads,
    after: Effect.fn("Events.after")(function* (account: AccountId, position: Position, limit: number) {
      const head = yield* readHeads
      const from = least(position, head)
      if (from.entry === head.entry && from.alert === head.alert)
        return { events: [], position: head, full: false }
      const alerts = yield* AlertRows.alerts.all(sql`SELECT ${columns} FROM alerts
        WHERE account = ${account} AND id > ${from.alert} AND id <= ${head.alert} ORDER BY id LIMIT ${limit}`)
      if (alerts.length === limit) return merged({ from, head }, alerts, [], limit)
      const lines = yield* entries.all(sql`SELECT timeline.id, strategy_id AS strategy,
        json_extract(strategies.settings, '$.name') AS name, at, rule, alert_id AS alertId, reason, text, facts
        FROM timeline LEFT JOIN strategies ON strategies.id = timeline.strategy_id
        WHERE timeline.id IN (${idsOf(account, from, head, limit)} UNION ALL ${idsOf(EVERYBODY, from, head, limit)})
        ORDER BY timeline.id LIMIT ${limit}`)
      const found = lines.map(({ id, name, strategy, ...note }) => ({
        id,
        strategy,
        name: name ?? undefined,
        note
      }))
      return merged({ from, head }, alerts, found, limit)
    }),
    announce: Effect.fn("Events.announce")((note, account) =>
      orDie(
        Effect.all(TimelineRows.insert(sql, [TimelineRows.row(account ?? EVERYBODY, 0, note)]), {
          discard: true
        })
      )
    )
  })
})

export const layer = Layer.effect(Events, make)
