// The port that posts to addresses which users chose. It guards the operator's network
// (`PublicAddress` says which addresses are public), ends within ten seconds unless the sender waits for longer,
// follows no redirect and never retries.
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A message and its address. The address may contain secrets: it is for the socket alone. */
export interface Posting {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The operator's own choice of address, exempt from the guard. */
  readonly trusted: boolean
  /** For a receiver that holds its response back, or whose response is read: ten seconds and 4 KiB without it. */
  readonly patience?: { readonly timeoutMs: number; readonly maxBytes: number }
}

/** The response. `text` is the start of the body; `retryAfterSeconds` is 0 where the header is absent. */
export interface Posted {
  readonly status: number
  readonly retryAfterSeconds: number
  readonly text: string
}

/** There was no response; `reason` says why and holds nothing of the address. */
export class Undelivered extends Data.TaggedError("Undelivered")<{ readonly reason: string }> {}

/**
 * Posts to addresses that users chose. A port. Ends within ten seconds or the posting's own `patience`, follows no
 * redirect, reads only the start of a response.
 *
 * **An implementation keeps**
 *
 * - Guard: unless a posting is `trusted`, or the operator allows it, an address in the operator's own network is not
 *   reached, whatever its name resolves to at the time of connecting.
 * - Repeats: it posts once and never retries; retrying is up to the sender.
 * - Errors: any status is a response. `Undelivered` where none came, in words that hold nothing of the address, which
 *   may be a secret.
 *
 * **Proved by** no suite: its promises are about sockets, which each adapter has to test itself.
 *
 * @category Ports
 */
export class Outbound extends Context.Tag("signalbox/services/notify/Outbound")<
  Outbound,
  { readonly post: (posting: Posting) => Effect.Effect<Posted, Undelivered> }
>() {
  /** Posts nothing, and says so: for tests, and for apps without notifications. */
  static readonly layerNone = Layer.succeed(Outbound, {
    post: () => new Undelivered({ reason: "this server posts nothing" })
  })
}
