// Reads who follows and followed a signal. There may be tens of thousands, so rows are read in pieces with pauses, and
// settings only of strategies that have changed. A row that changes meanwhile counts as it was read last.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Partition } from "../../domain/Partition.ts"
import type { SignalId } from "../../domain/Signal.ts"
import { breathe } from "../../services/engine/Breath.ts"
import type { Following } from "../../services/StrategyStore.ts"
import * as Dialect from "../Dialect.ts"
import { KnownStrategies } from "./KnownStrategies.ts"
import * as Rows from "./Rows.ts"

/** Rows that are read without a pause. */
const ROWS = 500

/** The alert up to which all is judged. */
export const JUDGED = "(SELECT min(cursor) FROM partitions)"

const Row = Schema.Struct({
  id: Schema.Int,
  strategy: Schema.Int,
  revision: Schema.Int,
  from: Schema.Int,
  until: Schema.NullOr(Schema.Int)
})
const rows = Rows.reader(Row)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const strategiesOf = yield* KnownStrategies

  /** Reads the rows beyond one, sorted by id: those that still follow, or those that stopped and have alerts to judge. */
  const some = (signal: SignalId, partitions: ReadonlySet<Partition>, isOver: boolean, after: number) =>
    rows.all(sql`SELECT followings.id, strategy_id AS strategy, revision, from_alert AS "from", until_alert AS until
      FROM followings JOIN strategies ON strategies.id = strategy_id
      WHERE followings.signal_id = ${signal} AND followings.id > ${after}
      AND ${sql.literal(isOver ? `until_alert > ${JUDGED}` : "until_alert IS NULL")}
      AND ${Dialect.within(sql, "followings.account", partitions)}
      ORDER BY followings.id LIMIT ${ROWS}`)

  const read = Effect.fnUntraced(function* (signal: SignalId, partitions: ReadonlySet<Partition>) {
    const found = new Map<number, typeof Row.Type>()
    // A strategy that stops following meanwhile is found by the second query.
    for (const isOver of [false, true]) {
      for (let after = 0; ; ) {
        const chunk = yield* some(signal, partitions, isOver, after)
        for (const row of chunk) found.set(row.id, row)
        const last = chunk.at(-1)?.id
        if (last === undefined || chunk.length < ROWS) break
        after = last
        yield* breathe
      }
    }
    return [...found.values()]
  })

  return Effect.fn("FollowingRows.of")(function* (signal: SignalId, partitions: ReadonlySet<Partition>) {
    const found = yield* read(signal, partitions)
    const strategies = yield* strategiesOf(
      found.map(({ revision, strategy }) => ({ id: strategy, revision }))
    )
    return found
      .flatMap(({ from, strategy: id, until }): ReadonlyArray<Following> => {
        const strategy = strategies.get(id)
        return strategy === undefined ? [] : [{ strategy, from, ...(until === null ? {} : { until }) }]
      })
      .sort((one, other) => one.strategy.id - other.strategy.id || one.from - other.from)
  })
})
