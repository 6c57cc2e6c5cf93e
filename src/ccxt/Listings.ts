// Asks an exchange for its markets through ccxt, within 30 s in all. A failure says why and what to do about it.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { KnownExchange } from "../domain/Market.ts"
import type { Ccxt } from "./Ccxt.ts"
import { failureOf } from "./Failure.ts"
import { listingOf } from "./Listing.ts"

/** An exchange did not deliver its markets; `reason` says why, and what to do. */
export class ListingFailed extends Schema.TaggedError<ListingFailed>()("ListingFailed", {
  exchange: KnownExchange,
  reason: Schema.String
}) {
  override get message() {
    return `${this.exchange} is not refreshed: ${this.reason}`
  }
}

/** The part of ccxt used here. */
export type ListingClient = Pick<Ccxt, "timeout" | "loadMarkets" | "last_response_headers" | "close">

/** The time limits of the whole query and of one request; lists are long and lines may be slow. */
const LIMIT_SECONDS = 30
const REQUEST_MS = 20_000

/** The present listing of an exchange; `open` creates its ccxt. */
export const ask = Effect.fn("Listings.ask")(function* (
  exchange: KnownExchange,
  open: () => Promise<ListingClient>
) {
  const failed = (reason: string) => new ListingFailed({ exchange, reason })
  const reply = yield* Effect.acquireUseRelease(
    Effect.promise(open),
    (ccxt) =>
      Effect.tryPromise({
        try: () => {
          ccxt.timeout = REQUEST_MS
          return ccxt.loadMarkets()
        },
        catch: (cause) => failed(reasonOf(exchange, cause, ccxt.last_response_headers))
      }),
    (ccxt) => Effect.ignore(Effect.tryPromise(() => ccxt.close()))
  ).pipe(
    Effect.timeoutFail({
      duration: `${LIMIT_SECONDS} seconds`,
      onTimeout: () => failed(`it does not answer within ${LIMIT_SECONDS} s; ${ADVICE}`)
    })
  )
  return yield* Either.mapLeft(listingOf(exchange, reply), (what) =>
    failed(`its answer is ${what}; ${ADVICE}`)
  )
})

const ADVICE = "look at the network and at the exchange's own status page, and try again later"

const reasonOf = (exchange: KnownExchange, cause: unknown, headers: unknown): string => {
  const { pauseMs, reason } = failureOf(exchange, cause, headers)
  return `${reason}; ${pauseMs > 0 ? `try again in ${Math.ceil(pauseMs / 1000)} s` : ADVICE}`
}
