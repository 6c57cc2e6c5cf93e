// Reads recorded alerts page by page from a database in use, for back-tests and the command line.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Alert } from "../../domain/Alert.ts"
import * as AlertRows from "../rows/AlertRows.ts"
import * as Rows from "../rows/Rows.ts"

/** Alerts read at a time. */
export const PAGE = 5_000

/**
 * A selection of alerts: by account, by signal, by the strategy that answered them, received from `from` until before
 * `until` (ms). A strategy's owner may read the alerts that it answered, from any sender.
 */
export interface Choice {
  readonly account: number | undefined
  readonly signal: number | undefined
  readonly strategy?: number | undefined
  readonly from: number
  readonly until: number
}

/** The alerts of a database, for one command. */
export interface Reader {
  /** The id of the account with a name. */
  readonly accountNamed: (name: string) => Effect.Effect<number | undefined>
  /** The signal that a strategy follows; 0 where it follows none. */
  readonly signalOf: (strategy: number) => Effect.Effect<number | undefined>
  /** Whether a signal exists, or has recorded alerts. */
  readonly isSignal: (signal: number) => Effect.Effect<boolean>
  /** How many accounts have recorded alerts. */
  readonly accounts: Effect.Effect<number>
  /** The next page of alerts after an id, oldest first. */
  readonly page: (choice: Choice, after: number) => Effect.Effect<ReadonlyArray<Alert>>
}

const numbers = Rows.reader(Schema.Struct({ value: Schema.Int }))

/** Makes the reader of the database in use. */
export const make: Effect.Effect<Reader, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql): Reader => {
    const first = (statement: Parameters<typeof numbers.first>[0]) =>
      Effect.map(numbers.first(statement), (row) => Option.getOrUndefined(row)?.value)
    return {
      accountNamed: (name) => first(sql`SELECT id AS value FROM accounts WHERE name = ${name}`),
      signalOf: (strategy) =>
        first(sql`SELECT coalesce(signal_id, 0) AS value FROM strategies WHERE id = ${strategy}`),
      isSignal: (signal) =>
        Effect.map(
          first(sql`SELECT id AS value FROM signals WHERE id = ${signal}
            UNION SELECT signal_id FROM alerts WHERE signal_id = ${signal} LIMIT 1`),
          (found) => found !== undefined
        ),
      accounts: Effect.map(
        first(sql`SELECT count(DISTINCT account) AS value FROM alerts`),
        (count) => count ?? 0
      ),
      page: (choice, after) => AlertRows.alerts.all(pageOf(sql, choice, after))
    }
  }
)

const pageOf = (sql: SqlClient.SqlClient, choice: Choice, after: number) => {
  const { account, from, signal, strategy, until } = choice
  const conditions = sql.and([
    sql`id > ${after}`,
    sql`received_at >= ${from}`,
    sql`received_at < ${Math.min(until, Number.MAX_SAFE_INTEGER)}`,
    ...(signal === undefined ? [] : [sql`signal_id = ${signal}`]),
    ...(account === undefined || strategy !== undefined ? [] : [sql`account = ${account}`]),
    ...(strategy === undefined
      ? []
      : [sql`id IN (SELECT alert_id FROM timeline WHERE strategy_id = ${strategy})`])
  ])
  return sql`SELECT ${sql.literal(AlertRows.COLUMNS)} FROM alerts WHERE ${conditions}
    ORDER BY id LIMIT ${PAGE}`
}
