// What the function `signalbox_append` of Postgres does, for SQLite: step by step the same.
import type { Database } from "bun:sqlite"

type Value = string | number | null

/** The elements of an array in the text that Postgres reads. */
const listOf = (value: unknown): ReadonlyArray<Value> =>
  [
    ...String(value)
      .slice(1, -1)
      .matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs)
  ].map(([, quoted, bare]) => {
    if (bare === undefined) return (quoted ?? "").replaceAll(/\\(.)/gs, "$1")
    return bare === "NULL" ? null : Number(bare)
  })

/** Columns as rows. */
const rowsOf = (columns: ReadonlyArray<ReadonlyArray<Value>>): ReadonlyArray<ReadonlyArray<Value>> =>
  (columns[0] ?? []).map((_, row) => columns.map((column) => column[row] ?? null))

/**
 * Stores the batch at a time (ms); returns the last alert before it, or -1 where a key is remembered otherwise than the writer
 * believes.
 */
export const append = (database: Database, params: ReadonlyArray<unknown>, now: number): number => {
  const [writer, number, expected] = [String(params[0]), Number(params[1]), Number(params[2])]
  const lists = params.map((value, place) => (place < 3 ? [] : listOf(value)))
  const alerts = rowsOf(lists.slice(3, 16))
  const keys = rowsOf(lists.slice(16, 21))
  const seen = rowsOf(lists.slice(21, 25))
  const repeats = rowsOf(lists.slice(25, 27))
  const { last: head } = database.query<{ last: number }, []>("SELECT last FROM journal").get() ?? { last: 0 }
  const before = database
    .query<{ batch: number; before: number }, [string]>(
      "SELECT batch, before FROM journal_writers WHERE node = ?"
    )
    .get(writer)
  if (before !== null && before.batch >= number) return before.before
  for (const [account, key, known, text] of seen) {
    const stored = database
      .query<{ alert_id: number; body: string }, [Value, Value]>(
        "SELECT alert_id, body FROM alert_keys WHERE account = ? AND key = ?"
      )
      .get(account ?? null, key ?? null)
    if (stored !== null && (stored.alert_id !== known || stored.body !== text)) return -1
  }
  const moved = (alert: Value | undefined) =>
    Number(alert) > expected ? Number(alert) - expected + head : Number(alert)
  for (const [place, row] of alerts.entries())
    database
      .query<unknown, Array<Value>>(
        `INSERT INTO alerts (id, account, token, signal_id, coin, quote, type, tp, sl, received_at, warnings, door, body,
          extras) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
      )
      .run(head + place + 1, ...row)
  for (const [account, key, body, alert, ends] of keys)
    database
      .query<unknown, Array<Value>>(
        "INSERT OR REPLACE INTO alert_keys (account, key, body, alert_id, expires_at) VALUES (?, ?, ?, ?, ?)"
      )
      .run(account ?? null, key ?? null, body ?? null, moved(alert), ends ?? null)
  for (const [alert, times] of repeats)
    database
      .query<unknown, Array<Value>>("UPDATE alerts SET repeats = repeats + ? WHERE id = ?")
      .run(times ?? 0, moved(alert))
  database
    .query<unknown, Array<Value>>(
      "INSERT OR REPLACE INTO journal_writers (node, batch, before, at) VALUES (?, ?, ?, ?)"
    )
    .run(writer, number, head, now)
  database.query<unknown, [number]>("UPDATE journal SET last = ?").run(head + alerts.length)
  return head
}
