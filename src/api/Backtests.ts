// The contract of back-tests: one request holds strategy, candles and alerts, and one response holds the whole
// result. Nothing is stored.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { AlertType, Reason } from "../domain/Alert.ts"
import { FillModelDocument } from "../domain/fills/FillModel.ts"
import { optional } from "../domain/internal/Optional.ts"
import { ExchangeName, MarketKind, Pair } from "../domain/Market.ts"
import { ExitReason, PositionSide } from "../domain/Order.ts"
import { Performance } from "../domain/Performance.ts"
import { TargetStep } from "../domain/position/Ladder.ts"
import { Body } from "../domain/requests/BacktestRequest.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import { EquityCurve, FiguresAndCurve, PriceChart } from "./Charts.ts"
import { TradeView } from "./Dashboard.ts"
import { moment } from "./shared/Moment.ts"
import { parameter, pathOf } from "./shared/Paging.ts"
import { BACKTESTS_PATH } from "./shared/Paths.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"
import { WhatIfAnswer, WhatIfRequest } from "./whatIf/WhatIfView.ts"

/** The largest request body, since candles are sent as text. */
export const MAX_BACKTEST_BYTES = 32 * 1024 * 1024

/** A request for a back-test. */
export const BacktestRequest = Body.annotations({ identifier: "BacktestRequest" })
export type BacktestRequest = typeof BacktestRequest.Type

const maybe = Schema.NullOr(Schema.Number)

/** The part of a rule in a back-test: a count of alerts for each entry, remarks, and a list of the last alerts. */
export const RuleResult = Schema.Struct({
  name: Schema.String,
  timeframe: Schema.String,
  params: Schema.Record({ key: Schema.String, value: Schema.Number }),
  entries: Schema.Array(
    Schema.Struct({
      by: Schema.String.annotations({ description: "such as on[0] or schedule[0]" }),
      type: AlertType,
      when: Schema.String,
      alerts: Schema.Int,
      withheld: Schema.Int.annotations({ description: "not raised, since an amount had no value in bounds" })
    })
  ),
  notes: Schema.Array(Schema.String).annotations({
    description: "markets without candles, and how warm the rule was when the test began"
  }),
  alerts: Schema.Array(
    Schema.Struct({
      at: moment("close of its candle"),
      exchange: ExchangeName,
      pair: Pair,
      kind: MarketKind,
      by: Schema.String,
      type: AlertType,
      close: maybe,
      values: Schema.Array(Schema.Struct({ text: Schema.String, value: maybe })),
      tp: maybe,
      sl: maybe,
      tps: Schema.NullOr(Schema.Array(TargetStep)),
      close_percent: maybe,
      buy_percentage: maybe,
      reverse: Schema.NullOr(Schema.Boolean),
      withheld: Schema.NullOr(Schema.String)
    })
  ).annotations({ description: "the last 500, oldest first" }),
  alerts_total: Schema.Int
}).annotations({ identifier: "RuleResult" })
export type RuleResult = typeof RuleResult.Type

/** Fills nearer to life, where they were on. */
export const FillsResult = Schema.Struct({
  ...FillModelDocument.fields,
  text: Schema.String.annotations({
    description: "the same as one text, as signalbox backtest --fills takes it"
  }),
  funding_received: optional(Schema.Number).annotations({
    description: "what perpetuals received in funding, negative for what they paid; in the quote currency"
  }),
  remarks: Schema.Array(Schema.String).annotations({ description: "what could not be imitated" })
}).annotations({ identifier: "FillsResult" })
export type FillsResult = typeof FillsResult.Type

/** The result of a back-test. */
export const BacktestView = Schema.Struct({
  performance: Performance,
  equity: EquityCurve,
  ...FiguresAndCurve.fields,
  charts: Schema.Array(
    Schema.Struct({ exchange: ExchangeName, pair: Pair, kind: MarketKind, chart: PriceChart })
  ),
  trades: Schema.Array(TradeView).annotations({ description: "the last 1000, oldest first" }),
  trades_total: Schema.Int,
  ignored: Schema.Array(Schema.Struct({ reason: Reason, text: Schema.String, count: Schema.Int })),
  open: Schema.Array(
    Schema.Struct({
      exchange: ExchangeName,
      pair: Pair,
      kind: MarketKind,
      side: PositionSide,
      opened_at: moment("first entry fill"),
      entry_price: Schema.Number,
      quantity: Schema.Number,
      cost: Schema.Number,
      fees: Schema.Number,
      funding: optional(Schema.Number),
      entries: Schema.Int
    })
  ),
  candles: Schema.Int,
  ambiguous_candles: Schema.Int,
  alerts: Schema.Int.annotations({ description: "alerts that were read" }),
  skipped_lines: Schema.Array(Schema.String).annotations({
    description: "lines of a list of trades that were left out, and why; at most 20"
  }),
  rule: optional(RuleResult),
  fills: optional(FillsResult),
  warnings: Schema.Array(Schema.Struct({ code: Schema.String, text: Schema.String })),
  elapsed_ms: Schema.Int
}).annotations({ identifier: "BacktestResult" })
export type BacktestView = typeof BacktestView.Type

export const RecordingView = Schema.Struct({
  exchange: ExchangeName,
  pair: Pair,
  kind: MarketKind,
  from: moment("first minute"),
  to: moment("last minute"),
  bytes: Schema.Int
}).annotations({ identifier: "Recording", description: "Prices that were recorded." })
export type RecordingView = typeof RecordingView.Type

const amount = (description: string) => Schema.Number.annotations({ description })

