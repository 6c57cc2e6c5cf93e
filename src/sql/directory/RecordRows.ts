// The rows of strategies' records and their periods, updated in the transactions that store strategies and trades.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { begin, Mode, type Publication, TrackRecord } from "../../domain/directory/TrackRecord.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { QuoteCurrency } from "../../domain/Market.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import * as Recording from "../../services/directory/Recording.ts"
import type { Step } from "../../services/Portfolio.ts"
import { Tally } from "../../trading/Performance.ts"
import { rankOf } from "../../trading/TrackRecord.ts"
import * as Dialect from "../Dialect.ts"
import * as Insert from "../rows/Insert.ts"
import * as Rows from "../rows/Rows.ts"
import * as Publishing from "./Publishing.ts"

/** A record with its publication. */
export const RecordRow = Schema.Struct({
  strategy: StrategyId,
  ...Publishing.publicationFields,
  settingsSince: Schema.Int,
  changes: Schema.Int,
  record: Schema.parseJson(TrackRecord)
})
const PeriodRow = Schema.Struct({
  strategy: StrategyId,
  period: Schema.Int,
  mode: Mode,
  currency: QuoteCurrency,
  tally: Schema.parseJson(Tally),
  until: Schema.Int
})

export const records = Rows.reader(RecordRow)
export const RECORD = `strategy_id AS strategy, ${Publishing.PUBLICATION}, settings_since AS "settingsSince", changes, record`
export const periods = Rows.reader(PeriodRow)
export const PERIOD = "strategy_id AS strategy, period, mode, currency, tally, until"

export const encode = lazily(() => Schema.encodeSync(RecordRow.fields.record))
const tallyText = lazily(() => Schema.encodeSync(PeriodRow.fields.tally))

/** The value that records are sorted by: 0 for what was never published. */
export const scoreOf = (record: TrackRecord, publication: Publication | undefined): number =>
  publication === undefined ? 0 : rankOf(record, publication.first)

/** The markets of a strategy as text: ` exchange:pair ` for each, so that one is found with or without the other. */
const marketsOf = ({ settings }: Strategy): string =>
  ` ${settings.exchanges.flatMap(({ exchange, pairs }) => pairs.map((pair) => `${exchange}:${pair}`)).join(" ")} `

const searchOf = ({ settings }: Strategy): string =>
  Recording.searchText([
    settings.name,
    settings.description,
    settings.displayName,
    ...settings.exchanges.flatMap(({ pairs }) => pairs)
  ])

/** The row of a strategy after a change, as the columns from `strategy_id` to `markets`, without `copies`. */
export const rowOf = (
  strategy: Strategy,
  known: Pick<typeof RecordRow.Type, "record" | "settingsSince" | "changes">,
  publication: Publication | undefined
): Insert.Row => [
  strategy.id,
  strategy.account,
  Rows.bit(Recording.listedName(strategy.settings) !== undefined),
  publication?.first ?? null,
  publication?.since ?? null,
  publication?.times ?? 0,
  known.settingsSince,
  known.changes,
  known.record.mode,
  encode(known.record),
  scoreOf(known.record, publication),
  searchOf(strategy),
  marketsOf(strategy)
]

/** Stores new rows of records. */
export const insert = Insert.into(
  `strategy_records (strategy_id, account, listed, first_published_at, published_at, times_published,
    settings_since, changes, mode, record, score, search, markets)`,
  13
)

/** Notes that a strategy was made or changed, at a time in seconds, within the caller's transaction. */
export const written = Effect.fnUntraced(function* (
  before: Strategy | undefined,
  after: Strategy,
  now: number
) {
  const sql = yield* SqlClient.SqlClient
  const known = Option.getOrUndefined(
    yield* records.first(
      sql`SELECT ${sql.literal(RECORD)} FROM strategy_records WHERE strategy_id = ${after.id}
        ${Dialect.forUpdate(sql)}`
    )
  )
  const isOther =
    before === undefined || known === undefined || Recording.isOfTrading(before.settings, after.settings)
  const publicationBefore = known === undefined ? undefined : Publishing.publicationOf(known)
  const publication = Recording.publicationAfter(publicationBefore, [before?.settings, after.settings], now)
  if (publicationBefore === undefined && publication !== undefined)
    yield* Publishing.publish(sql, after.account)
  const next = {
    record: known?.record ?? begin(after.createdAt * 1000),
    settingsSince: isOther ? now : known.settingsSince,
    changes: (known?.changes ?? 0) + (isOther ? 1 : 0)
  }
  const row = rowOf(after, next, publication)
  if (known === undefined) yield* Effect.all(insert(sql, [row]))
  else yield* update(sql, row)
  if (isOther && before !== undefined) yield* Publishing.announce(sql, [after.id])
})

