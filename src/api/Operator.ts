// The contract of what belongs to the machine and not to one account: exchanges, markets and backups. Everybody may
// read, only the operator may change.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import * as Decimal from "../domain/Decimal.ts"
import { type Exchange, ExchangeName, type Market, MarketKind } from "../domain/Market.ts"
import { MAX_LIMIT, USUAL_LIMIT } from "../domain/requests/MarketRequest.ts"
import { moment } from "./shared/Moment.ts"
import { BACKUP_PATH } from "./shared/Paths.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"

const active = (what: string) =>
  Schema.Boolean.annotations({ description: `whether new and changed strategies may name ${what}` })

const ExchangeView = Schema.Struct({
  name: ExchangeName,
  active: active("it"),
  maker_fee: Schema.Number.annotations({ description: "percent, where a strategy does not say otherwise" }),
  taker_fee: Schema.Number.annotations({ description: "percent, where a strategy does not say otherwise" }),
  markets: Schema.Int.annotations({ description: "the number of known markets" }),
  refreshed_at: Schema.NullOr(Schema.Int).annotations({
    description:
      "when it was last asked for its markets, seconds since the Unix epoch; null where they are as they were shipped"
  }),
  shipped_on: Schema.NullOr(Schema.String).annotations({
    description: "the day of the list that the program ships, like 2026-11-20; null where it ships none"
  })
}).annotations({ identifier: "Exchange", description: "An exchange, with its switch and its default fees." })
export type ExchangeView = typeof ExchangeView.Type

/** The list of an exchange's markets. */
export interface ListedMarkets {
  readonly count: number
  /** When the exchange was last asked for it (seconds); undefined if never. */
  readonly refreshedAt: number | undefined
  /** The day of the list that the program ships; undefined where it ships none. */
  readonly shippedOn: string | undefined
}

export const exchangeView = (
  { active, makerFeePercent, name, takerFeePercent }: Exchange,
  { count, refreshedAt, shippedOn }: ListedMarkets
): ExchangeView => ({
  name,
  active,
  maker_fee: Decimal.toNumber(makerFeePercent),
  taker_fee: Decimal.toNumber(takerFeePercent),
  markets: count,
  refreshed_at: refreshedAt ?? null,
  shipped_on: shippedOn ?? null
})

const MarketView = Schema.Struct({
  exchange: ExchangeName,
  pair: Schema.String,
  kind: MarketKind,
  active: active("it"),
  buy_enabled: Schema.Boolean.annotations({ description: "whether bots may open positions on it" }),
  price_step: Schema.Number,
  amount_step: Schema.Number,
  min_amount: Schema.Number,
  min_cost: Schema.Number
}).annotations({ identifier: "Market", description: "A market, with its switches, steps and minimums." })
export type MarketView = typeof MarketView.Type

export const marketView = (market: Market): MarketView => ({
  exchange: market.exchange,
  pair: market.pair,
  kind: market.kind,
  active: market.active,
  buy_enabled: market.buyEnabled,
  price_step: Decimal.toNumber(market.priceStep),
  amount_step: Decimal.toNumber(market.amountStep),
  min_amount: Decimal.toNumber(market.minAmount),
  min_cost: Decimal.toNumber(market.minCost)
})

const ExchangeList = Schema.Struct({
  data: Schema.Array(ExchangeView),
  quote_currencies: Schema.Array(Schema.String).annotations({
    description: "the currencies that a strategy's balance may be counted in"
  })
}).annotations({
  identifier: "ExchangeList",
  description: "The exchanges."
})
export const MarketList = Schema.Struct({
  data: Schema.Array(MarketView),
  total: Schema.Int.annotations({ description: "the total number; `data` may hold only the first ones" })
}).annotations({ identifier: "MarketList", description: "Markets." })

const Repeatable = Schema.Union(Schema.String, Schema.Array(Schema.String))
const text = (description: string) =>
  Schema.optional(Repeatable).annotations({ description, jsonSchema: { type: "string" } })

const ExchangeSwitch = Schema.Struct({ name: ExchangeName, active: active("it") }).annotations({
  identifier: "ExchangeSwitch"
})
const MarketSwitch = Schema.Struct({
  exchange: ExchangeName,
  pair: Schema.String.annotations({ description: "like BTC/USDT" }),
  kind: Schema.optional(MarketKind).annotations({ description: "both kinds of the pair where left out" }),
  active: Schema.optional(active("it")),
  buy_enabled: Schema.optional(Schema.Boolean).annotations({
    description: "whether bots may open positions on it"
  })
}).annotations({ identifier: "MarketSwitch" })

