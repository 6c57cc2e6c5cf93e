// Asks one exchange for its markets and stores them: for `market refresh`, and where a file names a pair that is not known.
import * as Effect from "effect/Effect"
import { ask } from "../../ccxt/Listings.ts"
import { load } from "../../ccxt/load.ts"
import type { KnownExchange } from "../../domain/Market.ts"
import { Markets } from "../../services/Markets.ts"
import type { Outcome } from "./report.ts"

/** Asks the exchange, at `url` where one is given, and stores its response; Left explains a failure. */
export const renewed = Effect.fn("Renewal.renewed")(function* (
  exchange: KnownExchange,
  url: string | undefined
) {
  const markets = yield* Markets
  const result: Outcome["result"] = yield* Effect.gen(function* () {
    const listing = yield* ask(exchange, () => load(exchange, url))
    return { listing, report: yield* markets.renew(listing) }
  }).pipe(
    Effect.mapError(({ message }) => message),
    Effect.either
  )
  return { exchange, result }
})
