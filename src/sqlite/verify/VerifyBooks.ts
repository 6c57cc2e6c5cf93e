// Audits the books of each bot: state, ledger, fills and trades have to agree.
import type { Database } from "bun:sqlite"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as PortfolioRows from "../../sql/rows/PortfolioRows.ts"
import { audit } from "../../trading/audit/Audit.ts"
import type { Finding, Pause, Row } from "../../trading/audit/Books.ts"
import * as VerifyRows from "./VerifyRows.ts"

/** A fill's order; null where the fill is not even JSON. */
export const ORDER_OF_FILL = PortfolioRows.ORDER_OF_FILL.sqlite

const { columns } = PortfolioRows

/** Tables that are verified row by row anyway: an unreadable row is reported there. */
const TOLD = new Set(VerifyRows.looks.map(([table]) => table))

const Bot = Schema.Struct({ state: columns.state, tally: columns.tally })
const Made = Schema.Struct({ at: Schema.Int })
const Intent = Schema.Struct({ order: columns.order })
const Posted = Schema.Struct({ posting: columns.posting })
const Filled = Schema.Struct({ fill: columns.fill, order: Schema.Unknown })
const Traded = Schema.Struct({ trade: columns.trade })

const decodeOrder = Schema.decodeUnknownOption(columns.order)

/** Audits one bot, row by row. An unreadable row is a finding, and left out of the books. */
export function* audited(database: Database, strategy: number): Generator<Finding | Pause> {
  const spoiled: Array<Finding> = []
  const read = <A, I, B>(table: string, schema: Schema.Schema<A, I>, of: (row: A) => B, sql: string) =>
    readable(database.query(sql).iterate(strategy), schema, of, (row) => {
      if (!TOLD.has(table))
        spoiled.push({ table, row, text: "it is not what a row of this table looks like" })
    })
  const [bot] = read(
    "bots",
    Bot,
    (row) => row,
    "SELECT strategy_id AS id, state, tally FROM bots WHERE strategy_id = ?"
  )
  const [createdAt] = read(
    "strategies",
    Made,
    ({ at }) => at * 1000,
    "SELECT id, created_at AS at FROM strategies WHERE id = ?"
  )
  const inFlight = read(
    "orders",
    Intent,
    ({ order }) => [order.id, order] as const,
    `SELECT sequence AS id, intent AS "order" FROM orders
      WHERE strategy_id = ? AND status IN ('intended', 'accepted', 'unknown', 'partly_filled')`
  )
  yield* audit({
    bot: bot?.value,
    createdAt: createdAt?.value,
    inFlight: new Map([...inFlight].map(({ value }) => value)),
    postings: read(
      "ledger",
      Posted,
      ({ posting }) => posting,
      "SELECT id, posting FROM ledger WHERE strategy_id = ? ORDER BY id"
    ),
    fills: read(
      "fills",
      Filled,
      ({ fill, order }) => ({ fill, order: Option.getOrUndefined(decodeOrder(order)) }),
      `SELECT fills.id, fill, intent AS "order" FROM fills
        LEFT JOIN orders ON orders.id = ${ORDER_OF_FILL} AND orders.strategy_id = fills.strategy_id
        WHERE fills.strategy_id = ? ORDER BY fills.id`
    ),
    trades: read(
      "trades",
      Traded,
      ({ trade }) => trade,
      "SELECT id, trade FROM trades WHERE strategy_id = ? ORDER BY id"
    )
  })
  yield* spoiled
}

const idOf = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))

function* readable<A, I, B>(
  rows: Iterable<unknown>,
  schema: Schema.Schema<A, I>,
  of: (row: A) => B,
  spoiled: (id: number) => void
): Generator<Row<B>> {
  const decode = Schema.decodeUnknownEither(schema)
  for (const row of rows) {
    const { id } = idOf(row)
    const decoded = decode(row)
    if (Either.isLeft(decoded)) spoiled(id)
    else yield { id, value: of(decoded.right) }
  }
}
