// The stored layer of events: it reads timelines and alerts from a position on, by index.
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import type { Position } from "../domain/Event.ts"
import { TimelineEntry } from "../domain/Timeline.ts"
import { EVERYBODY, Events, least, merged } from "../services/Events.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Dialect from "./Dialect.ts"
import * as AlertRows from "./rows/AlertRows.ts"
import * as Rows from "./rows/Rows.ts"
import * as TimelineRows from "./rows/TimelineRows.ts"

/** How far the two logs go. */
const Heads = Schema.Struct({
  /** The timeline entry up to which nothing is missing that may still be committed. */
  final: Schema.Int,
  /** The newest timeline entry. */
  newest: Schema.Int,
  /** The newest alert. */
  alert: Schema.Int
})

/** Reads how far the logs go. */
export const heads = Rows.reader(Heads)

const entries = Rows.reader(
  Schema.Struct({
    ...TimelineEntry.omit("strategyId").fields,
    facts: Schema.parseJson(TimelineEntry.fields.facts),
    strategy: Schema.Int,
    name: Schema.NullOr(Schema.String)
  })
)

/** How a database tells how far its logs go, and when they go further. */
export interface Logs {
  readonly heads: Effect.Effect<typeof Heads.Type>
  readonly arrival?: Exclude<(typeof Events.Service)["arrival"], undefined>
}

/** Makes the events of a database. */
export const make = (sql: SqlClient.SqlClient, logs: Logs) => {
  const columns = sql.literal(AlertRows.COLUMNS)

  /** Ids of one owner's entries, so that each index is read only as far as needed. */
  const idsOf = (owner: number, from: Position, head: Position, limit: number) =>
    sql`SELECT id FROM (SELECT id FROM timeline WHERE account = ${owner} AND id > ${from.entry}
      AND id <= ${head.entry} ORDER BY id LIMIT ${limit}) AS own`

  return Events.of({
    head: Effect.map(logs.heads, ({ alert, final }) => ({ entry: final, alert })),
    after: Effect.fn("Events.after")(function* (account: AccountId, position: Position, limit: number) {
      const { alert, final, newest } = yield* logs.heads
      const from = least(position, { entry: newest, alert })
      // What was read stays read, although a writer that began earlier is not done.
      const head = { entry: Math.max(final, from.entry), alert }
      if (from.entry === head.entry && from.alert === head.alert)
        return { events: [], position: head, full: false }
      const alerts = yield* AlertRows.alerts.all(sql`SELECT ${columns} FROM alerts
        WHERE account = ${account} AND id > ${from.alert} AND id <= ${head.alert} ORDER BY id LIMIT ${limit}`)
      if (alerts.length === limit) return merged({ from, head }, alerts, [], limit)
      const lines = yield* entries.all(sql`SELECT timeline.id, strategy_id AS strategy,
        ${Dialect.jsonText(sql, "strategies.settings", "name")} AS name, at, rule, alert_id AS "alertId", reason, text,
        facts FROM timeline LEFT JOIN strategies ON strategies.id = timeline.strategy_id
        WHERE ${Dialect.amongFound(
          sql,
          "timeline.id",
          sql`${idsOf(account, from, head, limit)} UNION ALL ${idsOf(EVERYBODY, from, head, limit)}`
        )}
        ORDER BY timeline.id LIMIT ${limit}`)
      const found = lines.map(({ id, name, strategy, ...note }) => ({
        id,
        strategy,
        name: name ?? undefined,
        note
      }))
      return merged({ from, head }, alerts, found, limit)
    }),
    ...(logs.arrival === undefined ? {} : { arrival: logs.arrival }),
    announce: Effect.fn("Events.announce")((note, account) =>
      orDie(
        Effect.all(TimelineRows.insert(sql, [TimelineRows.row(account ?? EVERYBODY, 0, note)]), {
          discard: true
        })
      )
    )
  })
}
