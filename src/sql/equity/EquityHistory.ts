// The stored layer of strategies' equity over time. All samples of a minute are one transaction; those of strategies
// that were deleted meanwhile are left out.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StrategyId } from "../../domain/StrategyId.ts"
import * as History from "../../services/equity/EquityHistory.ts"
import { orDie } from "../client/SqlErrors.ts"
import * as Dialect from "../Dialect.ts"
import * as EquityRows from "../rows/EquityRows.ts"
import * as TradeGroupRows from "../rows/TradeGroupRows.ts"

/** The most rows of one statement. */
const MOST = 500

const make = Effect.map(SqlClient.SqlClient, (sql) =>
  History.EquityHistory.of({ ...writes(sql), ...reads(sql) })
)

const writes = (sql: SqlClient.SqlClient) => {
  const { addPoints, insertOf, take } = pointsIn(sql)
  const inTransaction = <A, E>(effect: Effect.Effect<A, E>) => orDie(sql.withTransaction(effect))

  /** Points are read, added to and written: by one transaction at a time. */
  const oneByOne = Dialect.inTurn(sql, "equity_points")

  /** Nearly every sample is the first of its minute; the others are added to what is stored of theirs. */
  const storeSome = Effect.fnUntraced(function* ({ rows, states, values }: Texts) {
    yield* sql`INSERT INTO equity_states (strategy_id, period, tracked)
      SELECT strategies.id, CAST(made.value ->> 1 AS bigint), made.value ->> 2
      FROM ${Dialect.rowsOfText(sql, states)} JOIN strategies ON strategies.id = CAST(made.value ->> 0 AS bigint)
      WHERE 1 = 1 ${Dialect.keptThere(sql, "strategies")}
      ON CONFLICT (strategy_id, period) DO UPDATE SET tracked = excluded.tracked`
    const inserted = yield* EquityRows.owners.all(sql`${insertOf(values)}
      ON CONFLICT DO NOTHING RETURNING strategy_id AS strategy`)
    if (inserted.length === rows.length) return
    yield* oneByOne
    const done = new Set(inserted.map(({ strategy }) => strategy))
    yield* addPoints(rows.filter(({ strategy }) => !done.has(strategy)))
  })

  /** Makes the oldest rows of a width that are due part of the next wider one; returns how many they were. */
  const widen = Effect.fnUntraced(function* (now: number, span: number) {
    const step = History.widening[span]
    if (step === undefined) return 0
    const due = yield* take(span, History.dueBefore(now, step.keptMs, step.wider))
    if (due.length === 0) return 0
    yield* addPoints(due.map((row) => ({ ...History.widened(row), strategy: row.strategy })))
    return due.length
  })

  return {
    store: Effect.fn("EquityHistory.store")((samples: ReadonlyArray<History.Sampled>) =>
      Effect.suspend(() => {
        // Written before the transaction, which others wait for.
        const texts = chunksOf(samples).map(textsOf)
        return inTransaction(Effect.forEach(texts, storeSome, { discard: true }))
      })
    ),
    thin: Effect.fn("EquityHistory.thin")((now: number) =>
      Effect.map(
        inTransaction(
          Effect.zipRight(
            oneByOne,
            Effect.forEach(History.widening.keys(), (span) => widen(now, span))
          )
        ),
        (counts) => counts.some((count) => count === History.MAX_THINNED)
      )
    )
  }
}

