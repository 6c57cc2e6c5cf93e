// Exchanges' refreshed catalogues as rows. The statements and `shelfFrom` also serve a reader without a client.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Shelf } from "../../domain/catalogue/Catalogue.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { Exchange, ExchangeName, Market, type MarketId } from "../../domain/Market.ts"
import type { CatalogueRefresh } from "../../domain/market/CatalogueRefresh.ts"
import { type Renewed, shelfOf } from "../../services/feeds/MemoryMarkets.ts"
import * as Insert from "./Insert.ts"
import * as Rows from "./Rows.ts"

export const refreshRows = Rows.reader(
  Schema.Struct({
    exchange: ExchangeName,
    number: Schema.Int,
    ...Schema.Struct(Exchange.fields).pick("makerFeePercent", "takerFeePercent").fields
  })
)
export const marketRows = Rows.reader(
  Schema.Struct({ ...Market.fields, active: Rows.Bit }).pipe(Schema.omit("buyEnabled"))
)

export const REFRESHES = `SELECT exchange, number, maker_fee_percent AS "makerFeePercent",
  taker_fee_percent AS "takerFeePercent" FROM market_refreshes`
/** The refreshed markets, before a WHERE. */
export const MARKETS = `SELECT exchange, pair, kind, active, price_step AS "priceStep", amount_step AS "amountStep",
  min_amount AS "minAmount", min_cost AS "minCost" FROM refreshed_markets`

/** The catalogue of one exchange as a refresh left it, without switches. */
export const shelfFrom = (
  { makerFeePercent, exchange: name, takerFeePercent }: typeof refreshRows.schema.Type,
  rows: ReadonlyArray<typeof marketRows.schema.Type>
): Shelf =>
  shelfOf(
    name,
    { name, active: true, makerFeePercent, takerFeePercent },
    rows.map((row) => ({ ...row, buyEnabled: true }))
  )

const insertMarkets = Insert.into(
  "refreshed_markets (exchange, pair, kind, active, price_step, amount_step, min_amount, min_cost)",
  8,
  "exchange, pair, kind"
)

/** Makes the reads and writes. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const kept = new Map<ExchangeName, { readonly number: number; readonly shelf: Shelf }>()

  /** Reads thousands of rows again only for exchanges refreshed since. */
  const load: Effect.Effect<Renewed> = Effect.gen(function* () {
    for (const refresh of yield* refreshRows.all(sql.unsafe(REFRESHES))) {
      const { exchange: name, number } = refresh
      if (kept.get(name)?.number === number) continue
      const rows = yield* marketRows.all(
        sql`${sql.literal(MARKETS)} WHERE exchange = ${name} ORDER BY kind, pair`
      )
      kept.set(name, { number, shelf: shelfFrom(refresh, rows) })
    }
    return new Map(Array.from(kept, ([name, { shelf }]) => [name, shelf]))
  })

  /** Writes a refresh within the caller's transaction. */
  const write = Effect.fn("CatalogueRows.write")(function* ({ exchange, markets }: CatalogueRefresh) {
    const { makerFeePercent: maker, name, takerFeePercent: taker } = exchange
    const now = yield* Rows.nowSeconds
    yield* sql`INSERT INTO market_refreshes (exchange, number, at, maker_fee_percent, taker_fee_percent)
      VALUES (${name}, 1, ${now}, ${Decimal.toText(maker)}, ${Decimal.toText(taker)})
      ON CONFLICT (exchange) DO UPDATE SET number = market_refreshes.number + 1, at = excluded.at,
        maker_fee_percent = excluded.maker_fee_percent, taker_fee_percent = excluded.taker_fee_percent`
    yield* Effect.all(insertMarkets(sql, markets.map(rowOf)), { discard: true })
  })

  return { load, write }
})

const rowOf = (market: Market): Insert.Row => [
  ...idOf(market),
  Rows.bit(market.active),
  ...[market.priceStep, market.amountStep, market.minAmount, market.minCost].map(Decimal.toText)
]

const idOf = ({ exchange, kind, pair }: MarketId) => [exchange, pair, kind]
