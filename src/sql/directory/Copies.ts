// The stored layer of copies. The news of an original is told to a few copies in each transaction, and a row remembers
// that there are more.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AccountId } from "../../domain/Account.ts"
import { Copy, MAX_TOLD, NotACopy } from "../../domain/directory/Copy.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { type Strategy, StrategyNotFound } from "../../domain/Strategy.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import { Copies, newsOf } from "../../services/directory/Copies.ts"
import { orDie } from "../client/SqlErrors.ts"
import * as Dialect from "../Dialect.ts"
import { Followers } from "../rows/Followers.ts"
import * as Rows from "../rows/Rows.ts"
import * as StrategyRows from "../rows/StrategyRows.ts"
import * as TimelineRows from "../rows/TimelineRows.ts"

const CopyRow = Schema.Struct({
  strategy: StrategyId,
  account: AccountId,
  ...Copy.fields,
  base: Schema.parseJson(Copy.fields.base),
  kept: Schema.parseJson(Copy.fields.kept),
  reports: Schema.Int
})
export const copies = Rows.reader(CopyRow)
export const COLUMNS = 'strategy_id AS strategy, account, origin, base, kept, taken_at AS "takenAt", reports'

const origins = Rows.reader(Schema.Struct({ origin: StrategyId }))
const counts = Rows.reader(Schema.Struct({ changes: Schema.Int }))
const owners = Rows.reader(Schema.Struct({ account: AccountId }))

const baseText = lazily(() => Schema.encodeSync(CopyRow.fields.base))
const keptText = lazily(() => Schema.encodeSync(CopyRow.fields.kept))

/** Stores what a new strategy was copied from, within the caller's transaction. */
export const made = Effect.fnUntraced(function* (strategy: Strategy, copy: Copy) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn(sql, copy.origin)
  yield* sql`INSERT INTO copies (strategy_id, account, origin, base, kept, taken_at, reported, reports)
    VALUES (${strategy.id}, ${strategy.account}, ${copy.origin}, ${baseText(copy.base)}, ${keptText(copy.kept)},
      ${copy.takenAt},
      coalesce((SELECT changes FROM strategy_records WHERE strategy_id = ${copy.origin}), 0), 0)`
  yield* counted(sql, copy.origin)
})

/** Counts the other accounts that hold copies of a strategy, within the caller's transaction. */
export const counted = (sql: SqlClient.SqlClient, origin: StrategyId) =>
  Effect.zipRight(
    inTurn(sql, origin),
    sql`UPDATE strategy_records SET copies = (SELECT count(DISTINCT copies.account) FROM copies
        WHERE copies.origin = ${origin} AND copies.account <> strategy_records.account)
      WHERE strategy_id = ${origin}`
  )

/** Of those who change or copy an original, one at a time goes on from here: it sees what the one before did. */
const inTurn = (sql: SqlClient.SqlClient, origin: StrategyId) =>
  sql`SELECT changes FROM strategy_records WHERE strategy_id = ${origin} ${Dialect.forUpdate(sql)}`

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { originals } = yield* Followers

  const get = Effect.fn("Copies.get")(function* (account: AccountId, id: number) {
    const own = yield* owners.first(
      sql`SELECT account FROM strategies WHERE id = ${id} AND account = ${account}`
    )
    if (Option.isNone(own)) return yield* new StrategyNotFound()
    const row = yield* copies.first(sql`SELECT ${sql.literal(COLUMNS)} FROM copies WHERE strategy_id = ${id}`)
    if (Option.isNone(row)) return yield* new NotACopy()
    const { base, kept, origin, takenAt } = row.value
    return { base, kept, origin, takenAt }
  })

  const taken = Effect.fn("Copies.taken")(function* (
    account: AccountId,
    id: number,
    { base, kept, takenAt }: Omit<Copy, "origin">
  ) {
    yield* sql`UPDATE copies SET base = ${baseText(base)}, kept = ${keptText(kept)}, taken_at = ${takenAt}, reports = 0
      WHERE strategy_id = ${id} AND account = ${account}`
  }, orDie)

  const tell = Effect.fn("Copies.tell")(
    function* (limit: number) {
      originals.reading()
      const [first, second] = yield* origins.all(
        sql`SELECT origin FROM changed_origins ORDER BY origin LIMIT 2 ${Dialect.forUpdate(sql)}`
      )
      if (first === undefined) return false
      // Read after it is ours: a change from now on notes it again.
      const count = yield* counts.first(
        sql`SELECT changes FROM strategy_records WHERE strategy_id = ${first.origin}`
      )
      const changes = Option.match(count, { onNone: () => 0, onSome: (it) => it.changes })
      if (yield* tellOf(sql, { origin: first.origin, changes, limit })) return true
      yield* sql`DELETE FROM changed_origins WHERE origin = ${first.origin}`
      return second !== undefined
    },
    sql.withTransaction,
    orDie
  )

  return Copies.of({ get, taken, tell, changed: originals.rings })
})

interface News {
  readonly origin: StrategyId
  readonly changes: number
  readonly limit: number
}

/** Tells copies of one original; those whose owners know enough are marked only. Returns whether there may be more. */
const tellOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { changes, limit, origin }: News) {
  const original = yield* StrategyRows.first(
    sql`SELECT ${sql.literal(StrategyRows.COLUMNS)} FROM strategies WHERE id = ${origin}`
  )
  const rows = yield* copies.all(sql`SELECT ${sql.literal(COLUMNS)} FROM copies
    WHERE origin = ${origin} AND reported < ${changes} ORDER BY reported, strategy_id LIMIT ${limit}`)
  const now = yield* Clock.currentTimeMillis
  const news = rows.flatMap((row) => {
    if (Option.isNone(original) || row.reports >= MAX_TOLD) return []
    const note = newsOf(row, row, original.value, now)
    return note === undefined ? [] : [{ row, note }]
  })
  const notes = news.map(({ note, row }) => TimelineRows.row(row.account, row.strategy, note))
  yield* Effect.all(TimelineRows.insert(sql, notes))
  const idsOf = (some: typeof rows) =>
    Dialect.ids(
      sql,
      some.map(({ strategy }) => strategy)
    )
  yield* sql`UPDATE copies SET reports = reports + 1
    WHERE strategy_id IN ${idsOf(news.map(({ row }) => row))}`
  yield* sql`UPDATE copies SET reported = ${changes}
    WHERE strategy_id IN ${idsOf(rows)}`
  return rows.length === limit
})

export const layer = Layer.scoped(Copies, make).pipe(Layer.provide(Followers.layer))