/** The statements on points, within the caller's transaction. */
const pointsIn = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(EquityRows.POINTS)
  const keys = sql.literal([0, 1, 2, 3].map((index) => `CAST(made.value ->> ${index} AS bigint)`).join(", "))

  /** The keys of rows as a sub-select. */
  const among = (rows: ReadonlyArray<EquityRows.OwnPoints>) =>
    sql`(SELECT ${keys} FROM ${Dialect.jsonRows(sql, EquityRows.keyValues(rows))})`

  /** The beginning of an insert of points of strategies that exist. */
  const insertOf = (
    values: string
  ) => sql`INSERT INTO equity_points (strategy_id, span, since, period, points)
      SELECT ${keys}, made.value ->> 4
      FROM ${Dialect.rowsOfText(sql, values)} JOIN strategies ON strategies.id = CAST(made.value ->> 0 AS bigint)
      WHERE 1 = 1 ${Dialect.keptThere(sql, "strategies")}`

  /** Adds points to what is stored of their stretches. */
  const addPoints = Effect.fnUntraced(function* (rows: ReadonlyArray<EquityRows.OwnPoints>) {
    const stored = yield* EquityRows.points.all(sql`SELECT ${columns} FROM equity_points
      WHERE (strategy_id, span, since, period) IN ${among(rows)}`)
    const all = new Map(stored.map((row) => [keyOf(row), row]))
    for (const row of rows)
      all.set(keyOf(row), { ...History.joined(all.get(keyOf(row)), row), strategy: row.strategy })
    yield* sql`${insertOf(JSON.stringify(EquityRows.pointValues([...all.values()])))}
      ON CONFLICT (strategy_id, span, since, period) DO UPDATE SET points = excluded.points`
  })

  /** Deletes and returns the oldest rows of a width that begin before a time (ms). */
  const take = Effect.fnUntraced(function* (span: number, before: number) {
    const rows = yield* EquityRows.points.all(sql`SELECT ${columns} FROM equity_points
      WHERE span = ${span} AND span < 2 AND since < ${before} ORDER BY since LIMIT ${History.MAX_THINNED}`)
    if (rows.length === 0) return rows
    yield* sql`DELETE FROM equity_points WHERE (strategy_id, span, since, period) IN ${among(rows)}`
    return rows
  })
  return { addPoints, insertOf, take }
}

const reads = (sql: SqlClient.SqlClient) => ({
  latest: Effect.fn("EquityHistory.latest")((strategies: ReadonlyArray<StrategyId>) =>
    Effect.map(
      EquityRows.states.all(sql`SELECT ${sql.literal(EquityRows.STATE)} FROM equity_states AS latest
        WHERE ${Dialect.among(sql, "strategy_id", strategies)}
        AND period = (SELECT max(period) FROM equity_states WHERE strategy_id = latest.strategy_id)`),
      (rows) => new Map(rows.map(({ strategy, tracked }) => [strategy, tracked]))
    )
  ),
  points: Effect.fn("EquityHistory.points")((strategy: StrategyId, period: number) =>
    Effect.map(
      EquityRows.points.all(sql`SELECT ${sql.literal(EquityRows.POINTS)} FROM equity_points
        WHERE strategy_id = ${strategy} AND period = ${period} ORDER BY span DESC, since`),
      History.sorted
    )
  ),
  groups: Effect.fn("EquityHistory.groups")((strategy: StrategyId, period: number) =>
    TradeGroupRows.groups.all(sql`SELECT ${sql.literal(TradeGroupRows.COLUMNS)} FROM trade_groups
      WHERE strategy_id = ${strategy} AND period = ${period}`)
  )
})

/** Samples as the statements take them. */
interface Texts {
  readonly states: string
  readonly rows: ReadonlyArray<EquityRows.OwnPoints>
  readonly values: string
}

const textsOf = (samples: ReadonlyArray<History.Sampled>): Texts => {
  const rows = samples.map(({ strategy, tracked }) => ({ ...History.minuteOf(tracked), strategy }))
  return {
    states: JSON.stringify(EquityRows.stateValues(samples)),
    rows,
    values: JSON.stringify(EquityRows.pointValues(rows))
  }
}

const keyOf = (row: EquityRows.OwnPoints): string => `${row.strategy} ${History.keyOf(row)}`

const chunksOf = <A>(rows: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(rows.length / MOST) }, (_, index) =>
    rows.slice(index * MOST, (index + 1) * MOST)
  )

export const layer = Layer.effect(History.EquityHistory, make)
