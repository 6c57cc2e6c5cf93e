// The failure of a request to an exchange, by ccxt's error classes: our own short reason, and the pause to make. The
// exchange's own text is never passed on: it may be long, or hold anything.
import type { ExchangeName } from "../domain/Market.ts"
import { descriptors } from "./descriptors.ts"
import { fieldOf } from "./Field.ts"
import { MOST_FEED_PAUSE_MS, PAUSE_MS } from "./PauseLengths.ts"

/** Why a request failed, and how long (ms) to send nothing more to the exchange. */
export interface Failure {
  readonly reason: string
  readonly pauseMs: number
}

/** The failure of a request. A limit or a ban pauses all requests to the exchange. */
export interface RequestFailure extends Failure {
  readonly isLimit: boolean
}

/** A limit or a ban, for this long. */
export const limited = (pauseMs: number): RequestFailure => ({
  ...{ reason: "it limits our requests", pauseMs, isLimit: true }
})
/** Any other failure. */
const failed = (reason: string, pauseMs = 0): RequestFailure => ({ reason, pauseMs, isLimit: false })

/** The failure of each error class of ccxt, with its default pause. */
const KNOWN: ReadonlyMap<string, RequestFailure> = new Map(
  Object.entries({
    RateLimitExceeded: limited(PAUSE_MS.limit),
    DDoSProtection: limited(PAUSE_MS.protection),
    OnMaintenance: failed("it is under maintenance", PAUSE_MS.maintenance),
    ExchangeNotAvailable: failed("it is not available"),
    RequestTimeout: failed("it does not answer"),
    NetworkError: failed("it cannot be reached"),
    BadSymbol: failed("it does not know one of the markets", PAUSE_MS.market),
    NullResponse: failed("its answer is empty")
  })
)
const UNKNOWN = failed("its answer is not understood")

/** The failure behind an error; `Retry-After` in the headers overrides the default pause. */
export const failureOf = (exchange: ExchangeName, error: unknown, headers: unknown): RequestFailure => {
  const isLimit = descriptors[exchange].limit?.test(String(fieldOf(error, "message"))) === true
  const known = KNOWN.get(isLimit ? "RateLimitExceeded" : String(fieldOf(error, "name"))) ?? UNKNOWN
  if (known.pauseMs === 0) return known
  const retryAfterMs = Number(fieldOf(headers, "retry-after") ?? fieldOf(headers, "Retry-After")) * 1000
  return retryAfterMs > 0 ? { ...known, pauseMs: Math.min(retryAfterMs, MOST_FEED_PAUSE_MS) } : known
}
