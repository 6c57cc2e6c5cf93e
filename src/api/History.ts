// The contract of history: alerts with each strategy's outcome, and a strategy's timeline. Both are lists, newest
// first.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Alert, AlertId, type Outcome, outcomeOf, Reason, ReasonFacts } from "../domain/Alert.ts"
import type { Incoming } from "../domain/alert/Incoming.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import type { TimelineEntry } from "../domain/Timeline.ts"
import { extrasView, InstructionView } from "./shared/Instruction.ts"
import { Page, pathOf } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { RuleOriginView, ruleOriginView } from "./shared/RuleOriginView.ts"
import { Access, Bearer } from "./shared/Security.ts"

const time = (description: string) =>
  Schema.Int.annotations({ description: `${description}, seconds since the Unix epoch` })
const seconds = (millis: number) => Math.floor(millis / 1000)

const OutcomeView = Schema.Struct({
  strategy_id: StrategyId,
  outcome: Schema.Literal("acted", "ignored"),
  reason: Reason,
  facts: Schema.optional(ReasonFacts).annotations({
    description: "the numbers that decided, where any did; times in milliseconds since the epoch"
  }),
  at: time("when it was decided")
}).annotations({ identifier: "Outcome", description: "What one strategy made of the alert, and why." })

/** An alert with the outcomes of the caller's strategies. */
export const AlertView = Schema.Struct({
  id: AlertId,
  ...InstructionView,
  received_at: time("when it came"),
  repeats: Schema.Int.annotations({ description: "the number of repeats" }),
  warnings: Schema.Array(Schema.String),
  ...RuleOriginView,
  outcomes: Schema.Array(OutcomeView),
  outcomes_next: Schema.optional(Schema.String).annotations({
    description: "the cursor of further outcomes, only in a list and if an alert has more than 100"
  })
}).annotations({ identifier: "ReceivedAlert", description: "An alert and its outcomes." })
export type AlertView = typeof AlertView.Type

/** How the alert arrived, and the address at which its outcomes go on, where there are either. */
export interface AlertBeside {
  readonly incoming?: Incoming | undefined
  readonly next?: string
}

export const alertView = (
  alert: Alert,
  outcomes: ReadonlyArray<Outcome>,
  { incoming, next }: AlertBeside = {}
): AlertView => ({
  id: alert.id,
  signal_id: alert.signalId,
  coin: alert.coin,
  quote_currency: alert.quoteCurrency,
  type: alert.type,
  tp: Option.getOrNull(alert.tp),
  sl: Option.getOrNull(alert.sl),
  ...extrasView(alert),
  received_at: seconds(alert.receivedAt),
  repeats: alert.repeats,
  warnings: alert.warnings,
  ...ruleOriginView(incoming),
  outcomes: outcomes.map(({ at, facts, reason, strategyId }) => ({
    strategy_id: strategyId,
    outcome: outcomeOf(reason),
    reason,
    ...(facts === undefined ? {} : { facts }),
    at: seconds(at)
  })),
  ...(next === undefined ? {} : { outcomes_next: next })
})

export const AlertList = Schema.Struct({ data: Schema.Array(AlertView) }).annotations({
  identifier: "ReceivedAlertList",
  description: "Alerts, newest first."
})

/** One entry of a strategy's timeline. */
export const EntryView = Schema.Struct({
  id: Schema.Int,
  at: time("when it happened"),
  rule: Schema.String.annotations({ description: "the rule that decided" }),
  alert_id: Schema.NullOr(AlertId),
  reason: Schema.NullOr(Reason),
  text: Schema.String.annotations({ description: "the event, in words" }),
  facts: Schema.Record({
    key: Schema.String,
    value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean)
  }).annotations({ description: "the numbers that made the decision; prices and amounts are decimal texts" })
}).annotations({ identifier: "TimelineEntry", description: "Something that a strategy did or left undone." })
export type EntryView = typeof EntryView.Type

export const entryView = (entry: TimelineEntry): EntryView => ({
  id: entry.id,
  at: seconds(entry.at),
  rule: entry.rule,
  alert_id: Option.getOrNull(entry.alertId),
  reason: Option.getOrNull(entry.reason),
  text: entry.text,
  facts: entry.facts
})

export const Timeline = Schema.Struct({ data: Schema.Array(EntryView) }).annotations({
  identifier: "Timeline",
  description: "What a strategy did, newest first."
})

const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export const History = HttpApiGroup.make("history")
  .add(
    HttpApiEndpoint.get("alerts", "/v1/alerts")
      .setUrlParams(Page)
      .addSuccess(AlertList)
      .addError(Problems.Unprocessable)
      .annotateContext(
        words(
          "List alerts",
          "The caller's own, newest first, 100 unless `limit` is given. Each has its first 100 outcomes; where there are more, `outcomes_next` is the address at which they go on."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("alert", "/v1/alerts/:id")
      .setPath(pathOf("AlertId"))
      .setUrlParams(Page)
      .addSuccess(AlertView)
      .addError(Problems.NotFound)
      .addError(Problems.Unprocessable)
      .annotateContext(
        words(
          "Retrieve an alert",
          "With one outcome for each of the caller's strategies that follow, by strategy: all of them unless `limit` or `cursor` is given."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("timeline", "/v1/strategies/:id/timeline")
      .setPath(pathOf("StrategyId"))
      .setUrlParams(Page)
      .addSuccess(Timeline)
      .addError(Problems.NotFound)
      .addError(Problems.Unprocessable)
      .annotateContext(
        words("Read a strategy's timeline", "The caller's own, newest first, 100 unless `limit` is given.")
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "reads" }))
  .annotateContext(
    OpenApi.annotations({ title: "History", description: "What became of alerts, and what strategies did." })
  )
