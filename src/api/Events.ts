// The contract of the event stream (server-sent events): each event once, in order, from now on or from a given
// position.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Reason } from "../domain/Alert.ts"
import { EventKind, KINDS } from "../domain/Event.ts"
import { EVENTS_PATH } from "./shared/Paths.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"

/** An event: the JSON of a stream's `data` line and of a webhook's `data` field. */
export const EventView = Schema.Struct({
  id: Schema.String.annotations({ description: "the same in every stream and every delivery" }),
  kind: EventKind.annotations({ description: "the kind of event" }),
  at: Schema.Int.annotations({ description: "when it happened, milliseconds since the Unix epoch" }),
  rule: Schema.String.annotations({ description: "the rule behind it: finer than the kind" }),
  text: Schema.String.annotations({ description: "the event, in words" }),
  strategy_id: Schema.NullOr(Schema.Int),
  strategy_name: Schema.NullOr(Schema.String),
  alert_id: Schema.NullOr(Schema.Int),
  reason: Schema.NullOr(Reason),
  facts: Schema.Record({
    key: Schema.String,
    value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean)
  }).annotations({ description: "the numbers behind it, as numbers or decimal texts" })
}).annotations({ identifier: "Event", description: "Something that happened in the account." })
const kinds = Object.entries(KINDS)
  .map(([kind, words]) => `\`${kind}\`: ${words}`)
  .join("; ")

const Stream = HttpApiSchema.Text({ contentType: "text/event-stream" }).annotations({
  description:
    "server-sent events: `id` is a position to go on from, `event` the kind, `data` an Event as JSON"
})
const Repeatable = Schema.Union(Schema.String, Schema.Array(Schema.String))

export const Events = HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("stream", EVENTS_PATH)
      .setHeaders(
        Schema.Struct({
          "last-event-id": Schema.optional(Schema.String).annotations({
            description: "the `id` of the last event that was seen: what came after it is sent first"
          })
        })
      )
      .setUrlParams(
        Schema.Struct({
          last_event_id: Schema.optional(Repeatable).annotations({
            description: "the same, for callers that cannot send the header, which decides over it",
            jsonSchema: { type: "string" }
          })
        })
      )
      .addSuccess(Stream)
      .addError(Problems.Unprocessable)
      .annotateContext(
        OpenApi.annotations({
          summary: "Follow events",
          description: `Everything that happens in the account, each once and in order, as server-sent events; from now on, or from where a stream ended. A comment every 15 seconds keeps it open. It ends within 5 s once its token or session has ended, and a token's after five minutes: connect again. Kinds: ${kinds}. Each \`data\` holds \`id\`, \`kind\`, \`at\` (ms), \`rule\`, \`text\`, \`strategy_id\`, \`strategy_name\`, \`alert_id\`, \`reason\` and \`facts\`.`
        })
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "reads" }))
  .annotateContext(OpenApi.annotations({ title: "Events", description: "What happens, as it happens." }))
