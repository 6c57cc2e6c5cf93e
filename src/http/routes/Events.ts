// The route of the event stream: it starts at the caller's last event id, or at the newest event.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import { Api } from "../../api/Api.ts"
import { Caller } from "../../api/shared/Security.ts"
import { positionOf } from "../../domain/Event.ts"
import { Violations, violation } from "../../domain/requests/Violations.ts"
import { Events } from "../../services/Events.ts"
import { withHeaders } from "../access/Guard.ts"
import { CONTENT_TYPE, EventStreams } from "../edge/EventStreams.ts"
import { refuse } from "../Problems.ts"

/** When a caller with too many streams may try again (seconds). */
const RETRY_SECONDS = "10"

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "events", (handlers) =>
  Effect.gen(function* () {
    const events = yield* Events
    const streams = yield* EventStreams

    const stream = Effect.fn("http.Events.stream")(function* (last: string | undefined, isHead: boolean) {
      const caller = yield* Caller
      const from = last === undefined ? yield* events.head : positionOf(last)
      if (from === undefined) {
        const text = "must be the id of an event of this stream"
        return yield* Violations.of([violation("last_event_id", text)])
      }
      const body = isHead ? null : yield* streams.open(caller, from)
      // A proxy that buffers whole responses would hold a stream back for ever.
      return HttpServerResponse.raw(body, {
        contentType: CONTENT_TYPE,
        headers: { "x-accel-buffering": "no" }
      })
    })

    return handlers.handleRaw("stream", ({ headers, request, urlParams }) => {
      const lastEventId = urlParams.last_event_id
      // A browser sends the header empty before the first event.
      const last =
        headers["last-event-id"] || (typeof lastEventId === "string" ? lastEventId : lastEventId?.join())
      return stream(last === "" ? undefined : last, request.method === "HEAD").pipe(
        Effect.tapErrorTag("RequestRejected", ({ kind: [status] }) =>
          status === 429 ? withHeaders({ "retry-after": RETRY_SECONDS }) : Effect.void
        ),
        refuse
      )
    })
  })
)
