// The idempotency keys of alerts: on disk, with a bounded cache in front. While the cache is complete, an unknown key
// costs no query.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AccountId } from "../../domain/Account.ts"
import { AlertId } from "../../domain/Alert.ts"
import { keysOf } from "../../services/alerts/DraftDecision.ts"
import type { Remembered } from "../../services/Journal.ts"
import * as Dialect from "../Dialect.ts"
import * as Rows from "../rows/Rows.ts"
import { type NewKey, nameOf } from "./JournalBatch.ts"
import type { Entry } from "./JournalQueue.ts"

/** The most keys in the cache, and the most read at the start. */
const MAX_KEYS = 50_000
const MAX_KEYS_AT_START = 5_000
/** How often expired keys are deleted (ms), and how many at a time. */
const PURGE_MILLIS = 60_000
const PURGE_ROWS = 1_000

const rows = Rows.reader(
  Schema.Struct({
    account: AccountId,
    key: Schema.String,
    body: Schema.String,
    alert: AlertId,
    expiresAt: Schema.Int
  })
)
const COLUMNS = 'account, key, body, alert_id AS alert, expires_at AS "expiresAt"'

/** The keys in memory; the oldest are dropped first. */
const makeCache = () => {
  const known = new Map<string, Remembered>()
  const cache = {
    known,
    /** Whether every key on disk is here. */
    isComplete: true,
    /** The newest alert that a key has named. */
    newest: 0,
    add: (keys: Iterable<NewKey>) => {
      for (const key of keys) {
        known.set(nameOf(key.account, key.key), key)
        cache.newest = Math.max(cache.newest, key.alert)
      }
      for (const name of known.keys()) {
        if (known.size <= MAX_KEYS) break
        known.delete(name)
        cache.isComplete = false
      }
    }
  }
  return cache
}

/** Makes the store of keys. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(COLUMNS)
  const cache = makeCache()
  const { add, known } = cache

  let purgedAt = yield* Clock.currentTimeMillis
  const first = yield* rows.all(sql`SELECT ${columns} FROM alert_keys
    WHERE expires_at > ${purgedAt} ORDER BY alert_id LIMIT ${MAX_KEYS_AT_START + 1}`)
  cache.isComplete = first.length <= MAX_KEYS_AT_START
  add(first)

  const fetch = Effect.fnUntraced(function* (
    entries: ReadonlyArray<Entry>,
    isWanted: (name: string) => boolean
  ) {
    const wanted = entries.flatMap(({ draft }) =>
      keysOf(draft).flatMap((key) =>
        isWanted(nameOf(draft.account, key)) ? [[draft.account, key] as const] : []
      )
    )
    if (wanted.length === 0) return
    add(yield* rows.all(sql`SELECT ${columns} FROM ${Dialect.keysOf(sql, wanted)}`))
  })

  const purge = Effect.fnUntraced(function* (now: number) {
    const deleted = yield* sql`DELETE FROM alert_keys WHERE (account, key) IN
      (SELECT account, key FROM alert_keys WHERE expires_at <= ${now} LIMIT ${PURGE_ROWS}) RETURNING 1`
    for (const [name, { expiresAt }] of known) if (expiresAt <= now) known.delete(name)
    // More may be left: the next batch continues.
    if (deleted.length < PURGE_ROWS) purgedAt = now
  })

  return {
    add,
    /** The newest alert that a key has named. */
    newest: () => cache.newest,
    /** Deletes expired keys when it is time. */
    purge: (now: number): Effect.Effect<void> =>
      now - purgedAt < PURGE_MILLIS ? Effect.void : Effect.ignoreLogged(purge(now)),
    recall: (name: string) => known.get(name),
    /** Reads the entries' keys into the cache. */
    prepare: (entries: ReadonlyArray<Entry>) =>
      cache.isComplete ? Effect.void : fetch(entries, (name) => !known.has(name)),
    /** Reads the entries' keys again: another process has written some. */
    refresh: (entries: ReadonlyArray<Entry>) => fetch(entries, () => true)
  }
})
