// Exchanges' refreshed catalogues as rows.
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

const refreshRows = Rows.reader(
  Schema.Struct({
    exchange: ExchangeName,
    number: Schema.Int,
    ...Schema.Struct(Exchange.fields).pick("makerFeePercent", "takerFeePercent").fields
  })
)
const marketRows = Rows.reader(
  Schema.Struct({ ...Market.fields, active: Rows.Bit }).pipe(Schema.omit("buyEnabled"))
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
    const refreshes =
      yield* refreshRows.all(sql`SELECT exchange, number, maker_fee_percent AS "makerFeePercent",
      taker_fee_percent AS "takerFeePercent" FROM market_refreshes`)
    for (const { exchange: name, number, ...fees } of refreshes) {
      if (kept.get(name)?.number === number) continue
      const rows = yield* marketRows.all(sql`SELECT exchange, pair, kind, active, price_step AS "priceStep",
        amount_step AS "amountStep", min_amount AS "minAmount", min_cost AS "minCost"
        FROM refreshed_markets WHERE exchange = ${name} ORDER BY kind, pair`)
      const markets = rows.map((row): Market => ({ ...row, buyEnabled: true }))
      kept.set(name, { number, shelf: shelfOf(name, { name, active: true, ...fees }, markets) })
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
