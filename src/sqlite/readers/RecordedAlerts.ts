// Reads recorded alerts page by page, for back-tests and the command line.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { Alert } from "../../domain/Alert.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { RowUnreadable } from "../../sql/client/SqlErrors.ts"
import { type Choice, PAGE, type Reader } from "../../sql/readers/RecordedAlerts.ts"
import * as AlertRows from "../../sql/rows/AlertRows.ts"
import * as Versions from "../../sql/rows/Versions.ts"
import type { Snapshot } from "../client/ReadOnly.ts"

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

const decode = lazily(() => Schema.decodeUnknownEither(AlertRows.alerts.schema))

/** The alerts of a snapshot, as a command reads them. */
export const reader = (snapshot: Snapshot): Reader => {
  const { database } = snapshot
  const one = (statement: string, ...values: ReadonlyArray<string | number>) =>
    Effect.sync(() => first(database.query(statement).values(...values)))
  return {
    accountNamed: (name) => one("SELECT id FROM accounts WHERE name = ?", name),
    signalOf: (strategy) => one("SELECT coalesce(signal_id, 0) FROM strategies WHERE id = ?", strategy),
    isSignal: (signal) =>
      Effect.map(
        one(
          "SELECT 1 FROM signals WHERE id = ?1 UNION SELECT 1 FROM alerts WHERE signal_id = ?1 LIMIT 1",
          signal
        ),
        (found) => found !== undefined
      ),
    accounts: Effect.map(one("SELECT count(DISTINCT account) FROM alerts"), (count) => count ?? 0),
    page: (choice, after) => Effect.sync(() => page(snapshot, choice, after))
  }
}

const first = (rows: ReadonlyArray<ReadonlyArray<unknown>>): number | undefined => {
  const [row] = rows
  return row === undefined ? undefined : Number(row[0])
}
