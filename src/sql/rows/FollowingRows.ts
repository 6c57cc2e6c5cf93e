// Reads who follows and followed some signals. A turn of the engine waits for it, so Postgres is asked for many of them in one
// query. SQLite is asked signal by signal, because its index holds the present followers of one signal sorted by id. There may
// be tens of thousands of rows: they are read in pieces with pauses, and settings only of strategies that have changed. A row
// that changes meanwhile counts as it was read last.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Partition } from "../../domain/Partition.ts"
import { SignalId } from "../../domain/Signal.ts"
import { breathe } from "../../services/engine/Breath.ts"
import type { Following } from "../../services/StrategyStore.ts"
import * as Dialect from "../Dialect.ts"
import { KnownStrategies } from "./KnownStrategies.ts"
import * as Rows from "./Rows.ts"

/** Rows that are read without a pause. */
const ROWS = 500
/** Signals of one query: each piece of rows sorts those of all of them. */
const SIGNALS = 32

/** The alert up to which all is judged. */
export const JUDGED = "(SELECT min(cursor) FROM partitions)"

const Row = Schema.Struct({
  id: Schema.Int,
  signal: SignalId,
  strategy: Schema.Int,
  revision: Schema.Int,
  from: Schema.Int,
  until: Schema.NullOr(Schema.Int)
})
const rows = Rows.reader(Row)

type Signals = ReadonlyArray<SignalId>

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const strategiesOf = yield* KnownStrategies

  /** Reads the rows beyond one, sorted by id: those that still follow, or those that stopped and have alerts to judge. */
  const some = (signals: Signals, partitions: ReadonlySet<Partition>, isOver: boolean, after: number) =>
    rows.all(sql`SELECT followings.id, followings.signal_id AS signal, strategy_id AS strategy, revision,
        from_alert AS "from", until_alert AS until
      FROM followings JOIN strategies ON strategies.id = strategy_id
      WHERE ${Dialect.among(sql, "followings.signal_id", signals)} AND followings.id > ${after}
      AND ${sql.literal(isOver ? `until_alert > ${JUDGED}` : "until_alert IS NULL")}
      AND ${Dialect.within(sql, "followings.account", partitions)}
      ORDER BY followings.id LIMIT ${ROWS}`)

  const read = Effect.fnUntraced(function* (signals: Signals, partitions: ReadonlySet<Partition>) {
    const found = new Map<number, typeof Row.Type>()
    const together = sql.onDialectOrElse({
      pg: (): ReadonlyArray<Signals> => Arr.chunksOf(signals, SIGNALS),
      orElse: () => signals.map((signal) => [signal])
    })
    for (const those of together) {
      // A strategy that stops following meanwhile is found by the second query.
      for (const isOver of [false, true]) {
        for (let after = 0; ; ) {
          const chunk = yield* some(those, partitions, isOver, after)
          for (const row of chunk) found.set(row.id, row)
          const last = chunk.at(-1)?.id
          if (last === undefined || chunk.length < ROWS) break
          after = last
          yield* breathe
        }
      }
    }
    return [...found.values()]
  })

  return Effect.fn("FollowingRows.of")(function* (signals: Signals, partitions: ReadonlySet<Partition>) {
    const found = yield* read(signals, partitions)
    const strategies = yield* strategiesOf(
      found.map(({ revision, strategy }) => ({ id: strategy, revision }))
    )
    const bySignal = new Map(signals.map((signal): [SignalId, Array<Following>] => [signal, []]))
    for (const { from, signal, strategy: id, until } of found) {
      const strategy = strategies.get(id)
      if (strategy === undefined) continue
      bySignal.get(signal)?.push({ strategy, from, ...(until === null ? {} : { until }) })
    }
    for (const all of bySignal.values())
      all.sort((one, other) => one.strategy.id - other.strategy.id || one.from - other.from)
    return bySignal
  })
})
