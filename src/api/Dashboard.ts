// The contract of the dashboard's own reads. They have limits of their own beside the public interface's, and may
// change with any version.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { optional } from "../domain/internal/Optional.ts"
import { ExchangeName, MarketKind, Pair } from "../domain/Market.ts"
import { ExitReason, PositionSide } from "../domain/Order.ts"
import { Summary } from "../domain/Performance.ts"
import { FullView } from "../domain/requests/StrategyView.ts"
import { SignalId } from "../domain/Signal.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import { DEFAULT_POINTS, EquityCurve, FiguresAndCurve, MAX_POINTS, PriceChart } from "./Charts.ts"
import { Timeline } from "./History.ts"
import { ArmedView, PositionView, TradingView } from "./Holdings.ts"
import { OverviewView } from "./Overview.ts"
import { SignalView } from "./Signals.ts"
import { moment } from "./shared/Moment.ts"
import { MAX_LIMIT, Page, parameter, pathOf, Searched } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"

const number = (description: string) => Schema.Number.annotations({ description })
/** A row of the dashboard's list of strategies. */
export const StrategyLine = Schema.Struct({
  strategy_id: StrategyId,
  name: Schema.String,
  active: Schema.Boolean,
  public: Schema.Boolean,
  signal_id: Schema.NullOr(SignalId),
  signal_name: Schema.NullOr(Schema.String),
  currency: Schema.String,
  pairs: Schema.Array(Schema.String).annotations({ description: "the first five pairs" }),
  pairs_total: Schema.Int,
  open_positions: Schema.Int,
  trading: TradingView,
  summary: Summary,
  updated_at: moment("when it was last changed")
}).annotations({ identifier: "StrategyLine" })
export type StrategyLine = typeof StrategyLine.Type

/** Everything on a strategy's page except curves and lists. */
export const StrategyBoard = Schema.Struct({
  strategy: FullView,
  signal: Schema.NullOr(SignalView).annotations({ description: "the signal it follows" }),
  is_own: Schema.Boolean,
  currency: Schema.String,
  cash: number("free cash"),
  equity: number("free cash and open positions at market; at their cost where no price is known"),
  open_pnl: number("what closing everything now would make"),
  positions: Schema.Array(PositionView),
  armed: Schema.Array(ArmedView),
  trading: TradingView,
  period: Schema.Int.annotations({
    description:
      "number of the current performance period, from 1; a new one begins with each change between paper and real money"
  }),
  period_began_at: moment("when the current period began"),
  cooling_until: Schema.NullOr(Schema.Int).annotations({
    description: "end of the pause in entries that a balance rule began, seconds since the Unix epoch"
  }),
  warnings: Schema.Array(Schema.Struct({ code: Schema.String, text: Schema.String })).annotations({
    description:
      "settings that can never act together, and how paper fills are made nearer to life where they are"
  })
}).annotations({ identifier: "StrategyBoard" })
export type StrategyBoard = typeof StrategyBoard.Type

/** A page of strategies, and the total. */
export const StrategyLines = Schema.Struct({ data: Schema.Array(StrategyLine), total: Schema.Int })
export type StrategyLines = typeof StrategyLines.Type

/** An exit fill of a trade. */
const ExitFillView = Schema.Struct({
  at: moment("when it filled"),
  price: number("in quote"),
  quantity: number("in the base asset"),
  reason: ExitReason
}).annotations({ identifier: "ExitFill", description: "A part of a trade that was closed, and why." })

/** A completed trade. */
export const TradeView = Schema.Struct({
  id: Schema.Int,
  exchange: ExchangeName,
  pair: Pair,
  kind: MarketKind,
  side: PositionSide,
  opened_at: moment("first entry fill"),
  closed_at: moment("last exit fill"),
  entry_price: number("mean entry price"),
  exit_price: number("mean price of all exits"),
  quantity: number("all that was entered, in the base asset"),
  cost: number("entry notional and fees, in quote"),
  proceeds: number("what came back to free cash, in quote"),
  fees: number("of both sides, in quote"),
  pnl: number("proceeds minus cost, in quote"),
  profit_pct: number("pnl over cost, percent"),
  exit_reason: ExitReason.annotations({ description: "why the last exit was made" }),
  entries: Schema.Int.annotations({ description: "entry fills" }),
  exits: Schema.Int.annotations({ description: "exit fills" }),
  funding: optional(Schema.Number).annotations({
    description: "what a perpetual received in funding, negative for what it paid, in quote; among proceeds"
  }),
  exit_fills: Schema.Array(ExitFillView).annotations({
    description:
      "every exit fill, oldest first; from the 200th on, later ones are added to the last at their mean price"
  })
}).annotations({ identifier: "Trade", description: "One position from its first fill until it was flat." })
export type TradeView = typeof TradeView.Type

/** A trade of a strategy. Lists hold the trades of all its periods. */
export const OwnTradeView = Schema.Struct({
  ...TradeView.fields,
  period: Schema.Int.annotations({ description: "the strategy's period at the time, counted from 1" }),
  live: Schema.Boolean.annotations({ description: "whether it was made at an exchange, not on paper" })
}).annotations({ identifier: "OwnTrade", description: "A trade of a strategy, on paper or live." })
export type OwnTradeView = typeof OwnTradeView.Type

/** A page of trades, and the total. */
export const TradeList = Schema.Struct({ data: Schema.Array(OwnTradeView), total: Schema.Int })
export type TradeList = typeof TradeList.Type

