// The rejections of the HTTP layer itself: authentication, origin, media type, size. Their messages never quote the
// request.
import * as Data from "effect/Data"
import type { Kind } from "../api/shared/Codes.ts"

/** A request that the HTTP layer rejects. */
export class RequestRejected extends Data.TaggedError("RequestRejected")<{
  readonly kind: Kind
  readonly message: string
}> {}

export const unauthorized = new RequestRejected({
  kind: [401, "unauthorized"],
  message: "a valid token is needed: Authorization: Bearer <token>, or ?key=<token> for the webhook"
})

export const signedOut = new RequestRejected({
  kind: [401, "unauthorized"],
  message: "this session has ended: sign in again with a token"
})

export const codeRefused = new RequestRejected({
  kind: [401, "unauthorized"],
  message:
    "this code does not count: it is mistyped, used up or older than ten minutes; signalbox open prints another on the server's machine"
})

export const crossSite = new RequestRejected({
  kind: [403, "cross_site"],
  message:
    "a session counts only on pages of this very server: the request's Origin is not its own (behind a proxy that speaks TLS, name it in --trusted-proxies)"
})

export const notOperator = new RequestRejected({
  kind: [403, "forbidden"],
  message: "this is the operator's: the account that was made first on this server"
})

export const forbidden = new RequestRejected({
  kind: [403, "forbidden"],
  message: "this token reaches only the alert operations: use one with the scope full"
})

/** The body exceeds the bound (in bytes). */
export const tooLarge = (most: number) =>
  new RequestRejected({
    kind: [413, "body_too_large"],
    message: `the body is larger than ${most < 2 ** 20 ? `${most / 1024} KiB` : `${most / 2 ** 20} MiB`}`
  })

export const notJson = new RequestRejected({
  kind: [415, "unsupported_media_type"],
  message: "this is sent as JSON, with the header Content-Type: application/json"
})

export const malformed = (message: string): RequestRejected =>
  new RequestRejected({ kind: [400, "malformed_body"], message })

export const aborted = malformed("the body ended before it was complete")

export const stillHalted = new RequestRejected({
  kind: [409, "still_halted"],
  message:
    "entries stay halted for everybody: only the operator or `signalbox resume` on the machine ends that"
})
