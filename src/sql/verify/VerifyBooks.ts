// Audits the books of each bot: state, ledger, fills and trades have to agree.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { audit } from "../../trading/audit/Audit.ts"
import { type Finding, PAUSE, type Pause, type Row } from "../../trading/audit/Books.ts"
import { columns, ORDER_OF_FILL } from "../rows/PortfolioRows.ts"
import * as RowDecoder from "./RowDecoder.ts"
import { all, first, type Source } from "./Source.ts"
import * as VerifyRows from "./VerifyRows.ts"

/** Tables that are verified row by row anyway: an unreadable row is reported there. */
const REPORTED = new Set(VerifyRows.looks.map(([table]) => table))

const Bot = Schema.Struct({ state: columns.state, tally: columns.tally })
const Made = Schema.Struct({ at: Schema.Int })
const Intent = Schema.Struct({ order: columns.order })
const Posted = Schema.Struct({ posting: columns.posting })
const Filled = Schema.Struct({ fill: columns.fill, order: Schema.Unknown })
const Traded = Schema.Struct({ trade: columns.trade })

const decodeOrder = RowDecoder.make(columns.order)

const fillsOf = (dialect: Source["dialect"]) => `SELECT fills.id, fill, intent AS "order" FROM fills
  LEFT JOIN orders ON orders.id = ${ORDER_OF_FILL[dialect]} AND orders.strategy_id = fills.strategy_id
  WHERE fills.strategy_id = ? ORDER BY fills.id`

/** Audits one bot, row by row. An unreadable row is a finding, and left out of the books. */
export function* audited(source: Source, strategy: number): Generator<Finding | Pause> {
  const spoiled: Array<Finding> = []
  const read = <A, I, B>(table: string, schema: Schema.Schema<A, I>, of: (row: A) => B, sql: string) =>
    readable(source.rows(sql, strategy), schema, of, (row) => {
      if (!REPORTED.has(table))
        spoiled.push({ table, row, text: "it is not what a row of this table looks like" })
    })
  const bot = yield* first(
    read("bots", Bot, (row) => row, "SELECT strategy_id AS id, state, tally FROM bots WHERE strategy_id = ?")
  )
  const createdAt = yield* first(
    read(
      "strategies",
      Made,
      ({ at }) => at * 1000,
      "SELECT id, created_at AS at FROM strategies WHERE id = ?"
    )
  )
  const inFlight = yield* all(
    read(
      "orders",
      Intent,
      ({ order }) => [order.id, order] as const,
      `SELECT sequence AS id, intent AS "order" FROM orders
        WHERE strategy_id = ? AND status IN ('intended', 'accepted', 'unknown', 'partly_filled')`
    )
  )
  yield* audit({
    bot: bot?.value,
    createdAt: createdAt?.value,
    inFlight: new Map(inFlight.map(({ value }) => value)),
    postings: read(
      "ledger",
      Posted,
      ({ posting }) => posting,
      "SELECT id, posting FROM ledger WHERE strategy_id = ? ORDER BY id"
    ),
    fills: read(
      "fills",
      Filled,
      ({ fill, order }) => ({ fill, order: Either.getOrUndefined(decodeOrder(order)) }),
      fillsOf(source.dialect)
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

const decodeId = RowDecoder.make(Schema.Struct({ id: Schema.Int }))

function* readable<A, I, B>(
  rows: Iterable<unknown>,
  schema: Schema.Schema<A, I>,
  of: (row: A) => B,
  spoiled: (id: number) => void
): Generator<Row<B> | Pause> {
  const decode = RowDecoder.make(schema)
  for (const row of rows) {
    if (row === PAUSE) {
      yield PAUSE
      continue
    }
    const { id } = Either.getOrThrow(decodeId(row))
    const decoded = decode(row)
    if (Either.isLeft(decoded)) spoiled(id)
    else yield { id, value: of(decoded.right) }
  }
}
