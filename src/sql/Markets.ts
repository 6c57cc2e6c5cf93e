// The stored layer of exchanges and markets: a cached catalogue, rebuilt after a switch or a refresh by any process.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Shipped from "../domain/catalogue/Catalogue.ts"
import { EXCHANGE_NAMES, ExchangeName, type MarketId, MarketNotFound } from "../domain/Market.ts"
import * as CatalogueRefresh from "../domain/market/CatalogueRefresh.ts"
import type { Listing } from "../domain/market/Listing.ts"
import { catalogueOf } from "../services/feeds/MemoryMarkets.ts"
import { type MarketSwitches, Markets } from "../services/Markets.ts"
import * as Cache from "./client/Cache.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Dialect from "./Dialect.ts"
import * as CatalogueRows from "./rows/CatalogueRows.ts"
import * as Rows from "./rows/Rows.ts"
import * as SwitchRows from "./rows/SwitchRows.ts"

const refreshRows = Rows.reader(Schema.Struct({ exchange: ExchangeName, at: Schema.Int }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const shelves = yield* CatalogueRows.make

  const load = Effect.gen(function* () {
    const exchanges = yield* SwitchRows.exchangeRows.all(sql.unsafe(SwitchRows.EXCHANGES))
    const markets = yield* SwitchRows.marketRows.all(sql.unsafe(SwitchRows.MARKETS))
    return catalogueOf(SwitchRows.switchesFrom(exchanges, markets), yield* shelves.load)
  })
  const known = yield* Cache.make(1, (_: "now") => load)
  const catalogue = Effect.filterOrElse(known.get("now"), Predicate.isNotUndefined, () => load)

  const switchExchange = Effect.fn("Markets.switchExchange")(function* (name: ExchangeName, active: boolean) {
    yield* orDie(sql`INSERT INTO exchange_switches (exchange, active) VALUES (${name}, ${Rows.bit(active)})
      ON CONFLICT (exchange) DO UPDATE SET active = excluded.active`)
    known.drop()
    return (yield* catalogue).exchange(name)
  })

  const switchMarket = Effect.fn("Markets.switchMarket")(function* (id: MarketId, switches: MarketSwitches) {
    if (Option.isNone((yield* catalogue).market(id))) return yield* new MarketNotFound(id)
    const [active, buyEnabled] = [bitOrNull(switches.active), bitOrNull(switches.buyEnabled)]
    yield* orDie(sql`INSERT INTO market_switches (exchange, pair, kind, active, buy_enabled)
      VALUES (${id.exchange}, ${id.pair}, ${id.kind}, coalesce(${active}, 1), coalesce(${buyEnabled}, 1))
      ON CONFLICT (exchange, pair, kind) DO UPDATE SET
        active = coalesce(${active}, market_switches.active),
        buy_enabled = coalesce(${buyEnabled}, market_switches.buy_enabled)`)
    known.drop()
    return yield* Effect.orDie((yield* catalogue).market(id))
  })

  const renew = Effect.fn("Markets.renew")(
    function* (listing: Listing) {
      yield* Dialect.inTurn(sql, "market_refreshes", listing.exchange)
      const shelf = (yield* shelves.load).get(listing.exchange) ?? Shipped.shelf(listing.exchange)
      const renewal = yield* CatalogueRefresh.renew(shelf, listing)
      yield* shelves.write(renewal)
      known.drop()
      return renewal.report
    },
    sql.withTransaction,
    orDie
  )

  return Markets.of({
    catalogue,
    exchanges: Effect.map(catalogue, ({ exchange }) => EXCHANGE_NAMES.map(exchange)),
    list: Effect.fn("Markets.list")((exchange: ExchangeName) =>
      Effect.map(catalogue, ({ markets }) => markets(exchange))
    ),
    switchExchange,
    switchMarket,
    refreshes: Effect.map(
      refreshRows.all(sql`SELECT exchange, at FROM market_refreshes`),
      (rows) => new Map(rows.map(({ at, exchange }) => [exchange, at]))
    ),
    renew
  })
})

const bitOrNull = (flag: boolean | undefined) => (flag === undefined ? null : Rows.bit(flag))

export const layer = Layer.scoped(Markets, make)
