// Reads a page of a sorted list along its index. A search looks at so many rows at a time, so that a rare word holds up
// nobody.
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Listing, Place, SignalSort, StrategySort } from "../../domain/directory/Listed.ts"
import { breathe } from "../../services/engine/Breath.ts"
import * as Rows from "../rows/Rows.ts"

/** Rows that a search looks at without a pause. */
const WALKED = 2_000
/** Rows that a search looks at for one page; its next page goes on from there. */
const MOST_WALKED = 200_000

type Sort = StrategySort | SignalSort
/** The column that a list is sorted by. */
const COLUMNS: Readonly<Record<Sort, string>> = {
  record: "score",
  newest: "published_at",
  oldest: "first_published_at",
  copies: "copies",
  followers: "followers"
}

/** A table with a column `listed`: its name, its id, and what a row has to be besides. */
export interface Walked {
  readonly table: "strategy_records" | "signal_records"
  readonly id: "strategy_id" | "signal_id"
  readonly conditions: ReadonlyArray<Fragment>
}

/** The places of the rows of a page, and where the next one begins. */
export interface Page {
  readonly places: ReadonlyArray<Place>
  readonly next: Place | undefined
}

const places = Rows.reader(Schema.Struct({ id: Schema.Int, value: Schema.Number, hit: Rows.Bit }))

/** The statement of a stretch of the list, which says of each row whether it is meant. */
export const statementOf = (
  sql: SqlClient.SqlClient,
  { conditions, id, table }: Walked,
  { after, limit, sort }: Pick<Listing<Sort>, "after" | "limit" | "sort">
) => {
  const [key, column] = [sql.literal(id), sql.literal(COLUMNS[sort])]
  const [than, direction] = (sort === "oldest" ? [">", "ASC"] : ["<", "DESC"]).map((it) => sql.literal(it))
  const beyond =
    after === undefined ? sql.literal("") : sql`AND (${column}, ${key}) ${than} (${after.value}, ${after.id})`
  const hit =
    conditions.length === 0 ? sql.literal("1") : sql`CASE WHEN ${sql.and(conditions)} THEN 1 ELSE 0 END`
  return sql`SELECT ${key} AS id, ${column} AS value, ${hit} AS hit FROM ${sql.literal(table)}
    WHERE listed = 1 ${beyond} ORDER BY ${column} ${direction}, ${key} ${direction} LIMIT ${limit}`
}

/** Reads a page. */
export const walk = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  walked: Walked,
  { after, limit, sort }: Listing<Sort>
): Effect.fn.Return<Page> {
  const found: Array<Place> = []
  const most = walked.conditions.length === 0 ? limit + 1 : WALKED
  let from = after
  for (let count = 0; count < MOST_WALKED; count += most) {
    const rows = yield* places.all(
      statementOf(sql, walked, { sort, limit: most, ...(from === undefined ? {} : { after: from }) })
    )
    found.push(...rows.filter(({ hit }) => hit))
    if (found.length > limit) return { places: found.slice(0, limit), next: found[limit - 1] }
    from = rows.at(-1)
    if (rows.length < most || from === undefined) return { places: found, next: undefined }
    yield* breathe
  }
  return { places: found, next: from }
})
