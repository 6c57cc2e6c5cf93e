// The contract of the two alert operations and of `parse`: they accept JSON, forms and text, and answer success only
// after the alert is on disk.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Reason } from "../domain/Alert.ts"
import { AlertFields } from "../domain/alert/AlertFields.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import { ALERT, ALERT_PATH, CHARTING, CHARTING_PATH } from "./AlertOperations.ts"
import { InstructionView } from "./shared/Instruction.ts"
import { Done, IdempotencyKey } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer, WebhookKey } from "./shared/Security.ts"

export const PARSE_PATH = "/v1/alerts/parse"

const Reading = {
  ...InstructionView,
  growth_percent: Schema.NullOr(Schema.Number).annotations({
    description: "for a chart's message: the position grows by this percentage of what is held"
  }),
  either_side: Schema.Boolean.annotations({
    description:
      "for a chart's message that does not say what it held before: whichever side is held is closed"
  }),
  fields: Schema.Array(
    Schema.Struct({
      field: Schema.String.annotations({ description: "a field of this interface" }),
      value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean).annotations({
        description: "the value of the field"
      }),
      from: Schema.String.annotations({ description: "the field of the alert that it was read from" }),
      in: Schema.Literal("body", "address").annotations({ description: "the path of that field" })
    })
  ).annotations({ description: "the source of each field" }),
  sent_again: Schema.NullOr(Schema.Literal("id", "time")).annotations({
    description: "what identifies a repeat of this alert: an id or its time; null if neither was sent"
  }),
  warnings: Schema.Array(Schema.String).annotations({ description: "warnings for the sender" })
}

/** An alert as the server understands it, field by field. */
export const Understood = Schema.Struct(Reading).annotations({
  identifier: "UnderstoodAlert",
  description: "What an alert says, and where each value was found."
})
export type Understood = typeof Understood.Type

/** The answer to a test alert: nothing was stored or done. */
export const Tested = Schema.Struct({
  ...Done.fields,
  test: Schema.Literal(true),
  alert: Understood,
  outcomes: Schema.Array(
    Schema.Struct({
      strategy_id: StrategyId,
      name: Schema.String.annotations({ description: "the strategy's name" }),
      outcome: Schema.Literal("acted", "ignored", "waits"),
      reason: Schema.NullOr(Reason).annotations({
        description: "as it would be recorded; null where it would wait"
      }),
      text: Schema.String.annotations({ description: "the reason in words" }),
      steps: Schema.Array(Schema.String).annotations({
        description:
          "the actions that would follow, with prices and sizes; empty for tokens of the scope alerts"
      })
    })
  ).annotations({ description: "one for each of the caller's strategies that follow the signal" })
}).annotations({ identifier: "TestedAlert", description: "What an alert would do." })
export type Tested = typeof Tested.Type

const Fields = AlertFields.annotations({
  identifier: "Alert",
  description: "An alert with the names of the interface."
})
// The same fields in a form, where numbers and booleans are text.
const Form = Schema.Struct({
  ...AlertFields.fields,
  test: Schema.optional(Schema.BooleanFromString.annotations({ jsonSchema: { type: "boolean" } })),
  signal_id: Schema.NumberFromString.pipe(Schema.brand("SignalId")).annotations({
    jsonSchema: { type: "integer", minimum: 1 }
  }),
  tp: Schema.optional(
    Schema.NumberFromString.annotations({ jsonSchema: { type: "number", exclusiveMinimum: 0 } })
  ),
  sl: Schema.optional(
    Schema.NumberFromString.annotations({ jsonSchema: { type: "number", exclusiveMinimum: 0 } })
  ),
  close_percent: Schema.optional(
    Schema.NumberFromString.annotations({
      jsonSchema: { type: "number", exclusiveMinimum: 0, maximum: 100 }
    })
  ),
  reverse: Schema.optional(Schema.BooleanFromString.annotations({ jsonSchema: { type: "boolean" } })),
  tps: Schema.optional(Schema.String.annotations({ description: "the ladder of targets, as JSON text" })),
  buy_percentage: Schema.optional(
    Schema.NumberFromString.annotations({ jsonSchema: { type: "number", minimum: 0, maximum: 100 } })
  )
}).annotations({ identifier: "AlertForm", description: "An alert as a form." })

const forms = [
  Form.pipe(HttpApiSchema.withEncoding({ kind: "UrlParams" })),
  HttpApiSchema.Multipart(Form)
] as const
const Text = HttpApiSchema.Text({ contentType: "text/plain" }).annotations({
  description: "text that holds JSON or a form: the content type is a hint, not a rule"
})

const words = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier, summary, description })

/** The webhook has a group of its own, because its key stands in the URL. */
export const Charting = HttpApiGroup.make("charting")
  .add(
    HttpApiEndpoint.post("charting", CHARTING_PATH)
      .setHeaders(IdempotencyKey)
      .setPayload(Schema.Union(Fields, ...forms, Text))
      .addSuccess(Schema.Union(Tested, Done))
      .addError(Problems.ofBody("unresolved_placeholder", "signal_inactive", "idempotency_key_reused"))
      .addError(Problems.NotFound)
      .annotateContext(
        words(
          "signals.charting",
          "Receive an alert from a charting platform",
          "The address of the webhook. Fields may stand in the body or in the address; `symbol`, `ticker` or `pair` stand for coin and quote currency, `action` or `side` for the type. A strategy's `market_position` and `prev_market_position`, wherever they stand, decide what an order means, and `market_position_size` and `prev_market_position_size` how much of it was closed or added; a message that does not begin where the last one ended waits up to 2 seconds for the one between. With `test` nothing is stored, and the answer tells what every strategy would do."
        )
      )
  )
  .middleware(WebhookKey)
  .annotate(Access, CHARTING.access)
  .annotateContext(OpenApi.annotations({ title: "Webhook", description: "Alerts from charting platforms." }))

/** Alerts that the caller's own programs post. */
export const Alert = HttpApiGroup.make("alert")
  .add(
    HttpApiEndpoint.post("alert", ALERT_PATH)
      .setHeaders(IdempotencyKey)
      .setPayload(Schema.Union(...forms, Fields, Text))
      .addSuccess(Schema.Union(Tested, Done))
      .addError(Problems.ofBody("unresolved_placeholder", "signal_inactive", "idempotency_key_reused"))
      .addError(Problems.NotFound)
      .annotateContext(
        words(
          "signals.alert",
          "Post an alert to a signal",
          "An answer of success means: the alert is on disk. `Location` holds its address. With `test` nothing is stored, and the answer tells what every strategy would do."
        )
      )
  )
  .add(
    HttpApiEndpoint.post("parse", PARSE_PATH)
      .setPayload(Schema.Union(Fields, ...forms, Text))
      .addSuccess(Understood)
      .addError(Problems.ofBody("unresolved_placeholder", "signal_inactive"))
      .addError(Problems.NotFound)
      .annotateContext(
        words(
          "alerts.parse",
          "See how an alert is understood",
          "Takes the same body and address as the two alert operations, and returns how each field would be read. Nothing is stored or done; requests that they would refuse are refused alike."
        )
      )
  )
  .middleware(Bearer)
  .annotate(Access, ALERT.access)
  .annotateContext(OpenApi.annotations({ title: "Alerts", description: "Alerts from programs." }))
