// Reads recorded alerts page by page, for back-tests and the command line.
import type { Database } from "bun:sqlite"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { Alert } from "../../domain/Alert.ts"
import { RowUnreadable } from "../../sql/client/SqlErrors.ts"
import * as AlertRows from "../../sql/rows/AlertRows.ts"
import * as Versions from "../../sql/rows/Versions.ts"
import type { Snapshot } from "../client/ReadOnly.ts"

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

/** The next page of alerts after an id, oldest first. The database may be of an older version. */
export const page = (
  { database, version }: Snapshot,
  choice: Choice,
  after: number
): ReadonlyArray<Alert> => {
  const { account = null, from, signal = null, strategy = null, until } = choice
  const rows = database
    .query(
      `SELECT ${Versions.alertColumnsIn(version)} FROM alerts WHERE id > ?1 AND (?6 IS NOT NULL OR ?2 IS NULL OR account = ?2)
        AND (?3 IS NULL OR signal_id = ?3) AND received_at >= ?4 AND received_at < ?5
        AND (?6 IS NULL OR id IN (SELECT alert_id FROM timeline WHERE strategy_id = ?6))
        ORDER BY id LIMIT ${PAGE}`
    )
    .all(after, account, signal, from, Math.min(until, Number.MAX_SAFE_INTEGER), strategy)
  return rows.map((row) =>
    Either.getOrThrowWith(decode(row), (cause) => {
      const [first] = ParseResult.ArrayFormatter.formatErrorSync(cause)
      return new RowUnreadable({ table: "alerts", place: first?.path.join(".") ?? "", cause })
    })
  )
}

const decode = Schema.decodeUnknownEither(AlertRows.alerts.schema)

/** The id of the account with a name. */
export const accountNamed = (database: Database, name: string): number | undefined =>
  first(database.query("SELECT id FROM accounts WHERE name = ?").values(name))

/** The signal that a strategy follows; 0 where it follows none. */
export const signalOf = (database: Database, strategy: number): number | undefined =>
  first(database.query("SELECT coalesce(signal_id, 0) FROM strategies WHERE id = ?").values(strategy))

/** Whether a signal exists, or has recorded alerts. */
export const isSignal = (database: Database, signal: number): boolean =>
  first(
    database
      .query("SELECT 1 FROM signals WHERE id = ?1 UNION SELECT 1 FROM alerts WHERE signal_id = ?1 LIMIT 1")
      .values(signal)
  ) !== undefined

/** How many accounts have recorded alerts. */
export const accounts = (database: Database): number =>
  first(database.query("SELECT count(DISTINCT account) FROM alerts").values()) ?? 0

const first = (rows: ReadonlyArray<ReadonlyArray<unknown>>): number | undefined => {
  const [row] = rows
  return row === undefined ? undefined : Number(row[0])
}