const Backup = Schema.Struct({
  file: Schema.String.annotations({ description: "its name in the folder `backups` beside the database" }),
  bytes: Schema.Int,
  seconds: Schema.Number.annotations({ description: "the duration" })
}).annotations({ identifier: "Backup", description: "A copy of the database that is written and verified." })

const RefreshView = Schema.Struct({
  exchange: ExchangeName,
  stage: Schema.Literal("waiting", "running", "done", "failed").annotations({
    description: "waiting for its turn, running, or how it ended"
  }),
  at: moment("since when"),
  not_before: Schema.NullOr(Schema.Int).annotations({
    description:
      "the exchange is not asked again before this time, seconds since the Unix epoch; null where it may be asked at once"
  }),
  failure: Schema.NullOr(Schema.String).annotations({ description: "why it failed" })
}).annotations({ identifier: "MarketRefresh", description: "The last refresh of an exchange's markets." })
export type RefreshView = typeof RefreshView.Type

const RefreshList = Schema.Struct({
  is_on: Schema.Boolean.annotations({ description: "whether this server refreshes markets at all" }),
  data: Schema.Array(RefreshView)
}).annotations({ identifier: "MarketRefreshList", description: "Refreshes of markets since the start." })

const RefreshRequest = Schema.Struct({
  exchange: Schema.optional(ExchangeName).annotations({ description: "all exchanges where left out" })
}).annotations({ identifier: "MarketRefreshRequest" })

const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })
const OPERATOR = "For the operator: the account that was made first."

export const Operator = HttpApiGroup.make("operator")
  .add(
    HttpApiEndpoint.get("exchanges", "/v1/dashboard/exchanges")
      .addSuccess(ExchangeList)
      .annotateContext(words("List exchanges", "With their switches, default fees and numbers of markets."))
  )
  .add(
    HttpApiEndpoint.get("markets", "/v1/dashboard/markets")
      .setUrlParams(
        Schema.Struct({
          exchange: text("of this exchange alone"),
          search: text("whose pair holds these letters, in any case"),
          limit: text(`the most rows of the answer, up to ${MAX_LIMIT}; ${USUAL_LIMIT} where left out`)
        })
      )
      .addSuccess(MarketList)
      .addError(Problems.Unprocessable)
      .annotateContext(words("List markets", "Those that have been switched off stand where they stood."))
  )
  .add(
    HttpApiEndpoint.put("switchExchange", "/v1/dashboard/exchange")
      .setPayload(ExchangeSwitch)
      .addSuccess(ExchangeView)
      .addError(Problems.OfJsonBody)
      .annotateContext(words("Switch an exchange on or off", `JSON. ${OPERATOR} It counts at once.`))
  )
  .add(
    HttpApiEndpoint.put("switchMarket", "/v1/dashboard/market")
      .setPayload(MarketSwitch)
      .addSuccess(MarketList)
      .addError(Problems.OfJsonBody)
      .addError(Problems.NotFound)
      .annotateContext(
        words(
          "Switch a market on or off",
          `JSON. ${OPERATOR} What is left out stays as it is; it counts at once. The answer holds what was switched.`
        )
      )
  )
  .add(
    HttpApiEndpoint.get("refreshes", "/v1/dashboard/markets/refreshes")
      .addSuccess(RefreshList)
      .annotateContext(
        words("See refreshes of markets", `${OPERATOR} Since the start of the server, by exchange.`)
      )
  )
  .add(
    HttpApiEndpoint.post("refresh", "/v1/dashboard/markets/refreshes")
      .setPayload(RefreshRequest)
      .addSuccess(RefreshList)
      .addError(Problems.OfJsonBody)
      .annotateContext(
        words(
          "Refresh markets now",
          `JSON. ${OPERATOR} Begins in the background and answers at once; an exchange is asked once in ten minutes, and after a failure once a minute.`
        )
      )
  )
  .add(
    HttpApiEndpoint.post("backup", BACKUP_PATH)
      .addSuccess(Backup)
      .addError(Problems.conflict("backup_busy", "backup_nothing"))
      .annotateContext(
        words(
          "Back up now",
          `${OPERATOR} Writes a verified copy of the database into the folder \`backups\` beside it, one at a time, and answers when it is complete.`
        )
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "dashboard" }))
  .annotateContext(
    OpenApi.annotations({
      title: "Operator",
      description: "Exchanges, markets and backups, for the dashboard."
    })
  )
