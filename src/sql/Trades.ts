// The stored layer that pages through trades and fills; of one strategy, each sort has an index of its own.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Decimal from "../domain/Decimal.ts"
import { type MarketId, marketKey } from "../domain/Market.ts"
import { ExitReason, OrderId, OrderPurpose, OrderSide } from "../domain/Order.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import { breathe } from "../services/engine/Breath.ts"
import { type Order, type Stretch, Trades } from "../services/records/Trades.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Dialect from "./Dialect.ts"
import * as KeptResults from "./readers/KeptResults.ts"
import * as TradeResults from "./readers/TradeResults.ts"
import * as TradeSearch from "./readers/TradeSearch.ts"
import { ORDER_OF_FILL, trades } from "./rows/PortfolioRows.ts"
import * as Rows from "./rows/Rows.ts"

const ids = Rows.reader(Schema.Struct({ id: Schema.Int }))
const counts = Rows.reader(Schema.Struct({ count: Schema.Int }))
const marks = Rows.reader(
  Schema.Struct({
    order: OrderId,
    isPart: Rows.Bit,
    at: Schema.Int,
    purpose: OrderPurpose,
    side: OrderSide,
    price: Schema.Number,
    quantity: Decimal.Text,
    exitReason: Schema.NullOr(ExitReason)
  })
)
/** The sort columns, each the start of an index after the strategy. */
const COLUMNS: Readonly<Record<Order, string>> = {
  closed_at: "id",
  opened_at: "opened_at",
  pair: "pair",
  pnl: "pnl",
  profit_pct: "profit_percent",
  hold: "closed_at - opened_at"
}
const WORDS = { asc: "ASC", desc: "DESC" } as const

/** Above every id. */
const NEVER = Number.MAX_SAFE_INTEGER

/** Rows of one statement; others get their turn between two. */
const ROWS = 10_000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const text = (column: string, name: string) => Dialect.jsonText(sql, column, name)
  const orderOfFill = sql.onDialectOrElse({
    pg: () => sql.literal(ORDER_OF_FILL.pg),
    orElse: () => sql.literal(ORDER_OF_FILL.sqlite)
  })

  const page = Effect.fn("Trades.page")(function* (strategy: StrategyId, stretch: Stretch) {
    const { direction, limit, offset, order } = stretch
    const by = sql.literal(`${COLUMNS[order]} ${WORDS[direction]}, id ${WORDS[direction]}`)
    const rows = yield* trades.all(sql`SELECT id, trade FROM trades WHERE strategy_id = ${strategy}
      ORDER BY ${by} LIMIT ${limit} OFFSET ${offset}`)
    const { count } = yield* counts.one(
      sql`SELECT count(*) AS count FROM trades WHERE strategy_id = ${strategy}`
    )
    return { rows, total: count }
  })

  /** The first trade of a period or a later one: a bot's periods follow each other, and so do their trades. */
  const beginning = Effect.fnUntraced(function* (strategy: StrategyId, period: number) {
    if (period <= 1) return 0
    // Repeats the index's own condition: SQLite uses a partial index only then.
    const first = yield* ids.first(sql`SELECT id FROM trades
      WHERE strategy_id = ${strategy} AND period >= ${period} AND period > 1 ORDER BY period, id LIMIT 1`)
    return Option.match(first, { onNone: () => NEVER, onSome: ({ id }) => id })
  })

  const kept = new KeptResults.KeptResults()

  const results = Effect.fn("Trades.results")(function* (strategy: StrategyId, period: number) {
    const from = yield* beginning(strategy, period)
    const until = yield* beginning(strategy, period + 1)
    const key = `${strategy}/${period}`
    const known = kept.get(key, from - 1)
    const pages: Array<TradeResults.Page> = []
    for (let after = known.last; ; ) {
      const found = yield* orDie(TradeResults.page(sql, { strategy, after, until, limit: ROWS }))
      if (found === undefined) break
      pages.push(found)
      after = found.last
      if (found.at.length < ROWS) break
      yield* breathe
    }
    const all = KeptResults.joined(known, pages)
    if (all.at.length > 0) kept.keep(key, all)
    return all
  })

  const onMarket = Effect.fn("Trades.marks")(function* (
    strategy: StrategyId,
    market: MarketId,
    { from, limit, until }: { readonly from: number; readonly until: number; readonly limit: number }
  ) {
    const within = sql`strategy_id = ${strategy} AND market = ${marketKey(market)} AND at >= ${from} AND at < ${until}`
    const rows = yield* marks.all(sql`SELECT latest.at, orders.id AS "order",
      CASE WHEN ${text("intent", "part")} IS NULL THEN 0 ELSE 1 END AS "isPart",
      ${text("intent", "purpose")} AS purpose, ${text("fill", "side")} AS side,
      CAST(${text("fill", "price")} AS double precision) AS price, ${text("fill", "quantity")} AS quantity,
      ${text("intent", "exitReason")} AS "exitReason"
      FROM (SELECT id, at, fill FROM fills WHERE ${within} ORDER BY at DESC, id DESC LIMIT ${limit}) AS latest
      JOIN orders ON orders.id = ${orderOfFill} ORDER BY latest.at, latest.id`)
    const { count } = yield* counts.one(sql`SELECT count(*) AS count FROM fills WHERE ${within}`)
    return {
      rows: rows.map(({ exitReason, ...row }) => ({ ...row, exitReason: exitReason ?? undefined })),
      total: count
    }
  })

  return Trades.of({
    page,
    ...(yield* TradeSearch.make(({ order }) => COLUMNS[order])),
    after: Effect.fn("Trades.after")((strategy, id, limit) =>
      trades.all(sql`SELECT id, trade FROM trades WHERE strategy_id = ${strategy} AND id > ${id}
        ORDER BY id LIMIT ${limit}`)
    ),
    results,
    marks: onMarket
  })
})

export const layer = Layer.effect(Trades, make)
