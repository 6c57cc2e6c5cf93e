// The contract of signing in to the dashboard. A session cookie stands for a token, and never outlives it.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { TokenId } from "../domain/Account.ts"
import { moment } from "./shared/Moment.ts"
import { Done } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"

export const SESSION_PATH = "/v1/dashboard/session"

/** The session of a signed-in user. */
export const SessionView = Schema.Struct({
  account: Schema.String.annotations({ description: "the account's name" }),
  token_id: TokenId.annotations({ description: "the token that was signed in with" }),
  operator: Schema.Boolean.annotations({
    description:
      "whether it is the account that was made first, whose exchanges, markets and backups these are"
  }),
  expires_at: Schema.NullOr(Schema.Int).annotations({
    description:
      "when one has to sign in again at the latest, seconds since the Unix epoch; null for a token that never expires"
  }),
  version: Schema.String.annotations({ description: "of the server's program" }),
  prices: Schema.String.annotations({ description: "where prices come from, in words" }),
  now: moment("the server's time"),
  position: Schema.String.annotations({
    description: "the position of this answer among the events: `last_event_id` for a stream of later ones"
  })
}).annotations({ identifier: "Session", description: "Who is signed in." })
export type SessionView = typeof SessionView.Type

/** The answer to a stranger: nothing about the server but whether it waits for its first account. */
const Nobody = Schema.Struct({
  account: Schema.Null,
  unclaimed: Schema.optionalWith(Schema.Literal(true), { exact: true }).annotations({
    description: "there is no account yet: a code from the terminal makes the first one; otherwise absent"
  })
}).annotations({
  identifier: "NoSession",
  description: "Nobody is signed in."
})

/** The session, or that there is none. */
export const Shown = Schema.Union(SessionView, Nobody)

const Credentials = Schema.Struct({
  token: Schema.String.annotations({ description: "a token of scope `full`" })
}).annotations({ identifier: "Credentials", description: "A token to sign in with." })

const OneTimeCode = Schema.Struct({
  code: Schema.String.annotations({
    description:
      "a code that `signalbox serve` or `signalbox open` printed: it counts once, within ten minutes"
  }),
  account: Schema.optionalWith(Schema.String, { exact: true }).annotations({
    description: "the name of the account to make; needed where the server has none yet, ignored otherwise"
  })
}).annotations({ identifier: "OneTimeCode", description: "A code from the terminal to sign in with." })

const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export const Sessions = HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.post("begin", SESSION_PATH)
      .setPayload(Schema.Union(Credentials, OneTimeCode))
      .addSuccess(SessionView)
      .addError(Problems.OfJsonBody)
      .addError(Problems.Unauthorized)
      .addError(Problems.Forbidden)
      .addError(Problems.TooMany)
      .annotateContext(
        words(
          "Sign in",
          "JSON: a token, or a one-time code that the terminal printed. Sets the cookie `signalbox_session` (over TLS `__Host-signalbox_session`), which stands for the token in every operation that takes one: for 30 days, 7 without use, and never longer than the token counts. Where a browser says where the request comes from, that has to be this very server."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("show", SESSION_PATH)
      .addSuccess(Shown)
      .addError(Problems.Unauthorized)
      .addError(Problems.Forbidden)
      .addError(Problems.TooMany)
      .annotateContext(
        words(
          "Show who is signed in",
          "By the cookie, or by a token. Without either, the answer is that nobody is signed in; a cookie whose session has ended is taken away."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("end", SESSION_PATH)
      .addSuccess(Done)
      .middleware(Bearer)
      .annotateContext(words("Sign out", "Ends the session at once, and takes its cookie away."))
  )
  .annotate(Access, Access.of({ scope: "full", bucket: "dashboard" }))
  .annotateContext(OpenApi.annotations({ title: "Sessions", description: "Signing in to the dashboard." }))
