// The contract of the completed trades of all of an account's strategies: a list that is filtered, sorted and paged on
// the server, and the same trades as a CSV file.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { StrategyId } from "../domain/StrategyId.ts"
import { Offset, OwnTradeView, TRADE_ORDERS } from "./Dashboard.ts"
import { parameter } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"

/** The words of filters. */
export const TRADE_RESULTS = ["win", "loss"] as const
export const TRADE_MODES = ["paper", "live"] as const

/** A completed trade of one of the account's strategies. */
export const AccountTradeView = Schema.Struct({
  ...OwnTradeView.fields,
  strategy_id: StrategyId,
  strategy_name: Schema.NullOr(Schema.String).annotations({ description: "null where it was deleted" }),
  currency: Schema.String.annotations({ description: "of all amounts of money" })
}).annotations({ identifier: "AccountTrade", description: "A trade, with the strategy that made it." })
export type AccountTradeView = typeof AccountTradeView.Type

/** The sum of the trades that the filters find, in one currency. Paper and real money are never added up. */
const TotalView = Schema.Struct({
  currency: Schema.String,
  live: Schema.Boolean,
  trades: Schema.Int,
  wins: Schema.Int.annotations({ description: "trades with a net profit" }),
  pnl: Schema.Number.annotations({ description: "net of fees" })
}).annotations({
  identifier: "TradeTotal",
  description: "A sum of trades in one currency, on paper or live."
})

/** A page of trades, the number of all that the filters find, and their sums. */
export const AccountTradeList = Schema.Struct({
  data: Schema.Array(AccountTradeView),
  total: Schema.Int,
  totals: Schema.Array(TotalView)
})
export type AccountTradeList = typeof AccountTradeList.Type

const filters = {
  strategy_id: parameter("only of this strategy, which may be deleted"),
  pair: parameter("only of pairs that contain this text, such as BTC/USDT or BTC"),
  side: parameter("only long or short"),
  exit_reason: parameter("only trades whose last exit had this reason"),
  result: parameter(`one of ${TRADE_RESULTS.join(", ")}: only with a net profit, or only with a net loss`),
  from: parameter("only closed at this time or later, seconds since the Unix epoch"),
  to: parameter("only closed in this second or earlier, seconds since the Unix epoch"),
  mode: parameter(`one of ${TRADE_MODES.join(", ")}: only on paper, or only with real money`)
}

const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export const AllTrades = HttpApiGroup.make("trades")
  .add(
    HttpApiEndpoint.get("list", "/v1/dashboard/trades")
      .setUrlParams(
        Schema.Struct({
          ...filters,
          sort: parameter(`one of ${TRADE_ORDERS.join(", ")}; closed_at where it is left out`),
          direction: parameter("asc or desc; desc where it is left out"),
          ...Offset
        })
      )
      .addSuccess(AccountTradeList)
      .addError(Problems.Unprocessable)
      .annotateContext(
        words("List the completed trades of all strategies", "Also of deleted ones. Sorted on the server.")
      )
  )
  .add(
    HttpApiEndpoint.get("csv", "/v1/dashboard/trades.csv")
      .setUrlParams(Schema.Struct(filters))
      .addSuccess(HttpApiSchema.Text({ contentType: "text/csv" }))
      .addError(Problems.Unprocessable)
      .annotateContext(
        words("Download the trades that the filters find", "All of them, oldest first, as CSV.")
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "dashboard" }))
  .annotateContext(
    OpenApi.annotations({
      title: "Trades",
      description: "The completed trades of all of an account's strategies; it may change with any version."
    })
  )