/** Notes that the signals of these strategies were taken from them, at a time in seconds. */
export const changed = Effect.fnUntraced(function* (ids: ReadonlyArray<StrategyId>, now: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE strategy_records SET settings_since = ${now}, changes = changes + 1
    WHERE ${Dialect.among(sql, "strategy_id", ids)}`
  yield* Publishing.announce(sql, ids)
})

const update = (sql: SqlClient.SqlClient, [id, _, listed, first, since, times, ...rest]: Insert.Row) => {
  const [settingsSince, changes, mode, record, score, search, markets] = rest
  return sql`UPDATE strategy_records SET listed = ${listed ?? 0}, first_published_at = ${first ?? null},
    published_at = ${since ?? null}, times_published = ${times ?? 0}, settings_since = ${settingsSince ?? 0},
    changes = ${changes ?? 0}, mode = ${mode ?? ""}, record = ${record ?? ""}, score = ${score ?? 0},
    search = ${search ?? ""}, markets = ${markets ?? ""} WHERE strategy_id = ${id ?? 0}`
}

/** Takes the trades of steps into their strategies' records, within the caller's transaction. */
export const add = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const concerned = steps.filter(Recording.concerns)
  if (concerned.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const isConcerned = Dialect.among(sql, "strategy_id", [
    ...new Set(concerned.map(({ bot }) => bot.strategy))
  ])
  const known = yield* records.all(sql`SELECT ${sql.literal(RECORD)} FROM strategy_records
    WHERE ${isConcerned} ORDER BY strategy_id ${Dialect.forUpdate(sql)}`)
  const changed = known.map((row) => {
    const publication = Publishing.publicationOf(row)
    const record = concerned
      .filter(({ bot }) => bot.strategy === row.strategy)
      .reduce((record, step) => Recording.recordAfter(record, step, publication), row.record)
    return [row.strategy, record.mode, encode(record), scoreOf(record, publication)]
  })
  yield* sql`UPDATE strategy_records SET mode = made.value ->> 1, record = made.value ->> 2,
    score = CAST(made.value ->> 3 AS double precision)
    FROM ${Dialect.jsonRows(sql, changed)} WHERE strategy_id = CAST(made.value ->> 0 AS bigint) AND ${isConcerned}`
  yield* insertPeriods(sql, concerned)
})

const insertPeriods = (sql: SqlClient.SqlClient, steps: ReadonlyArray<Step>) => {
  const made = steps.flatMap((step) => {
    const period = Recording.periodAfter(step)
    return period === undefined ? [] : [{ strategy: step.bot.strategy, ...period }]
  })
  // Of several steps of one period the last one counts.
  const last = new Map(made.map((it) => [`${it.strategy} ${it.period}`, it]))
  return storePeriods(sql, [...last.values()])
}

/** Stores periods in place of earlier states of them. Those of strategies that were deleted meanwhile are left out. */
export const storePeriods = (
  sql: SqlClient.SqlClient,
  rows: ReadonlyArray<typeof PeriodRow.Type>
): Effect.Effect<unknown, SqlError> =>
  rows.length === 0
    ? Effect.void
    : sql`INSERT INTO record_periods (strategy_id, period, mode, currency, tally, until)
    SELECT CAST(made.value ->> 0 AS bigint), CAST(made.value ->> 1 AS bigint), made.value ->> 2, made.value ->> 3,
      made.value ->> 4, CAST(made.value ->> 5 AS bigint)
    FROM ${Dialect.jsonRows(
      sql,
      rows.map((it) => [it.strategy, it.period, it.mode, it.currency, tallyText(it.tally), it.until])
    )} WHERE CAST(made.value ->> 0 AS bigint) IN (SELECT id FROM strategies WHERE ${Dialect.among(
      sql,
      "id",
      rows.map(({ strategy }) => strategy)
    )})
    ON CONFLICT (strategy_id, period) DO UPDATE SET mode = excluded.mode, currency = excluded.currency,
      tally = excluded.tally, until = excluded.until`
