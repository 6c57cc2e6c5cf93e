import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { AlertFields } from "../domain/AlertFields.ts"
import { Done, IdempotencyKey } from "./Paging.ts"
import * as Problem from "./Problem.ts"
import { Access, Bearer, WebhookKey } from "./Security.ts"

export const CHARTING_PATH = "/v1/signals/charting"
export const ALERT_PATH = "/v1/signals/alert"

/** What both alert operations answer, to the first sending and to every repeat of it. */
export const RECEIVED: Done = { type: "success", message: "the alert is stored and will be acted on" }

const Fields = AlertFields.annotations({
  identifier: "Alert",
  description: "An alert with the names of the interface."
})
// The same fields; forms write numbers as digits.
const Form = Schema.Struct({
  ...AlertFields.fields,
  signal_id: Schema.NumberFromString.annotations({ jsonSchema: { type: "integer", minimum: 1 } }),
  tp: Schema.optional(
    Schema.NumberFromString.annotations({ jsonSchema: { type: "number", exclusiveMinimum: 0 } })
  ),
  sl: Schema.optional(
    Schema.NumberFromString.annotations({ jsonSchema: { type: "number", exclusiveMinimum: 0 } })
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

/** The webhook: a group of its own, since its key stands in the address. */
export const Charting = HttpApiGroup.make("charting")
  .add(
    HttpApiEndpoint.post("charting", CHARTING_PATH)
      .setHeaders(IdempotencyKey)
      .setPayload(Schema.Union(Fields, ...forms, Text))
      .addSuccess(Done)
      .addError(Problem.BadRequest)
      .addError(Problem.NotFound)
      .addError(Problem.TooLarge)
      .addError(Problem.Unprocessable)
      .annotateContext(
        words(
          "signals.charting",
          "Receive an alert from a charting platform",
          "The address of the webhook. Fields may stand in the body or in the address; `symbol`, `ticker` or `pair` stand for coin and quote currency, `action` or `side` for the type."
        )
      )
  )
  .middleware(WebhookKey)
  .annotate(Access, Access.of({ scope: "alerts", bucket: "charting" }))
  .annotateContext(OpenApi.annotations({ title: "Webhook", description: "Alerts from charting platforms." }))

/** Alerts that the caller's own programs post. */
export const Alert = HttpApiGroup.make("alert")
  .add(
    HttpApiEndpoint.post("alert", ALERT_PATH)
      .setHeaders(IdempotencyKey)
      .setPayload(Schema.Union(...forms, Fields, Text))
      .addSuccess(Done)
      .addError(Problem.BadRequest)
      .addError(Problem.NotFound)
      .addError(Problem.TooLarge)
      .addError(Problem.Unprocessable)
      .annotateContext(
        words(
          "signals.alert",
          "Post an alert to a signal",
          "An answer of success means: the alert is on disk. `Location` holds its address."
        )
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "alerts", bucket: "alert" }))
  .annotateContext(OpenApi.annotations({ title: "Alerts", description: "Alerts from programs." }))
