// Requests of the operator to list markets and to switch exchanges and markets on or off.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type ExchangeName, isPair, type MarketId, MarketKind } from "../Market.ts"
import { exchangeOf, exchangesText, INTERFACE, type VenueList } from "../market/VenueList.ts"
import type { Fields } from "./Form.ts"
import { type Violation, Violations, violation } from "./Violations.ts"

/** The query parameters of a list of markets. */
export interface MarketQuery {
  readonly exchange?: string | ReadonlyArray<string> | undefined
  readonly search?: string | ReadonlyArray<string> | undefined
  readonly limit?: string | ReadonlyArray<string> | undefined
}

/** The default number of markets in one answer. */
export const USUAL_LIMIT = 100
/** The most markets in one answer. */
export const MAX_LIMIT = 500
const MAX_SEARCH = 41

const unknown = (venues: VenueList) => `must be ${exchangesText(venues)}`

const settled = <A>(violations: ReadonlyArray<Violation>, value: A): Either.Either<A, Violations> =>
  violations.length > 0 ? Either.left(Violations.of(violations)) : Either.right(value)

/** The query, or all its violations. An empty parameter counts as absent. */
export const readMarketQuery = (
  { exchange = "", limit = "", search = "" }: MarketQuery,
  venues: VenueList = INTERFACE
) => {
  const violations: Array<Violation> = []
  const name = exchangeOf(venues, exchange)
  if (exchange !== "" && name === undefined) violations.push(violation("exchange", unknown(venues)))
  if (typeof search !== "string" || search.length > MAX_SEARCH)
    violations.push(violation("search", `must be a text of at most ${MAX_SEARCH} characters`))
  const most = limit === "" ? USUAL_LIMIT : /^[1-9]\d{0,2}$/.test(String(limit)) ? Number(limit) : 0
  if (most < 1 || most > MAX_LIMIT)
    violations.push(violation("limit", `must be a whole number from 1 to ${MAX_LIMIT}`))
  return settled(violations, {
    exchange: name,
    search: String(search).trim().toUpperCase(),
    limit: most
  })
}

/** The exchange and its switch, or all violations. */
export const readExchange = (
  { active, name: written }: Fields,
  venues: VenueList = INTERFACE
): Either.Either<{ readonly name: ExchangeName; readonly active: boolean }, Violations> => {
  const name = exchangeOf(venues, written)
  const violations: Array<Violation> = []
  if (name === undefined) violations.push(violation("name", unknown(venues)))
  if (typeof active !== "boolean") violations.push(violation("active", "must be true or false"))
  return name !== undefined && typeof active === "boolean"
    ? Either.right({ name, active })
    : Either.left(Violations.of(violations))
}

const isKind = Schema.is(MarketKind)
const isSwitch = (value: unknown): value is boolean | undefined =>
  value === undefined || typeof value === "boolean"

/** The markets to switch, spot first, and their switches. */
export interface MarketSwitch {
  readonly ids: ReadonlyArray<MarketId>
  readonly switches: { readonly active?: boolean; readonly buyEnabled?: boolean }
}

/** The markets and switches, or all violations. Without a kind both markets of the pair are meant. */
export const readMarket = (
  fields: Fields,
  venues: VenueList = INTERFACE
): Either.Either<MarketSwitch, Violations> => {
  const { active, buy_enabled: buyEnabled, kind } = fields
  const exchange = exchangeOf(venues, fields["exchange"])
  const pair = typeof fields["pair"] === "string" ? fields["pair"].toUpperCase() : ""
  const violations: Array<Violation> = []
  if (exchange === undefined) violations.push(violation("exchange", unknown(venues)))
  if (!isPair(pair)) violations.push(violation("pair", "must be a pair like BTC/USDT"))
  if (kind !== undefined && !isKind(kind)) violations.push(violation("kind", "must be spot or swap"))
  if (!isSwitch(active)) violations.push(violation("active", "must be true or false"))
  if (!isSwitch(buyEnabled)) violations.push(violation("buy_enabled", "must be true or false"))
  if (active === undefined && buyEnabled === undefined)
    violations.push(violation("active", "is required, or buy_enabled"))
  if (violations.length > 0 || exchange === undefined || !isPair(pair))
    return Either.left(Violations.of(violations))
  const kinds = isKind(kind) ? [kind] : (["spot", "swap"] as const)
  return Either.right({
    ids: kinds.map((kind) => ({ exchange, pair, kind })),
    switches: {
      ...(typeof active === "boolean" ? { active } : {}),
      ...(typeof buyEnabled === "boolean" ? { buyEnabled } : {})
    }
  })
}

/** The exchanges to refresh: the named one, or all of the venues. */
export const readRefresh = (
  { exchange: written }: Fields,
  venues: VenueList = INTERFACE
): Either.Either<ReadonlyArray<ExchangeName>, Violations> => {
  if (written === undefined) return Either.right(venues.exchanges)
  const name = exchangeOf(venues, written)
  return name === undefined
    ? Either.left(Violations.of([violation("exchange", unknown(venues))]))
    : Either.right([name])
}
