import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** What is posted, and where. The address may hold secrets: it is for the socket alone. */
export interface Posting {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The operator's own choice of address, which no guard looks at. */
  readonly trusted: boolean
}

/** What came back. `text` is the beginning of the body; `retryAfterSeconds` is 0 where nothing is said. */
export interface Posted {
  readonly status: number
  readonly retryAfterSeconds: number
  readonly text: string
}

/** Nothing came back: why, in words that hold nothing of the address. */
export class Undelivered extends Data.TaggedError("Undelivered")<{ readonly reason: string }> {}

/**
 * Posts to addresses that users chose. A port. Ends within ten seconds, follows no redirect, reads little.
 *
 * **Whoever implements it keeps**
 *
 * - Guard: unless a posting is `trusted`, or the operator allows it, an address of the operator's own network is not
 *   reached, whatever its name resolves to by the time of connecting.
 * - Repeats: it posts once and never by itself again; trying anew is the sender's.
 * - Errors: any status is an answer. `Undelivered` where none came, in words that hold nothing of the address, which
 *   may be a secret.
 *
 * **Proved by** no suite: what it promises is about sockets, which an adapter has to try itself.
 *
 * @category Ports
 */
export class Outbound extends Context.Tag("signalbox/services/people/Outbound")<
  Outbound,
  { readonly post: (posting: Posting) => Effect.Effect<Posted, Undelivered> }
>() {
  /** Posts nothing, and says so: for tests, and for apps that send nothing by themselves. */
  static readonly layerNone = Layer.succeed(Outbound, {
    post: () => new Undelivered({ reason: "this server posts nothing" })
  })
}
