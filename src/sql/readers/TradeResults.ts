// Reads when the trades of a strategy closed and what each made, as columns: a curve is drawn of hundreds of thousands, and
// rows of objects would cost more than all the rest.
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { StrategyId } from "../../domain/StrategyId.ts"

/** The trades of a page in the sequence of their ids: each one's end (ms) and result, and the last id. */
export interface Page {
  readonly at: ReadonlyArray<number>
  readonly pnl: ReadonlyArray<number>
  readonly last: number
}

/** Which trades: of a strategy, with ids after one and before another, at most so many. */
export interface Choice {
  readonly strategy: StrategyId
  readonly after: number
  readonly until: number
  readonly limit: number
}

/** Reads a page; none where there is no such trade. */
export const page = (sql: SqlClient, choice: Choice): Effect.Effect<Page | undefined, SqlError> => {
  const { after, limit, strategy, until } = choice
  const rows = sql`SELECT id, closed_at, pnl FROM trades WHERE strategy_id = ${strategy} AND id > ${after}
    AND id < ${until} ORDER BY id LIMIT ${limit}`
  return sql.onDialectOrElse({
    // One row: its driver takes several microseconds for each, whatever is in it.
    pg: () =>
      Effect.map(
        sql<Columns>`SELECT max(id) AS last, string_agg(closed_at::text, ',') AS at,
          string_agg(coalesce(pnl, 0)::text, ',') AS pnl FROM (${rows}) AS page`,
        ([found]) => (found === undefined || found.last === null ? undefined : read(found))
      ),
    orElse: () => Effect.map(rows.values, ofRows)
  })
}

/** The columns as texts, all null without a trade. */
interface Columns {
  readonly last: number | null
  readonly at: string | null
  readonly pnl: string | null
}

const read = ({ at, last, pnl }: Columns): Page => ({ at: numbers(at), pnl: numbers(pnl), last: last ?? 0 })

const numbers = (text: string | null): ReadonlyArray<number> => (text ?? "").split(",").map(Number)

const ofRows = (rows: ReadonlyArray<ReadonlyArray<unknown>>): Page | undefined =>
  rows.length === 0
    ? undefined
    : {
        at: rows.map(([, closedAt]) => Number(closedAt)),
        pnl: rows.map(([, , made]) => Number(made)),
        last: Number(rows.at(-1)?.[0])
      }
