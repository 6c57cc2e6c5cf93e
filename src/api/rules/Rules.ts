// The contract of rules in the dashboard: checking expressions while somebody writes them, and the chart of a signal's
// rule. Nothing is stored.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Body } from "../../domain/requests/RuleCheckRequest.ts"
import { parameter, pathOf } from "../shared/Paging.ts"
import * as Problems from "../shared/Problems.ts"
import { Access, Bearer } from "../shared/Security.ts"
import { RuleChartView } from "./RuleChart.ts"

const FindingView = Schema.Struct({
  words: Schema.NullOr(Schema.String).annotations({
    description: "what it says, to end a sentence such as: buy when ..."
  }),
  warmups: Schema.Array(
    Schema.Struct({
      timeframe: Schema.String,
      candles: Schema.Int.annotations({ description: "how many must have come before it counts" }),
      anchored: Schema.Boolean.annotations({
        description: "whether it remembers everything since its first candle"
      })
    })
  ),
  error: Schema.NullOr(
    Schema.Struct({
      column: Schema.Int.annotations({ description: "where, counted from 1" }),
      text: Schema.String.annotations({ description: "what was expected there, and what was found" })
    })
  )
}).annotations({
  identifier: "ExpressionFinding",
  description: "What an expression says, or what is wrong with it."
})

/** The answer to a check: a finding for each expression, in the same sequence, and completions at the cursor. */
export const RuleCheckView = Schema.Struct({
  expressions: Schema.Array(FindingView),
  completions: Schema.Array(
    Schema.Struct({
      label: Schema.String,
      insert: Schema.String.annotations({ description: "replaces the text from `from` up to the cursor" }),
      from: Schema.Int,
      detail: Schema.String,
      about: Schema.String
    })
  )
}).annotations({ identifier: "RuleCheck" })
export type RuleCheckView = typeof RuleCheckView.Type

/** The operation for editors of rules. */
export const Rules = HttpApiGroup.make("rules")
  .add(
    HttpApiEndpoint.post("check", "/v1/dashboard/rule")
      .setPayload(Body.annotations({ identifier: "RuleCheckRequest" }))
      .addSuccess(RuleCheckView)
      .addError(Problems.OfJsonBody)
      .annotateContext(
        OpenApi.annotations({
          summary: "Check expressions of a rule",
          description:
            "JSON. Each expression in words with the candles that it needs, or its error with the column; and what may stand at the cursor of a text."
        })
      )
  )
  .add(
    HttpApiEndpoint.get("chart", "/v1/dashboard/signals/:id/rule")
      .setPath(pathOf("SignalId"))
      .setUrlParams(
        Schema.Struct({
          exchange: parameter(
            "a market of the rule: its exchange; the rule's first market where it is left out"
          ),
          pair: parameter("its pair; goes with exchange"),
          kind: parameter("spot or swap; spot where it is left out"),
          candles: parameter("the most candles, 10 to 1000; 300 where it is left out")
        })
      )
      .addSuccess(RuleChartView)
      .addError(Problems.NotFound)
      .addError(Problems.Unprocessable)
      .annotateContext(
        OpenApi.annotations({
          summary: "Read the chart of a signal's rule",
          description:
            "For the signal's owner: the candles of one of the rule's markets, a line for each number that its conditions name, where it fires, and its values at present."
        })
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "dashboard" }))
  .annotateContext(OpenApi.annotations({ title: "Rules", description: "The language of signals' rules." }))
