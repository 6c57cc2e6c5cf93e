// The common token buckets of servers that share a database, and the count of these servers. Each question of a server is
// one statement, for all callers that wait.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { inRealTime } from "../services/internal/RealTime.ts"
import type { Given, TokenPool, Wanted } from "../services/internal/SharedBuckets.ts"
import { RateLimits, type Rates } from "../services/RateLimits.ts"
import { orDie, reasonOf } from "../sql/client/SqlErrors.ts"

/** How often a server says that it is there, and asks how many are. */
const COUNT = "500 millis"
/** How long an answer to that counts (ms), and from when on a server that came counts as known to all: later. */
const SURE_MS = 2_000
const KNOWN_MS = 3_000
/** For how long a server counts that says nothing more: it uses no share of its own long before. */
const COUNTED_SECONDS = 10
/** Counts after which buckets are deleted that are full again, and how many at a time. */
const COUNTS_PER_CLEARING = 60
const CLEARED = 1_000

/** Tells the time for what must not be fooled by a clock that is set (ms). */
type Monotonic = () => number

/** The common buckets. Rows are locked in one sequence everywhere. */
const taking = (sql: SqlClient.SqlClient) => (wanted: ReadonlyArray<Wanted>) =>
  Effect.map(
    orDie(sql<{
      readonly key: string
      readonly given: number
      readonly level: number
    }>`INSERT INTO rate_levels
        AS known (key, capacity, per_second, given, level, at)
      SELECT key, capacity, per_second, given, capacity - given, clock_timestamp() FROM (
        SELECT mine.key, mine.capacity, mine.per_second, least(mine.tokens, floor(mine.capacity))::bigint AS given
        FROM jsonb_to_recordset(${JSON.stringify(wanted.map(({ capacity, key, perSecond, tokens }) => ({ key, capacity, per_second: perSecond, tokens })))}::jsonb)
          AS mine (key text, capacity float8, per_second float8, tokens float8) ORDER BY mine.key
      ) AS question
      ON CONFLICT (key) DO UPDATE SET (capacity, per_second, given, level, at) = (
        SELECT excluded.capacity, excluded.per_second, least(excluded.given, floor(filled.level))::bigint,
          filled.level - least(excluded.given, floor(filled.level)), filled.at
        FROM (SELECT moment.at, least(excluded.capacity, known.level + excluded.per_second
            * greatest(0, extract(epoch FROM moment.at - known.at)::float8)) AS level
          FROM (SELECT clock_timestamp() AS at OFFSET 0) AS moment) AS filled
      ) RETURNING key, given, level`),
    (rows): ReadonlyArray<Given> => {
      const found = new Map(rows.map((row) => [row.key, row]))
      return wanted.map(({ key }) => {
        const row = found.get(key)
        return { tokens: row?.given ?? 0, left: row?.level ?? 0 }
      })
    }
  )

/** Counts the servers for as long as the scope is open; returns what is sure of that now. */
const counting = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, node: string, monotonic: Monotonic) {
  let sure: { readonly servers: number; readonly countedAt: number } | undefined
  /** Since when there has been a share without a gap (ms). */
  let since: number | undefined
  let counts = 0

  const count = Effect.gen(function* () {
    const countedAt = monotonic()
    const [own] = yield* sql<{ readonly age: number }>`INSERT INTO rate_nodes AS known (node, since, until)
      VALUES (${node}, clock_timestamp(), clock_timestamp() + make_interval(secs => ${COUNTED_SECONDS}))
      ON CONFLICT (node) DO UPDATE SET until = excluded.until,
        since = CASE WHEN known.until < clock_timestamp() THEN clock_timestamp() ELSE known.since END
      RETURNING extract(epoch FROM clock_timestamp() - since)::float8 * 1000 AS age`
    const [all] = yield* sql<{ readonly servers: number }>`SELECT count(*) AS servers FROM rate_nodes
      WHERE until > clock_timestamp()`
    if (own !== undefined && all !== undefined && own.age >= KNOWN_MS) {
      if (share() === undefined) since = yield* Clock.currentTimeMillis
      sure = { servers: Math.max(1, all.servers), countedAt }
    } else sure = undefined
    if (counts++ % COUNTS_PER_CLEARING === 0) yield* clear(sql)
  })
  const share = () =>
    sure === undefined || since === undefined || monotonic() - sure.countedAt > SURE_MS
      ? undefined
      : { servers: sure.servers, since }

  const left = Effect.suspend(() => {
    sure = undefined
    return Effect.ignore(sql`DELETE FROM rate_nodes WHERE node = ${node}`)
  })
  yield* Effect.addFinalizer(() => left)
  yield* count.pipe(
    Effect.catchAll((error: SqlError) =>
      Effect.logDebug(`the servers that share the rate limits were not counted: ${reasonOf(error.cause)}`)
    ),
    Effect.zipRight(inRealTime(Effect.sleep(COUNT))),
    Effect.forever,
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
  return share
})

/** Deletes buckets that are full again, and servers that are gone. */
const clear = (sql: SqlClient.SqlClient) =>
  Effect.zipRight(
    sql`DELETE FROM rate_levels WHERE key IN (SELECT key FROM rate_levels
      WHERE at < clock_timestamp() - make_interval(secs => 2 * capacity / per_second + 1)
      ORDER BY key LIMIT ${CLEARED} FOR UPDATE SKIP LOCKED)`,
    sql`DELETE FROM rate_nodes WHERE until < clock_timestamp() - interval '1 hour'`
  )

/** The buckets of a database for one of its servers, which has a name that no other has. */
export const pool = (
  node: string,
  monotonic?: Monotonic
): Effect.Effect<TokenPool, never, SqlClient.SqlClient | Scope.Scope> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* inRealTime(Effect.clock)
    const millis = () => Number(clock.unsafeCurrentTimeNanos() / 1_000_000n)
    return { take: taking(sql), share: yield* counting(sql, node, monotonic ?? millis) }
  })

/** Limits that hold over all servers of a database. */
export const layer = (rates: Rates, node: string) => RateLimits.layerShared(rates, pool(node))
