// The contract of everything that arrived at the alert doors: accepted alerts with their outcomes, and refused
// requests. Bodies are shown without secrets.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { AlertId, AlertType, Reason, ReasonFacts } from "../domain/Alert.ts"
import { ORIGINS } from "../domain/alert/Incoming.ts"
import { SignalId } from "../domain/Signal.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import { ExtrasView } from "./shared/Instruction.ts"
import { moment } from "./shared/Moment.ts"
import { Page, parameter, Searched, text } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { RuleOriginView } from "./shared/RuleOriginView.ts"
import { Access, Bearer } from "./shared/Security.ts"

const Door = Schema.Literal("charting", "alert")
const Body = Schema.NullOr(Schema.String).annotations({
  description: "the body as sent, without secrets, at most 2000 characters; null if it was not stored"
})

/** An alert as it arrived, as it was understood, and each outcome. */
export const IncomingView = Schema.Struct({
  id: AlertId,
  signal_id: SignalId,
  signal_name: Schema.NullOr(Schema.String).annotations({ description: "null where it was deleted" }),
  door: Schema.NullOr(Schema.Literal(...ORIGINS)),
  body: Body,
  coin: Schema.String,
  quote_currency: Schema.String,
  type: AlertType,
  tp: Schema.NullOr(Schema.Number),
  sl: Schema.NullOr(Schema.Number),
  ...ExtrasView,
  received_at: moment("when it came"),
  repeats: Schema.Int.annotations({ description: "the number of repeats" }),
  warnings: Schema.Array(Schema.String),
  values: RuleOriginView.values,
  rule: RuleOriginView.rule,
  outcomes: Schema.Array(
    Schema.Struct({
      strategy_id: StrategyId,
      strategy_name: Schema.NullOr(Schema.String).annotations({ description: "null where it was deleted" }),
      outcome: Schema.Literal("acted", "ignored"),
      reason: Reason,
      facts: Schema.optional(ReasonFacts),
      text: Schema.String.annotations({
        description:
          "the reason in words with the numbers that decided, and why nothing was opened where the exchange took no order"
      }),
      at: moment("when it was decided")
    })
  ),
  has_more_outcomes: Schema.Boolean
}).annotations({ identifier: "IncomingAlert" })
export type IncomingView = typeof IncomingView.Type

/** A request to an alert door that was refused. */
export const RefusalView = Schema.Struct({
  at: moment("when it came"),
  door: Door,
  status: Schema.Int,
  code: Schema.String,
  message: Schema.String,
  body: Body
}).annotations({ identifier: "RefusedAlert" })
export type RefusalView = typeof RefusalView.Type

const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export const Incoming = HttpApiGroup.make("incoming")
  .add(
    HttpApiEndpoint.get("alerts", "/v1/dashboard/alerts")
      .setUrlParams(
        Schema.Struct({
          ...Page.fields,
          signal_id: Schema.optional(text("only of this signal")),
          outcome: parameter("acted or ignored: only alerts that at least one strategy acted on, or ignored"),
          reason: parameter("only alerts with this reason at one strategy at least"),
          ...Searched
        })
      )
      .addSuccess(Schema.Struct({ data: Schema.Array(IncomingView) }))
      .addError(Problems.Unprocessable)
      .annotateContext(
        words(
          "List alerts as they came",
          "Newest first, 100 unless `limit` is given. With filters one answer looks at the next 5,000 alerts; where there may be more, the header `Link` says where to go on."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("refusals", "/v1/dashboard/refusals")
      .addSuccess(Schema.Struct({ data: Schema.Array(RefusalView) }))
      .annotateContext(
        words(
          "List alerts that were refused",
          "Newest first: the last 200 of the account since the server started. Requests without a valid token are nobody's."
        )
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "dashboard" }))
  .annotateContext(
    OpenApi.annotations({ title: "Incoming", description: "What came in at the alert doors." })
  )
