// The exchanges and markets of a database that is only read: the shipped ones with the refreshes and switches in it.
import type { Database } from "bun:sqlite"
import * as Schema from "effect/Schema"
import { lazily } from "../../domain/internal/Lazily.ts"
import { catalogueOf } from "../../services/feeds/MemoryMarkets.ts"
import type { Catalogue } from "../../services/Markets.ts"
import * as CatalogueRows from "../../sql/rows/CatalogueRows.ts"
import * as SwitchRows from "../../sql/rows/SwitchRows.ts"

const refreshes = lazily(() => Schema.decodeUnknownSync(Schema.Array(CatalogueRows.refreshRows.schema)))
const markets = lazily(() => Schema.decodeUnknownSync(Schema.Array(CatalogueRows.marketRows.schema)))
const exchangeSwitches = lazily(() => Schema.decodeUnknownSync(Schema.Array(SwitchRows.exchangeRows.schema)))
const marketSwitches = lazily(() => Schema.decodeUnknownSync(Schema.Array(SwitchRows.marketRows.schema)))

/** The catalogue as a server on this database has it. */
export const catalogue = (database: Database): Catalogue => {
  const renewed = refreshes(database.query(CatalogueRows.REFRESHES).all()).map((refresh) => {
    const rows = markets(
      database.query(`${CatalogueRows.MARKETS} WHERE exchange = ? ORDER BY kind, pair`).all(refresh.exchange)
    )
    return [refresh.exchange, CatalogueRows.shelfFrom(refresh, rows)] as const
  })
  return catalogueOf(
    SwitchRows.switchesFrom(
      exchangeSwitches(database.query(SwitchRows.EXCHANGES).all()),
      marketSwitches(database.query(SwitchRows.MARKETS).all())
    ),
    new Map(renewed)
  )
}