/** Columns that lists may be sorted by. */
export const STRATEGY_ORDERS = [
  "strategy_id",
  "name",
  "net_pnl",
  "roi_pct",
  "trade_count",
  "open_positions"
] as const
export const TRADE_ORDERS = ["closed_at", "opened_at", "pair", "pnl", "profit_pct", "hold"] as const
/** The parts of a timeline: `acted` and `ignored` are alerts, `rest` is everything but ignored alerts. */
export const TIMELINE_PARTS = ["all", "acted", "ignored", "rest"] as const
export const DIRECTIONS = ["asc", "desc"] as const

/** Whole numbers as text: the handler rejects any other text with a message. */
export const Offset = {
  limit: parameter(`the most rows of one answer, 1 to ${MAX_LIMIT}; 100 where it is left out`),
  offset: parameter("rows to leave out, from 0")
}
const Points = parameter(
  `the most points of the curve, 10 to ${MAX_POINTS}; ${DEFAULT_POINTS} where it is left out`
)

const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })
const path = pathOf("StrategyId")

/** A read of a strategy's curve, with as many points as the caller wants. */
const curve = <const Name extends "equity" | "figures", A, I>(name: Name, answer: Schema.Schema<A, I>) =>
  HttpApiEndpoint.get(name, `/v1/dashboard/strategies/:id/${name}`)
    .setPath(path)
    .setUrlParams(Schema.Struct({ points: Points }))
    .addSuccess(answer)
    .addError(Problems.NotFound)
    .addError(Problems.Unprocessable)

export const Dashboard = HttpApiGroup.make("dashboard")
  .add(
    HttpApiEndpoint.get("overview", "/v1/dashboard/overview")
      .addSuccess(OverviewView)
      .annotateContext(words("See an account at a glance", "Equity, open positions, today's alerts, health."))
  )
  .add(
    HttpApiEndpoint.get("strategies", "/v1/dashboard/strategies")
      .setUrlParams(
        Schema.Struct({
          search: parameter("part of a name, pair or signal's name"),
          sort: parameter(`one of ${STRATEGY_ORDERS.join(", ")}; strategy_id where it is left out`),
          direction: parameter("asc or desc; asc where it is left out"),
          ...Offset
        })
      )
      .addSuccess(StrategyLines)
      .addError(Problems.Unprocessable)
      .annotateContext(words("List strategies with their performance", "Sorted and searched on the server."))
  )
  .add(
    HttpApiEndpoint.get("strategy", "/v1/dashboard/strategies/:id")
      .setPath(path)
      .addSuccess(StrategyBoard)
      .addError(Problems.NotFound)
      .annotateContext(
        words("See one strategy as it stands", "Settings, positions with the levels they wait for.")
      )
  )
  .add(
    curve("equity", EquityCurve).annotateContext(
      words("Read a strategy's equity curve", "After each completed trade, thinned out.")
    )
  )
  .add(
    curve("figures", FiguresAndCurve).annotateContext(
      words(
        "Read a strategy's figures",
        "Of equity marked to the market once a minute, and of completed trades, in the current period."
      )
    )
  )
  .add(
    HttpApiEndpoint.get("chart", "/v1/dashboard/strategies/:id/chart")
      .setPath(path)
      .setUrlParams(
        Schema.Struct({
          exchange: parameter("the market's exchange; required"),
          pair: parameter("the market's pair; required"),
          kind: parameter("spot or swap; spot where it is left out"),
          from: parameter("seconds since the Unix epoch; the last 1000 minutes where it is left out"),
          to: parameter("seconds since the Unix epoch; now where it is left out"),
          points: Points
        })
      )
      .addSuccess(PriceChart)
      .addError(Problems.NotFound)
      .addError(Problems.Unprocessable)
      .annotateContext(
        words("Read a market's prices with the strategy's fills", "Candles grow with the range.")
      )
  )
  .add(
    HttpApiEndpoint.get("trades", "/v1/dashboard/strategies/:id/trades")
      .setPath(path)
      .setUrlParams(
        Schema.Struct({
          sort: parameter(`one of ${TRADE_ORDERS.join(", ")}; closed_at where it is left out`),
          direction: parameter("asc or desc; desc where it is left out"),
          ...Offset
        })
      )
      .addSuccess(TradeList)
      .addError(Problems.NotFound)
      .addError(Problems.Unprocessable)
      .annotateContext(words("List a strategy's completed trades", "Sorted on the server."))
  )
  .add(
    HttpApiEndpoint.get("tradesCsv", "/v1/dashboard/strategies/:id/trades.csv")
      .setPath(path)
      .addSuccess(HttpApiSchema.Text({ contentType: "text/csv" }))
      .addError(Problems.NotFound)
      .annotateContext(words("Download a strategy's trades", "All of them, oldest first, as CSV."))
  )
  .add(
    HttpApiEndpoint.get("timeline", "/v1/dashboard/strategies/:id/timeline")
      .setPath(path)
      .setUrlParams(
        Schema.Struct({
          ...Page.fields,
          entries: parameter(`one of ${TIMELINE_PARTS.join(", ")}; all where it is left out`),
          reason: parameter("only alerts with this reason"),
          ...Searched
        })
      )
      .addSuccess(Timeline)
      .addError(Problems.NotFound)
      .addError(Problems.Unprocessable)
      .annotateContext(
        words(
          "Read a strategy's timeline",
          "As the public operation of the same name, with filters: one answer then looks at the next 5,000 entries."
        )
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "dashboard" }))
  .annotateContext(
    OpenApi.annotations({
      title: "Dashboard",
      description: "What the dashboard reads; it may change with any version."
    })
  )
