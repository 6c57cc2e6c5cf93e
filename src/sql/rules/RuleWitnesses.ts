// The stored layer of alerts of rules that wait for one from outside.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { lazily } from "../../domain/internal/Lazily.ts"
import { type AwaitedAlert, ENDED_MS, RuleWitnesses } from "../../services/rules/RuleWitnesses.ts"
import { orDie } from "../client/SqlErrors.ts"
import * as Dialect from "../Dialect.ts"
import * as Rows from "../rows/Rows.ts"
import * as TimelineRows from "../rows/TimelineRows.ts"
import { awaited, COLUMNS, InstructionText, TABLE } from "./RuleWitnessRows.ts"

const firsts = Rows.reader(Schema.Struct({ next: Schema.NullOr(Schema.Int) }))
const encode = lazily(() => Schema.encodeSync(InstructionText))

/** Rows written in one statement. */
const ROWS_AT_A_TIME = 500

/** The first alert of each key: a database inserts the rows of a join in a sequence of its own. */
const firstOfEach = (alerts: ReadonlyArray<AwaitedAlert>): ReadonlyArray<AwaitedAlert> => {
  const keys = new Set<string>()
  return alerts.filter(({ key }) => keys.size < keys.add(key).size)
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(COLUMNS)
  const table = sql.literal(TABLE)

  /** A signal that is deleted meanwhile gets no row. */
  const insert = (alerts: ReadonlyArray<AwaitedAlert>) =>
    sql`INSERT INTO rule_witnesses (key, signal_id, version, mode, at, due_at, instruction, origin)
      SELECT made.value ->> 0, signals.id, CAST(made.value ->> 2 AS BIGINT), made.value ->> 3,
        CAST(made.value ->> 4 AS BIGINT), CAST(made.value ->> 5 AS BIGINT), made.value ->> 6, made.value ->> 7
      FROM ${Dialect.jsonRows(
        sql,
        alerts.map(({ at, dueAt, instruction, key, mode, origin, signal, version }) => [
          ...[key, signal, version, mode, at, dueAt],
          ...[encode(instruction), origin]
        ])
      )} JOIN signals ON signals.id = CAST(made.value ->> 1 AS BIGINT)
      WHERE 1 = 1 ${Dialect.keptThere(sql, "signals")} ON CONFLICT (key) DO NOTHING`

  return RuleWitnesses.of({
    add: Effect.fn("RuleWitnesses.add")((alerts) =>
      Effect.forEach(Arr.chunksOf(firstOfEach(alerts), ROWS_AT_A_TIME), insert, { discard: true }).pipe(
        sql.withTransaction,
        orDie
      )
    ),
    next: Effect.map(
      firsts.one(sql`SELECT min(due_at) AS next FROM rule_witnesses WHERE ended_at IS NULL`),
      ({ next }) => Option.fromNullable(next)
    ),
    due: Effect.fn("RuleWitnesses.due")((now, limit) =>
      awaited.all(sql`SELECT ${columns} FROM ${table} WHERE ended_at IS NULL AND due_at <= ${now}
        ORDER BY due_at, rule_witnesses.key LIMIT ${limit}`)
    ),
    end: Effect.fn("RuleWitnesses.end")(
      function* ({ account, key }, now, note) {
        yield* sql`DELETE FROM rule_witnesses WHERE ended_at <= ${now - ENDED_MS}`
        const ended = yield* sql`UPDATE rule_witnesses SET ended_at = ${now}
          WHERE key = ${key} AND ended_at IS NULL RETURNING 1`
        if (ended.length > 0 && note !== undefined)
          yield* Effect.all(TimelineRows.insert(sql, [TimelineRows.row(account, 0, note)]), { discard: true })
        return ended.length > 0
      },
      sql.withTransaction,
      orDie
    )
  })
})

export const layer = Layer.effect(RuleWitnesses, make)
