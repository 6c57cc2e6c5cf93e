// The contract of signals: create, read, update and delete, and the template to paste into a charting platform.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AlertType } from "../domain/Alert.ts"
import { DisplayName } from "../domain/directory/DisplayName.ts"
import { optional } from "../domain/internal/Optional.ts"
import { type AlertTemplate, KEY } from "../domain/requests/AlertTemplate.ts"
import { FormDraft, FormPatch, JsonDraft, JsonPatch } from "../domain/requests/SignalRequest.ts"
import { type Signal, SignalDraft, SignalId } from "../domain/Signal.ts"
import { RuleDocument } from "../domain/signalRule/RuleDocument.ts"
import type { StoredRule } from "../domain/signalRule/StoredRule.ts"
import { type RuleStanding, RuleStatusView, ruleStatusView } from "./rules/RuleStatusView.ts"
import { Done, IdempotencyKey, Page, pathOf } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"

const time = (description: string) =>
  Schema.Int.annotations({ description: `${description}, seconds since the Unix epoch` })

/** A signal as its owner reads it, and anybody if it is public. */
export const SignalView = Schema.Struct({
  id: SignalId.annotations({ description: "identifier" }),
  name: SignalDraft.fields.name.annotations({ description: "name" }),
  description: SignalDraft.fields.description.annotations({ description: "a note of its owner" }),
  active: Schema.Boolean.annotations({ description: "whether it accepts alerts" }),
  public: Schema.Boolean.annotations({ description: "whether other users may follow it" }),
  display_name: optional(DisplayName).annotations({
    description:
      "the name of its owner that the public directory shows; absent where none was chosen, and it is not listed then"
  }),
  has_rule: optional(Schema.Literal(true)).annotations({
    description: "there if it has a rule of its own, which only its owner reads"
  }),
  rule: optional(RuleDocument).annotations({
    description: "its rule: for its owner, where one signal is read; lists leave it out"
  }),
  rule_version: optional(Schema.Int).annotations({
    description: "beside rule: counted from 1, a new one with each change of what the rule means"
  }),
  rule_made_at: optional(time("beside rule: when this version was made")),
  rule_status: optional(RuleStatusView).annotations({
    description: "beside rule: what it is doing, while the signal is active"
  }),
  created_at: time("when it was made"),
  updated_at: time("when it was last changed")
}).annotations({ identifier: "Signal", description: "A named source of buy and sell instructions." })
export type SignalView = typeof SignalView.Type

/** A signal without its rule, as anybody may read it who sees the signal. */
export const view = (signal: Signal): SignalView => ({
  id: signal.id,
  name: signal.name,
  description: signal.description,
  active: signal.active,
  public: signal.public,
  ...(signal.displayName === undefined ? {} : { display_name: signal.displayName }),
  ...(signal.rule === undefined ? {} : { has_rule: true }),
  created_at: signal.createdAt,
  updated_at: signal.updatedAt
})

/** A signal with its rule, for its owner. */
export const ownView = (
  signal: Signal,
  rule: Option.Option<StoredRule>,
  status: Option.Option<RuleStanding>
): SignalView => {
  const { created_at, updated_at, ...fields } = view(signal)
  return Option.match(rule, {
    onNone: () => view(signal),
    onSome: ({ document, madeAt, version }) => ({
      ...fields,
      ...{ has_rule: true, rule: document, rule_version: version, rule_made_at: madeAt },
      ...ruleStatusView(status),
      ...{ created_at, updated_at }
    })
  })
}

const message = {
  about: Schema.String.annotations({ description: "the effect of the message" }),
  message: Schema.String.annotations({ description: "to be pasted as it is" })
}

