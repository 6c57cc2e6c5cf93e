import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Listing } from "../domain/Listing.ts"
import { ExchangeName } from "../domain/Market.ts"
import type { Ccxt } from "./Ccxt.ts"
import { listingOf } from "./Listing.ts"

/** An exchange did not say what its markets are; `reason` says why, and what can be done. */
export class ListingFailed extends Schema.TaggedError<ListingFailed>()("ListingFailed", {
  exchange: ExchangeName,
  reason: Schema.String
}) {
  override get message() {
    return `${this.exchange} ${this.reason}`
  }
}

/** For all that has to be asked of one exchange. */
const LIMIT_SECONDS = 30

/** What an exchange says of its markets now, asked through whatever `open` makes of ccxt. */
export const ask = Effect.fn("Listings.ask")(function* (exchange: ExchangeName, open: () => Promise<Ccxt>) {
  const failed = (reason: string) => new ListingFailed({ exchange, reason })
  const reply = yield* Effect.acquireUseRelease(
    Effect.promise(open),
    (ccxt) =>
      Effect.tryPromise({
        try: () => {
          onlyOurs(ccxt, exchange)
          return ccxt.loadMarkets()
        },
        catch: (cause) => failed(reasonOf(cause))
      }),
    (ccxt) => Effect.ignore(Effect.tryPromise(() => ccxt.close()))
  ).pipe(
    Effect.timeoutFail({
      duration: `${LIMIT_SECONDS} seconds`,
      onTimeout: () =>
        failed(`did not answer within ${LIMIT_SECONDS} s: look at the network, and try again later`)
    })
  )
  const listing: Either.Either<Listing, string> = listingOf(exchange, reply)
  return yield* Either.mapLeft(listing, (what) => failed(nonsense(what)))
})

/** What ccxt calls the two kinds of markets that we trade: it would ask for all others as well. */
const KINDS: { readonly [name in ExchangeName]?: ReadonlyArray<string> } = {
  binance: ["spot", "linear"],
  bybit: ["spot", "linear"],
  okx: ["spot", "swap"],
  kucoin: ["spot", "swap"]
}

const onlyOurs = (ccxt: Ccxt, exchange: ExchangeName): void => {
  const types = KINDS[exchange]
  const known = ccxt.options["fetchMarkets"]
  if (types === undefined) return
  ccxt.options["fetchMarkets"] = { ...(typeof known === "object" ? known : {}), types: [...types] }
}

/** By the names that ccxt gives its errors, which are the same whatever the exchange answered with. */
const reasonOf = (cause: unknown): string => {
  const name = cause instanceof Error ? cause.name : ""
  const text = inOneLine(cause instanceof Error ? cause.message : String(cause))
  switch (name) {
    case "RateLimitExceeded":
    case "DDoSProtection":
      return `was asked too often from this address: try again in a few minutes (${text})`
    case "RequestTimeout":
    case "NetworkError":
      return `cannot be reached: look at the network, and try again later (${text})`
    case "ExchangeNotAvailable":
    case "OnMaintenance":
      return `is out of service: try again later (${text})`
    default:
      return nonsense(text)
  }
}

const nonsense = (text: string) =>
  `answered with what is not understood: try again later, or with a newer program (${text})`

/** Some put whole web pages into their messages. */
const inOneLine = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length > 160 ? `${line.slice(0, 160)}...` : line
}
