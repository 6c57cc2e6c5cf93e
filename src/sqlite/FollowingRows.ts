// Who follows a signal, or did, read so that nobody is kept waiting: some rows at a time, and settings only of strategies that
// have changed since. There may be tens of thousands. A row that changes meanwhile counts as it was read last.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SignalId } from "../domain/Signal.ts"
import type { Strategy } from "../domain/Strategy.ts"
import type { Following } from "../services/StrategyStore.ts"
import * as Rows from "./rows/Rows.ts"
import * as StrategyRows from "./rows/StrategyRows.ts"

/** Rows, and strategies with their settings, that are read without a pause. */
const ROWS = 500
const STRATEGIES = 50
/** The most strategies that are kept in memory with their settings. */
const MAX_KNOWN = 50_000

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

/** Lets others go on between two pieces. */
const pause = Effect.sleep(0)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(StrategyRows.COLUMNS)
  const settled = new Map<number, Strategy>()

  /** Those that follow, or those that did and have something left to judge: beyond a row, in the order of rows. */
  const some = (signal: SignalId, isOver: boolean, after: number) =>
    rows.all(sql`SELECT followings.id, strategy_id AS strategy, revision, from_alert AS "from", until_alert AS until
      FROM followings JOIN strategies ON strategies.id = strategy_id
      WHERE followings.signal_id = ${signal} AND followings.id > ${after}
      AND ${sql.literal(isOver ? `until_alert > ${JUDGED}` : "until_alert IS NULL")}
      ORDER BY followings.id LIMIT ${ROWS}`)

  const read = Effect.fnUntraced(function* (signal: SignalId) {
    const found = new Map<number, typeof Row.Type>()
    // Whoever stops to follow meanwhile is among those that did.
    for (const isOver of [false, true]) {
      for (let after = 0; ; ) {
        const chunk = yield* some(signal, isOver, after)
        for (const row of chunk) found.set(row.id, row)
        const last = chunk.at(-1)?.id
        if (last === undefined || chunk.length < ROWS) break
        after = last
        yield* pause
      }
    }
    return [...found.values()]
  })

  /** The strategies of these rows, by id. */
  const strategiesOf = Effect.fnUntraced(function* (found: ReadonlyArray<typeof Row.Type>) {
    const all = new Map<number, Strategy>()
    const missing = new Set<number>()
    for (const { revision, strategy } of found) {
      const known = settled.get(strategy)
      if (known?.revision === revision) all.set(strategy, known)
      else missing.add(strategy)
    }
    const ids = [...missing]
    if (settled.size + ids.length > MAX_KNOWN) settled.clear()
    for (let start = 0; start < ids.length; start += STRATEGIES) {
      if (start > 0) yield* pause
      const chunk = JSON.stringify(ids.slice(start, start + STRATEGIES))
      for (const strategy of yield* StrategyRows.all(
        sql`SELECT ${columns} FROM strategies WHERE id IN (SELECT value FROM json_each(${chunk}))`
      )) {
        all.set(strategy.id, strategy)
        settled.set(strategy.id, strategy)
      }
    }
    return all
  })

  return Effect.fn("FollowingRows.of")(function* (signal: SignalId) {
    const found = yield* read(signal)
    const strategies = yield* strategiesOf(found)
    return found
      .flatMap(({ from, strategy: id, until }): ReadonlyArray<Following> => {
        const strategy = strategies.get(id)
        return strategy === undefined ? [] : [{ strategy, from, ...(until === null ? {} : { until }) }]
      })
      .sort((one, other) => one.strategy.id - other.strategy.id || one.from - other.from)
  })
})
