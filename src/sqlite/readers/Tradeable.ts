// What decides whether strategies could buy now: for the doctor, from a database at rest or served, which is only read.
import type { Database } from "bun:sqlite"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { BotState } from "../../domain/Bot.ts"
import { Fill } from "../../domain/Fill.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { isKnownExchange, type KnownExchange, marketKey } from "../../domain/Market.ts"
import type { Settings } from "../../domain/Strategy.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import type { Catalogue } from "../../services/Markets.ts"
import { columns } from "../../sql/rows/PortfolioRows.ts"
import * as Rows from "../../sql/rows/Rows.ts"
import * as StrategyRows from "../../sql/rows/StrategyRows.ts"
import * as StoredMarkets from "./StoredMarkets.ts"

/** A row of `STRATEGIES`. */
export const Row = Schema.Struct({
  id: StrategyId,
  account: Schema.String,
  settings: Schema.String,
  signalId: Schema.NullOr(Schema.Int),
  signalActive: Rows.Bit,
  halted: Rows.Bit,
  state: Schema.NullOr(Schema.String)
})

/** A strategy and its bot. `settings` and `state` are none where this program cannot read them. */
export interface Tradeable extends Omit<typeof Row.Type, "settings" | "state"> {
  readonly settings: Option.Option<Settings>
  /** Undefined where no alert has reached the strategy yet: its bot starts with the first. */
  readonly state: Option.Option<BotState> | undefined
}

/** All strategies, the markets as a server here has them, and the newest price of each that something was traded at. */
export interface Facts {
  readonly strategies: ReadonlyArray<Tradeable>
  readonly catalogue: Catalogue
  readonly prices: ReadonlyMap<string, number>
}

/** The first version that has halts. */
export const SINCE = 8

export const read = (database: Database): Facts =>
  factsOf({
    strategies: rows(database.query(STRATEGIES).all()),
    fills: fills(database.query(FILLS).all()),
    catalogue: StoredMarkets.catalogue(database)
  })

/** The facts of the rows of a database. */
export const factsOf = ({
  catalogue,
  fills,
  strategies
}: {
  readonly strategies: ReadonlyArray<typeof Row.Type>
  readonly fills: ReadonlyArray<typeof FillRow.Type>
  readonly catalogue: Catalogue
}): Facts => ({
  strategies: strategies.map((row) => ({
    ...row,
    settings: StrategyRows.decode(row.settings),
    state: row.state === null ? undefined : stateOf(row.state)
  })),
  catalogue,
  prices: pricesIn(fills)
})

/** The exchanges that active strategies trade on. */
export const exchangesOf = ({ strategies }: Pick<Facts, "strategies">): ReadonlyArray<KnownExchange> => [
  ...new Set(
    strategies
      .flatMap(({ settings }) => Option.toArray(settings))
      .filter(({ active }) => active)
      .flatMap(({ exchanges }) => exchanges.map(({ exchange }) => exchange))
      .filter(isKnownExchange)
  )
]

/** The query for all strategies with their bots. */
export const STRATEGIES = `SELECT strategies.id, accounts.name AS account, strategies.settings,
  strategies.signal_id AS "signalId", coalesce(signals.active, 0) AS "signalActive",
  CASE WHEN EXISTS (SELECT 1 FROM halts WHERE halts.account IN (0, strategies.account)) THEN 1 ELSE 0 END AS halted, bots.state
  FROM strategies JOIN accounts ON accounts.id = strategies.account
  LEFT JOIN signals ON signals.id = strategies.signal_id
  LEFT JOIN bots ON bots.strategy_id = strategies.id ORDER BY strategies.id`
const rows = lazily(() => Schema.decodeUnknownSync(Schema.Array(Row)))
const stateOf = lazily(() => Schema.decodeUnknownOption(columns.state))

/** The newest fills; a market without one among them counts as one without a price. */
export const FILLS = "SELECT fill FROM fills ORDER BY id DESC LIMIT 1000"
/** A row of `FILLS`. */
export const FillRow = Schema.Struct({
  fill: Schema.parseJson(Fill.pipe(Schema.pick("exchange", "pair", "kind", "price")))
})
const fills = lazily(() => Schema.decodeUnknownSync(Schema.Array(FillRow)))

const pricesIn = (newestFirst: ReadonlyArray<typeof FillRow.Type>): ReadonlyMap<string, number> =>
  new Map(newestFirst.toReversed().map(({ fill }) => [marketKey(fill), fill.price]))
