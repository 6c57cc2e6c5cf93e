// The routes of exchanges, markets and backups. Every account may read; only the operator may switch markets or write a
// backup.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import { Api } from "../../api/Api.ts"
import { exchangeView, marketView, type RefreshView } from "../../api/Operator.ts"
import type { ExchangeName, Market } from "../../domain/Market.ts"
import type { VenueList } from "../../domain/market/VenueList.ts"
import * as MarketRequest from "../../domain/requests/MarketRequest.ts"
import { Accounts } from "../../services/Accounts.ts"
import { Backups } from "../../services/Backups.ts"
import { MarketRefresher, type RefreshState } from "../../services/feeds/MarketRefresher.ts"
import { Venues } from "../../services/feeds/Venues.ts"
import { Markets } from "../../services/Markets.ts"
import { operatorOnly } from "../access/operatorOnly.ts"
import { refuse } from "../Problems.ts"
import { jsonOnly } from "../request/RecordBody.ts"
import { CurrentRequest } from "../request/Request.ts"

/** Lets the connection be quiet while a backup is written. */
const patience = Effect.map(CurrentRequest, ({ linger }) => linger(255))

/** The list of exchanges, beside the currencies of a server's venues. */
const listedBy =
  ({ quoteCurrencies }: VenueList) =>
  <A>(data: ReadonlyArray<A>) => ({ data, quote_currencies: quoteCurrencies })

/** The markets whose pair holds the letters: first those whose pair begins with them. */
const bestFirst = (markets: ReadonlyArray<Market>, search: string): ReadonlyArray<Market> => {
  const found = markets.filter(({ pair }) => pair.includes(search))
  const isFirst = ({ pair }: Market) => pair.startsWith(search)
  return [...found.filter(isFirst), ...found.filter((market) => !isFirst(market))]
}

const refreshView = (
  exchange: ExchangeName,
  { at, failure, notBefore, stage }: RefreshState
): RefreshView => ({
  exchange,
  stage,
  at,
  not_before: notBefore === undefined ? null : Math.ceil(notBefore),
  failure: failure ?? null
})

type Refresher = typeof MarketRefresher.Service

const refreshes = ({ isOn, states }: Refresher) =>
  Effect.map(states, (found) => ({
    is_on: isOn,
    data: [...found].map(([name, state]) => refreshView(name, state))
  }))

const refresh = Effect.fn("http.Operator.refresh")(function* (
  refresher: Refresher,
  venues: VenueList,
  request: HttpServerRequest.HttpServerRequest
) {
  const names = yield* MarketRequest.readRefresh((yield* jsonOnly(request)).fields, venues)
  yield* Effect.forEach(names, refresher.ask, { discard: true })
  return yield* refreshes(refresher)
})

const list = Effect.fn("http.Operator.markets")(function* (
  markets: typeof Markets.Service,
  venues: VenueList,
  query: MarketRequest.MarketQuery
) {
  const { exchange, limit, search } = yield* MarketRequest.readMarketQuery(query, venues)
  const catalogue = yield* markets.catalogue
  const names = exchange === undefined ? venues.exchanges : [exchange]
  const found = bestFirst(names.flatMap(catalogue.markets), search)
  return { data: found.slice(0, limit).map(marketView), total: found.length }
})

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "operator", (handlers) =>
  Effect.gen(function* () {
    const operator = operatorOnly(yield* Accounts)
    const markets = yield* Markets
    const backups = yield* Backups
    const venues = yield* Venues
    const refresher = yield* MarketRefresher

    const viewOf = Effect.fnUntraced(function* (name: ExchangeName) {
      const catalogue = yield* markets.catalogue
      const refreshes = yield* markets.refreshes
      return exchangeView(catalogue.exchange(name), {
        count: catalogue.markets(name).length,
        refreshedAt: refreshes.get(name),
        shippedOn: catalogue.shippedOn(name)
      })
    })

    const switchExchange = Effect.fn("http.Operator.switchExchange")(function* (
      request: HttpServerRequest.HttpServerRequest
    ) {
      yield* operator
      const { active, name } = yield* MarketRequest.readExchange((yield* jsonOnly(request)).fields, venues)
      yield* Effect.orDie(markets.switchExchange(name, active))
      return yield* viewOf(name)
    })
    const switchMarket = Effect.fn("http.Operator.switchMarket")(function* (
      request: HttpServerRequest.HttpServerRequest
    ) {
      yield* operator
      const { ids, switches } = yield* MarketRequest.readMarket((yield* jsonOnly(request)).fields, venues)
      const { market } = yield* markets.catalogue
      const known = ids.filter((id) => market(id)._tag === "Some")
      // If neither kind is known, the port rejects the first.
      const switched = yield* Effect.forEach(known.length > 0 ? known : ids, (id) =>
        markets.switchMarket(id, switches)
      )
      return { data: switched.map(marketView), total: switched.length }
    })

    return handlers
      .handle("exchanges", () => Effect.map(Effect.forEach(venues.exchanges, viewOf), listedBy(venues)))
      .handle("markets", ({ urlParams }) => refuse(list(markets, venues, urlParams)))
      .handleRaw("switchExchange", ({ request }) => refuse(switchExchange(request)))
      .handleRaw("switchMarket", ({ request }) => refuse(switchMarket(request)))
      .handle("refreshes", () => refuse(Effect.zipRight(operator, refreshes(refresher))))
      .handleRaw("refresh", ({ request }) =>
        refuse(Effect.zipRight(operator, refresh(refresher, venues, request)))
      )
      .handle("backup", () => refuse(Effect.all([operator, patience]).pipe(Effect.zipRight(backups.make))))
  })
)
