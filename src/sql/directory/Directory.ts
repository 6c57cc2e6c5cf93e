// The stored layer of the directory: a page is walked along the index that it is sorted by, and only its rows are read.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type {
  Listed,
  ListedSignal,
  ListedStrategy,
  SignalQuery,
  StrategyQuery
} from "../../domain/directory/Listed.ts"
import { type Signal, SignalNotFound } from "../../domain/Signal.ts"
import { type Strategy, StrategyNotFound } from "../../domain/Strategy.ts"
import { Directory } from "../../services/directory/Directory.ts"
import { listedName } from "../../services/directory/Recording.ts"
import * as Dialect from "../Dialect.ts"
import * as Rows from "../rows/Rows.ts"
import * as SignalRows from "../rows/SignalRows.ts"
import * as StrategyRows from "../rows/StrategyRows.ts"
import * as Publishing from "./Publishing.ts"
import * as RecordRows from "./RecordRows.ts"
import * as Walk from "./Walk.ts"

const publisherFields = { number: Schema.Int, published: Schema.Int }
const StrategyRow = Schema.Struct({
  ...RecordRows.RecordRow.fields,
  copies: Schema.Int,
  ...publisherFields
})
const SignalRow = Schema.Struct({
  signal: Schema.Int,
  ...Publishing.publicationFields,
  followers: Schema.Int,
  ...publisherFields
})
const strategies = Rows.reader(StrategyRow)
const signals = Rows.reader(SignalRow)

/** Rows by their id, in any sequence. */
type Found<Row> = ReadonlyMap<number, Row>

const make = Effect.map(SqlClient.SqlClient, (sql) =>
  Directory.of({
    strategies: Effect.fn("Directory.strategies")(function* (query: StrategyQuery) {
      const conditions = conditionsOf(sql, query)
      const page = yield* Walk.walk(sql, { table: "strategy_records", id: "strategy_id", conditions }, query)
      return listedOf(page, yield* strategiesOf(sql, idsOf(page)))
    }),
    strategy: Effect.fn("Directory.strategy")((id: number) =>
      Effect.flatMap(strategiesOf(sql, [id]), (found) => one(found.get(id), () => new StrategyNotFound()))
    ),
    periods: Effect.fn("Directory.periods")((strategy, limit) =>
      Effect.map(
        RecordRows.periods.all(sql`SELECT ${sql.literal(RecordRows.PERIOD)} FROM record_periods
          WHERE strategy_id = ${strategy} ORDER BY period DESC LIMIT ${limit}`),
        (rows) => rows.map(({ strategy: _, ...period }) => period)
      )
    ),
    signals: Effect.fn("Directory.signals")(function* (query: SignalQuery) {
      const conditions = wordsOf(sql, query)
      const page = yield* Walk.walk(sql, { table: "signal_records", id: "signal_id", conditions }, query)
      return listedOf(page, yield* signalsOf(sql, idsOf(page)))
    }),
    signal: Effect.fn("Directory.signal")((id: number) =>
      Effect.flatMap(signalsOf(sql, [id]), (found) => one(found.get(id), () => new SignalNotFound()))
    )
  })
)

const idsOf = ({ places }: Walk.Page) => places.map(({ id }) => id)

const listedOf = <Row>({ next, places }: Walk.Page, found: Found<Row>): Listed<Row> => {
  const rows = places.flatMap(({ id }) => found.get(id) ?? [])
  return next === undefined ? { rows } : { rows, next: { value: next.value, id: next.id } }
}

const one = <A, E>(found: A | undefined, missing: () => E): Effect.Effect<A, E> =>
  found === undefined ? Effect.fail(missing()) : Effect.succeed(found)

/** The listed strategies of these ids. */
const strategiesOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, ids: ReadonlyArray<number>) {
  const among = Dialect.ids(sql, ids)
  const records =
    yield* strategies.all(sql`SELECT ${sql.literal(RecordRows.RECORD)}, copies, number, published
    FROM strategy_records JOIN publishers ON publishers.account = strategy_records.account
    WHERE listed = 1 AND strategy_id IN ${among}`)
  const rows = yield* StrategyRows.all(sql`SELECT ${sql.literal(StrategyRows.COLUMNS)} FROM strategies
    WHERE id IN ${among}`)
  const known: Found<Strategy> = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    records.flatMap((record): ReadonlyArray<readonly [number, ListedStrategy]> => {
      const listed = strategyOf(known.get(record.strategy), record)
      return listed === undefined ? [] : [[record.strategy, listed]]
    })
  )
})

/** The listed signals of these ids. */
const signalsOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, ids: ReadonlyArray<number>) {
  const among = Dialect.ids(sql, ids)
  const records = yield* signals.all(sql`SELECT signal_id AS signal, ${sql.literal(Publishing.PUBLICATION)},
      followers, number, published
    FROM signal_records JOIN publishers ON publishers.account = signal_records.account
    WHERE listed = 1 AND signal_id IN ${among}`)
  const rows = yield* SignalRows.all(sql`SELECT ${sql.literal(SignalRows.COLUMNS)} FROM signals
    WHERE id IN ${among}`)
  const known: Found<Signal> = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    records.flatMap((record): ReadonlyArray<readonly [number, ListedSignal]> => {
      const listed = signalOf(known.get(record.signal), record)
      return listed === undefined ? [] : [[record.signal, listed]]
    })
  )
})

const strategyOf = (
  strategy: Strategy | undefined,
  row: typeof StrategyRow.Type
): ListedStrategy | undefined => {
  const name = strategy === undefined ? undefined : listedName(strategy.settings)
  const publication = Publishing.publicationOf(row)
  if (strategy === undefined || name === undefined || publication === undefined) return undefined
  const { copies, number, published, record, settingsSince } = row
  return { strategy, publisher: { number, name, published }, publication, copies, settingsSince, record }
}

const signalOf = (signal: Signal | undefined, row: typeof SignalRow.Type): ListedSignal | undefined => {
  const name = signal === undefined ? undefined : listedName(signal)
  const publication = Publishing.publicationOf(row)
  if (signal === undefined || name === undefined || publication === undefined) return undefined
  const { followers, number, published } = row
  return { signal, publisher: { number, name, published }, publication, followers }
}

const wordsOf = (sql: SqlClient.SqlClient, { words }: Pick<StrategyQuery, "words">) =>
  words.map((word) => Dialect.holds(sql, "search", word))

const conditionsOf = (sql: SqlClient.SqlClient, query: StrategyQuery): Walk.Walked["conditions"] => {
  const { exchange, mode, pair, publishedBefore } = query
  const market = exchange === undefined && pair === undefined ? [] : [marketOf(exchange, pair)]
  return [
    ...market.map((text) => Dialect.holds(sql, "markets", text)),
    ...(mode === undefined ? [] : [sql`mode = ${mode}`]),
    ...(publishedBefore === undefined ? [] : [sql`first_published_at <= ${publishedBefore}`]),
    ...wordsOf(sql, query)
  ]
}

/** A part of what `RecordRows` writes as markets. */
const marketOf = (exchange: string | undefined, pair: string | undefined): string =>
  `${exchange === undefined ? "" : ` ${exchange}`}:${pair === undefined ? "" : `${pair} `}`

export const layer = Layer.effect(Directory, make)
