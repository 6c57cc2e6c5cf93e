// The contract of notification targets. Addresses, tokens and secrets go in and never come out, except for a new
// webhook's secret, once.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { EventKind } from "../domain/Event.ts"
import { ChannelKind, type Target, TargetId } from "../domain/Target.ts"
import { ChatList, Invitation } from "./Chats.ts"
import { Done, IdempotencyKey, pathOf } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"

const time = (description: string) =>
  Schema.NullOr(Schema.Int).annotations({ description: `${description}, seconds since the Unix epoch` })

const fields = {
  id: TargetId.annotations({ description: "identifier" }),
  kind: ChannelKind,
  name: Schema.String,
  to: Schema.String.annotations({ description: "the destination, without its secrets" }),
  events: Schema.Array(EventKind).annotations({ description: "the kinds of events that it is sent" }),
  state: Schema.Literal("working", "failing", "disabled").annotations({
    description: "`failing` is tried again, ever more seldom; `disabled` until a test works"
  }),
  pending: Schema.Int.annotations({ description: "events that wait for it; 1000 stands for that or more" }),
  delivered: Schema.Int,
  given_up: Schema.Int.annotations({ description: "events that could not be delivered within a day" }),
  last_success_at: time("when something was delivered last"),
  last_failure_at: time("when a delivery failed last"),
  last_failure: Schema.NullOr(Schema.String).annotations({ description: "why it failed, in words" }),
  next_try_at: time("when the next try is"),
  created_at: Schema.Int.annotations({ description: "when it was made, seconds since the Unix epoch" })
}

/** A target as its owner reads it, without its address, tokens and secret. */
export const TargetView = Schema.Struct(fields).annotations({
  identifier: "Notification",
  description: "A target of notifications, and the state of its deliveries."
})
export type TargetView = typeof TargetView.Type

const seconds = (millis: number) => (millis === 0 ? null : Math.floor(millis / 1000))

export const targetView = (target: Target, pending: number): TargetView => {
  const { createdAt, id, kind, kinds, name, progress, to } = target
  const { delivered, disabled, failures, givenUp, lastFailure, lastFailureAt, lastSuccessAt, nextAt } =
    progress
  return {
    id,
    kind,
    name,
    to,
    events: kinds,
    state: disabled !== "" ? "disabled" : failures > 0 ? "failing" : "working",
    pending,
    delivered,
    given_up: givenUp,
    last_success_at: seconds(lastSuccessAt),
    last_failure_at: seconds(lastFailureAt),
    last_failure: lastFailure === "" ? null : lastFailure,
    next_try_at: disabled === "" ? seconds(nextAt) : null,
    created_at: createdAt
  }
}

export const TargetList = Schema.Struct({ data: Schema.Array(TargetView) }).annotations({
  identifier: "NotificationList",
  description: "Notifications, in order of their making."
})

const Created = Schema.Struct({
  ...fields,
  secret: Schema.optional(Schema.String).annotations({
    description: "of a webhook: what its signatures are made with; shown only now"
  })
}).annotations({
  ...HttpApiSchema.annotations({ status: 201 }),
  identifier: "NewNotification",
  description: "A notification as it is shown once."
})
export const NewTarget = Created

const events = Schema.optional(Schema.Array(EventKind)).annotations({
  description: "the kinds of events that it is sent; the usual ones where left out"
})
const name = Schema.optional(Schema.String).annotations({ description: "1 to 64 characters" })
const url = Schema.String.annotations({
  description: "https, and public unless the operator allows others; never shown again"
})
const secret = (what: string) => Schema.String.annotations({ description: `${what}; never shown again` })

const Draft = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("webhook"), name, url, events }),
  Schema.Struct({
    kind: Schema.Literal("telegram"),
    name,
    token: secret("the token of a bot"),
    chat_id: Schema.Union(Schema.String, Schema.Int),
    events
  }),
  Schema.Struct({ kind: Schema.Literal("discord"), name, url, events }),
  Schema.Struct({
    kind: Schema.Literal("ntfy"),
    name,
    url: url.annotations({ description: "of the topic; never shown again" }),
    token: Schema.optional(secret("an access token, where the topic wants one")),
    events
  })
).annotations({ identifier: "NotificationDraft" })

/** The result of a test message. */
export const Tested = Schema.Struct({
  delivered: Schema.Boolean,
  message: Schema.String.annotations({ description: "the result, in words" })
}).annotations({ identifier: "NotificationTest", description: "The result of a test message." })

const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export const Notifications = HttpApiGroup.make("notifications")
  .add(
    HttpApiEndpoint.get("list", "/v1/notifications")
      .addSuccess(TargetList)
      .annotateContext(words("List notifications", "With what was delivered, what failed and what waits."))
  )
  .add(
    HttpApiEndpoint.post("create", "/v1/notifications")
      .setHeaders(IdempotencyKey)
      .setPayload(Draft)
      .addSuccess(Created)
      .addError(Problems.ofJsonBody("idempotency_key_reused", "too_many_notifications"))
      .annotateContext(
        words(
          "Create a notification",
          "JSON. It receives events from now on. A webhook's answer holds the secret of its signatures (Standard Webhooks). Under an `Idempotency-Key` it is made once, and the secret is not stored for that: an answer that is given again has none. Its address, tokens and secret are stored sealed; `vault_locked` (503): the server has no master key to seal them with."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/v1/notifications/:id")
      .setPath(pathOf("TargetId"))
      .addSuccess(Done)
      .addError(Problems.NotFound)
      .annotateContext(words("Delete a notification", "For ever, with what waits for it."))
  )
  .add(
    HttpApiEndpoint.post("test", "/v1/notifications/:id/test")
      .setPath(pathOf("TargetId"))
      .addSuccess(Tested)
      .addError(Problems.NotFound)
      .annotateContext(
        words(
          "Test a notification",
          "Sends a message now. One that arrives puts a failing target back to work."
        )
      )
  )
  .add(
    HttpApiEndpoint.post("pair", "/v1/notifications/:id/pair")
      .setPath(pathOf("TargetId"))
      .addSuccess(Invitation)
      .addError(Problems.NotFound)
      .addError(Problems.Unprocessable)
      .annotateContext(
        words(
          "Pair a chat",
          "Of a Telegram notification: issues a code that counts once, for ten minutes. Whoever sends it to the bot may read the account's records and stop its bots from that chat; nothing that raises risk goes through a chat."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("chats", "/v1/chats")
      .addSuccess(ChatList)
      .annotateContext(words("List paired chats", "Who may give commands from a chat."))
  )
  .add(
    HttpApiEndpoint.del("unpair", "/v1/chats/:id")
      .setPath(pathOf("PairingId"))
      .addSuccess(Done)
      .addError(Problems.NotFound)
      .annotateContext(words("Remove a paired chat", "It reads and stops nothing from then on."))
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "notifications" }))
  .annotateContext(
    OpenApi.annotations({ title: "Notifications", description: "Targets that events are sent to." })
  )