/** The messages to paste into a charting platform. */
export const TemplateView = Schema.Struct({
  signal_id: SignalId,
  url: Schema.String.annotations({
    description: `the webhook's address behind this server's own, with ${KEY} where a token of the scope alerts goes`
  }),
  url_alone: Schema.String.annotations({
    description: "the same with a whole alert in it: it needs no message"
  }),
  alerts: Schema.Array(Schema.Struct({ type: AlertType, ...message })).annotations({
    description: "a message for each type, for alerts of an indicator or a price"
  }),
  strategy: Schema.Struct(message).annotations({ description: "one message for all orders of a strategy" })
}).annotations({ identifier: "SignalTemplate", description: "What to paste into a charting platform." })
export type TemplateView = typeof TemplateView.Type

export const templateView = (signal: SignalId, template: AlertTemplate): TemplateView => ({
  signal_id: signal,
  url: template.url,
  url_alone: template.urlAlone,
  alerts: template.alerts,
  strategy: template.strategy
})

export const SignalList = Schema.Struct({ data: Schema.Array(SignalView) }).annotations({
  identifier: "SignalList",
  description: "Signals, in order of their making."
})

const FormOf = {
  create: FormDraft.annotations({ identifier: "SignalForm" }),
  update: FormPatch.annotations({ identifier: "SignalFormPatch" })
}

const Draft = Schema.Union(
  HttpApiSchema.withEncoding(FormOf.create, { kind: "UrlParams" }).annotations({ identifier: "SignalForm" }),
  JsonDraft.annotations({ identifier: "SignalDraft" }),
  HttpApiSchema.Multipart(FormOf.create)
)
const Patch = Schema.Union(
  HttpApiSchema.withEncoding(FormOf.update, { kind: "UrlParams" }).annotations({
    identifier: "SignalFormPatch"
  }),
  JsonPatch.annotations({ identifier: "SignalPatch" }),
  HttpApiSchema.Multipart(FormOf.update)
)
const Created = SignalView.annotations({
  ...HttpApiSchema.annotations({ status: 201 }),
  identifier: "Signal"
})

const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export const Signals = HttpApiGroup.make("signals")
  .add(
    HttpApiEndpoint.get("list", "/v1/signals")
      .setUrlParams(Page)
      .addSuccess(SignalList)
      .addError(Problems.Unprocessable)
      .annotateContext(
        words("List signals", "The caller's own signals, all of them unless `limit` is given.")
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/v1/signals")
      .setHeaders(IdempotencyKey)
      .setPayload(Draft)
      .addSuccess(Created)
      .addError(Problems.ofBody("idempotency_key_reused", "too_many_signals"))
      .annotateContext(words("Create a signal", "A form or JSON. `Location` holds the signal's address."))
  )
  .add(
    HttpApiEndpoint.get("get", "/v1/signals/:id")
      .setPath(pathOf("SignalId"))
      .addSuccess(SignalView)
      .addError(Problems.NotFound)
      .annotateContext(words("Retrieve a signal", "The caller's own, or a public one."))
  )
  .add(
    HttpApiEndpoint.get("template", "/v1/signals/:id/template")
      .setPath(pathOf("SignalId"))
      .addSuccess(TemplateView)
      .addError(Problems.NotFound)
      .annotateContext(
        words(
          "Read what to paste into a charting platform",
          "The webhook's address for one of the caller's own signals, and messages for every kind of alert. It makes no token: `signalbox token create --scope alerts` does, and `signalbox signal url` does all of it."
        )
      )
  )
  .add(
    HttpApiEndpoint.put("update", "/v1/signals/:id")
      .setPath(pathOf("SignalId"))
      .setPayload(Patch)
      .addSuccess(SignalView)
      .addError(Problems.OfBody)
      .addError(Problems.NotFound)
      .annotateContext(words("Update a signal", "A form or JSON; fields that are left out stay as they are."))
  )
  .add(
    HttpApiEndpoint.del("remove", "/v1/signals/:id")
      .setPath(pathOf("SignalId"))
      .addSuccess(Done)
      .addError(Problems.NotFound)
      .annotateContext(words("Delete a signal", "For ever. Strategies that follow it are detached."))
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "signals" }))
  .annotateContext(
    OpenApi.annotations({ title: "Signals", description: "Named sources of buy and sell instructions." })
  )
