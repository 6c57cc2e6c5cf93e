// The routes of the trades of all of an account's strategies. A download reads a few trades at a time, whatever their
// number.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Api } from "../../api/Api.ts"
import { Caller } from "../../api/shared/Security.ts"
import type { AccountId } from "../../domain/Account.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { TradeFilter } from "../../services/records/TradeSearch.ts"
import { Trades } from "../../services/records/Trades.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { refuse } from "../Problems.ts"
import * as TradesQuery from "../request/TradesQuery.ts"
import { accountTradesView } from "../views/AccountTrades.ts"
import * as Answers from "../views/Answers.ts"
import * as TradesCsv from "../views/TradesCsv.ts"

/** Trades of a download read at a time. */
const TRADES_AT_A_TIME = 1000

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "trades", (handlers) =>
  Effect.gen(function* () {
    const trades = yield* Trades
    const strategies = yield* StrategyStore

    const namesOf = (account: AccountId) =>
      Effect.map(
        strategies.followed(account),
        (all) => new Map<StrategyId, string>(all.map(({ strategy: { id, settings } }) => [id, settings.name]))
      )

    const list = Effect.fn("http.AllTrades.list")(function* (query: Parameters<typeof TradesQuery.page>[0]) {
      const { account } = yield* Caller
      const { filter, stretch } = yield* TradesQuery.page(query)
      const found = yield* trades.search(account, filter, stretch)
      const totals = yield* trades.totals(account, filter)
      const view = accountTradesView(found, totals, yield* namesOf(account))
      return Answers.json(JSON.stringify(view), 200)
    })

    const every = (account: AccountId, filter: TradeFilter) =>
      Stream.paginateEffect(0, (id) =>
        Effect.map(trades.searchAfter(account, filter, { id, limit: TRADES_AT_A_TIME }), (rows) => {
          const last = rows.length < TRADES_AT_A_TIME ? undefined : rows.at(-1)
          return [rows, Option.map(Option.fromNullable(last), ({ id }) => id)] as const
        })
      )

    const csv = Effect.fn("http.AllTrades.csv")(function* (query: TradesQuery.Filters) {
      const { account } = yield* Caller
      const filter = yield* TradesQuery.filter(query)
      const names = yield* namesOf(account)
      const lines = Stream.map(every(account, filter), (rows) => TradesCsv.linesOfAll(rows, names))
      return HttpServerResponse.stream(
        Stream.map(Stream.concat(Stream.make(TradesCsv.HEADER_OF_ALL), lines), (text) => utf8.encode(text)),
        {
          contentType: "text/csv; charset=utf-8",
          headers: { "content-disposition": 'attachment; filename="signalbox-trades.csv"' }
        }
      )
    })

    return handlers
      .handleRaw("list", ({ urlParams }) => refuse(list(urlParams)))
      .handleRaw("csv", ({ urlParams }) => refuse(csv(urlParams)))
  })
)

const utf8 = new TextEncoder()
