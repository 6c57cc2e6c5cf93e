// The query parameters of the dashboard's reads, checked with all violations at once.
import type * as Either from "effect/Either"
import { DEFAULT_POINTS, MAX_POINTS } from "../../api/Charts.ts"
import { DIRECTIONS, STRATEGY_ORDERS, TRADE_ORDERS } from "../../api/Dashboard.ts"
import { MAX_LIMIT } from "../../api/shared/Paging.ts"
import { isPair, type MarketId } from "../../domain/Market.ts"
import { exchangeOf, exchangesText, type VenueList } from "../../domain/market/VenueList.ts"
import type { Violations } from "../../domain/requests/Violations.ts"
import type { Wanted } from "../../services/compare/Gathering.ts"
import type { ChartQuery } from "../../services/feeds/Charts.ts"
import { MAX_SHOWN, type RuleChartQuery } from "../../services/feeds/RuleCharts.ts"
import type { Search } from "../../services/records/StrategyPages.ts"
import type { Stretch } from "../../services/records/Trades.ts"
import { Parameters } from "./Parameters.ts"

export type Texts<Name extends string> = { readonly [_ in Name]?: string | undefined }
export type Read<A> = Either.Either<A, Violations>

const LEAST_POINTS = 10
const DEFAULT_LIMIT = 100
const MAX_OFFSET = 1_000_000_000
/** The longest search text, in UTF-16 units. */
const MAX_SEARCH = 255
/** Seconds; beyond the year 5000. */
export const MAX_TIME = 100_000_000_000

const DOWN = ["desc", "asc"] as const
const [FIRST_TRADES, ...OTHER_TRADES] = TRADE_ORDERS

const stretch = (query: Texts<"limit" | "offset">, parameters: Parameters) => ({
  limit: parameters.whole("limit", query.limit, 1, MAX_LIMIT) ?? DEFAULT_LIMIT,
  offset: parameters.whole("offset", query.offset, 0, MAX_OFFSET) ?? 0
})

/** Parses a search for strategies. */
export const search = (query: Texts<"search" | "sort" | "direction" | "limit" | "offset">): Read<Search> => {
  const parameters = new Parameters()
  const text = query.search ?? ""
  if (text.length > MAX_SEARCH || text.includes("\0"))
    parameters.refuse("search", `must be one text of at most ${MAX_SEARCH} characters`)
  return parameters.done({
    search: text,
    order: parameters.one("sort", query.sort, STRATEGY_ORDERS),
    direction: parameters.one("direction", query.direction, DIRECTIONS),
    ...stretch(query, parameters)
  })
}

/** The parameters of a page of trades. */
export type TradePage = Texts<"sort" | "direction" | "limit" | "offset">

/** Parses a page of trades. */
export const trades = (query: TradePage): Read<Stretch> => {
  const parameters = new Parameters()
  return parameters.done(tradePage(query, parameters))
}

/** Reads the parameters of a page of trades. */
export const tradePage = (query: TradePage, parameters: Parameters): Stretch => ({
  order: parameters.one("sort", query.sort, [FIRST_TRADES, ...OTHER_TRADES]),
  direction: parameters.one("direction", query.direction, DOWN),
  ...stretch(query, parameters)
})

const pointsIn = (text: string | undefined, parameters: Parameters): number =>
  parameters.whole("points", text, LEAST_POINTS, MAX_POINTS) ?? DEFAULT_POINTS

/** Parses the number of points of a curve. */
export const points = (query: Texts<"points">): Read<number> => {
  const parameters = new Parameters()
  return parameters.done(pointsIn(query.points, parameters))
}

/** Parses the range of a price chart. `to` includes its whole second. */
export const chart = (
  query: Texts<"exchange" | "pair" | "kind" | "from" | "to" | "points">,
  venues: VenueList
): Read<ChartQuery> => {
  const parameters = new Parameters()
  const market = marketIn(query, parameters, venues)
  const from = parameters.whole("from", query.from, 0, MAX_TIME)
  const to = parameters.whole("to", query.to, 0, MAX_TIME)
  if (from !== undefined && to !== undefined && from > to) parameters.refuse("from", "must not be after to")
  const most = pointsIn(query.points, parameters)
  if (market === undefined) return parameters.done<ChartQuery>(undefined)
  return parameters.done({
    market,
    from: from === undefined ? undefined : from * 1000,
    to: to === undefined ? undefined : to * 1000 + 999,
    points: most
  })
}

/** The highest number of a period. */
const MAX_PERIOD = 1_000_000_000

/** Parses the time and the period of a comparison. `to` includes its whole second. */
export const comparison = (query: Texts<"from" | "to" | "period">): Read<Wanted> => {
  const parameters = new Parameters()
  const from = parameters.whole("from", query.from, 0, MAX_TIME)
  const to = parameters.whole("to", query.to, 0, MAX_TIME)
  const period = parameters.whole("period", query.period, 1, MAX_PERIOD)
  if (from !== undefined && to !== undefined && from > to) parameters.refuse("from", "must not be after to")
  return parameters.done({
    ...(period === undefined ? {} : { period }),
    ...(from === undefined ? {} : { from: from * 1000 }),
    ...(to === undefined ? {} : { until: to * 1000 + 999 })
  })
}

/** The candles of a rule's chart that are shown by default, and the fewest. */
const USUAL_SHOWN = 300
const LEAST_SHOWN = 10

/** Parses the query of a rule's chart; without an exchange and a pair it is of the rule's first market. */
export const ruleChart = (
  query: Texts<"exchange" | "pair" | "kind" | "candles">,
  venues: VenueList
): Read<RuleChartQuery> => {
  const parameters = new Parameters()
  const isNamed = query.exchange !== undefined || query.pair !== undefined
  const market = isNamed ? marketIn(query, parameters, venues) : undefined
  const shown = parameters.whole("candles", query.candles, LEAST_SHOWN, MAX_SHOWN) ?? USUAL_SHOWN
  return parameters.read({ market, shown })
}

/** The market of a query. */
const marketIn = (
  query: Texts<"exchange" | "pair" | "kind">,
  parameters: Parameters,
  venues: VenueList
): MarketId | undefined => {
  const exchange = parameters.required(
    "exchange",
    query.exchange,
    (text) => exchangeOf(venues, text),
    exchangesText(venues)
  )
  const pair = parameters.required(
    "pair",
    query.pair,
    (text) => (isPair(text) ? text : undefined),
    "BASE/QUOTE in capitals"
  )
  const kind = parameters.one("kind", query.kind, ["spot", "swap"])
  return exchange === undefined || pair === undefined ? undefined : { exchange, pair, kind }
}