const ComparedSide = Schema.NullOr(
  Schema.Struct({
    opened_at: moment("first entry fill"),
    closed_at: moment("last exit fill"),
    entry_price: Schema.Number,
    exit_price: Schema.Number,
    quantity: Schema.Number,
    fees: Schema.Number,
    pnl: Schema.Number,
    exit_reason: ExitReason
  })
)

const Results = Schema.Struct({ pnl: amount("net result of completed trades"), trades: Schema.Int })

/** What a strategy did, beside its test. */
export const ComparisonView = Schema.Struct({
  strategy_id: StrategyId,
  name: Schema.String,
  mode: Schema.String.annotations({ description: "paper or live" }),
  period: Schema.Int.annotations({ description: "the number of the bot's period" }),
  currency: Schema.String,
  from: moment("beginning, at which nothing was held"),
  to: moment("end"),
  starting_balance: Schema.Number,
  live: Results,
  test: Results,
  difference: amount("live less test: the sum of the parts and the remainder"),
  parts: Schema.Array(
    Schema.Struct({
      part: Schema.String,
      label: Schema.String,
      text: Schema.String,
      amount: Schema.Number,
      trades: Schema.Int.annotations({ description: "trades that have it" })
    })
  ),
  remainder: amount(
    "what no part explains: 0 where the test, with all circumstances, decides as the bot did, and the books agree with the fills"
  ),
  trades: Schema.Array(
    Schema.Struct({
      exchange: ExchangeName,
      pair: Pair,
      kind: MarketKind,
      side: PositionSide,
      alert_id: Schema.Int,
      live: ComparedSide,
      test: ComparedSide,
      open: Schema.NullOr(Schema.Literal("live", "test")),
      answer: Schema.NullOr(Schema.String),
      difference: Schema.Number,
      parts: Schema.Record({ key: Schema.String, value: Schema.Number }),
      remainder: Schema.Number,
      main: Schema.NullOr(Schema.String).annotations({ description: "the part that weighs most" }),
      why: Schema.String
    })
  ).annotations({ description: "the last 500, oldest first" }),
  trades_total: Schema.Int,
  holes: Schema.Array(
    Schema.Struct({
      exchange: ExchangeName,
      pair: Pair,
      from: moment("first minute without candles"),
      to: moment("next minute with one")
    })
  ).annotations({ description: "the first 100" }),
  holes_total: Schema.Int,
  candles: Schema.Int,
  notices: Schema.Array(Schema.String)
}).annotations({ identifier: "Comparison" })
export type ComparisonView = typeof ComparisonView.Type

/** A period of a bot: it begins one when it is armed, when it goes back on paper, and in another currency. */
const ComparedPeriod = Schema.Struct({
  period: Schema.Int,
  mode: Schema.String.annotations({ description: "paper or live" }),
  from: moment("its beginning"),
  to: Schema.NullOr(moment("its end")).annotations({ description: "null for the present period" })
}).annotations({ identifier: "ComparedPeriod" })

/** Operations that try a strategy on past prices. */
export const Backtests = HttpApiGroup.make("backtests")
  .add(
    HttpApiEndpoint.post("run", BACKTESTS_PATH)
      .setPayload(BacktestRequest)
      .addSuccess(BacktestView)
      .addError(Problems.ofJsonBody("backtest_failed"))
      .addError(Problems.NotFound)
      .addError(Problems.conflict("backtest_running"))
      .annotateContext(
        OpenApi.annotations({
          summary: "Back-test a strategy",
          description:
            "In a process of its own, one at a time for an account, at most a minute. Nothing is stored or changed."
        })
      )
  )
  .add(
    HttpApiEndpoint.get("compare", "/v1/dashboard/strategies/:id/comparison")
      .setPath(pathOf("StrategyId"))
      .setUrlParams(
        Schema.Struct({
          from: parameter("seconds since the Unix epoch; 90 days before the end where it is left out"),
          to: parameter("seconds since the Unix epoch; now where it is left out"),
          period: parameter("the number of a period of its bot; the present one where it is left out")
        })
      )
      .addSuccess(
        Schema.Struct({
          comparison: Schema.NullOr(ComparisonView),
          reason: Schema.NullOr(Schema.String).annotations({ description: "why nothing can be compared" }),
          periods: Schema.Array(ComparedPeriod).annotations({
            description: "the present period, and the earlier ones that have trades, newest first"
          })
        })
      )
      .addError(Problems.NotFound)
      .addError(Problems.unprocessable("backtest_failed"))
      .addError(Problems.conflict("backtest_running"))
      .annotateContext(
        OpenApi.annotations({
          summary: "Compare a strategy with its test",
          description:
            "In a process of its own, as a back-test, over the candles that the server recorded. Nothing is stored or changed."
        })
      )
  )
  .add(
    HttpApiEndpoint.post("whatIf", "/v1/dashboard/strategies/:id/what-if")
      .setPath(pathOf("StrategyId"))
      .setPayload(WhatIfRequest)
      .addSuccess(WhatIfAnswer)
      .addError(Problems.ofJsonBody("backtest_failed"))
      .addError(Problems.NotFound)
      .addError(Problems.conflict("backtest_running"))
      .annotateContext(
        OpenApi.annotations({
          summary: "Try a strategy's life with other settings",
          description:
            "In a process of its own, as a back-test, over the alerts and candles on record, beside what happened. The strategy stays as it is; the try is counted, as the best of many is lucky."
        })
      )
  )
  .add(
    HttpApiEndpoint.get("recordings", "/v1/dashboard/recordings")
      .addSuccess(Schema.Struct({ data: Schema.Array(RecordingView) }))
      .annotateContext(
        OpenApi.annotations({ summary: "List recorded prices", description: "What `--record` has kept." })
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "dashboard" }))
  .annotateContext(OpenApi.annotations({ title: "Back-tests", description: "Strategies on past prices." }))
