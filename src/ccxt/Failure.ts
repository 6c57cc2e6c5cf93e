// Why a request to an exchange failed, from ccxt's error classes: our own short reason, and how long to pause. Nothing
// of the exchange's text is repeated, which may say anything at any length.

/** Why a request failed, and how long (ms) to send nothing more to the exchange. */
export interface Failure {
  readonly reason: string
  readonly pauseMs: number
}

/** The reason of a limit or ban, which pauses all requests to the exchange. */
export const LIMITED = "it limits our requests"

/** The reason and default pause of each error class of ccxt. */
const KNOWN: ReadonlyMap<string, Failure> = new Map(
  Object.entries({
    RateLimitExceeded: { reason: LIMITED, pauseMs: 5000 },
    DDoSProtection: { reason: LIMITED, pauseMs: 30_000 },
    OnMaintenance: { reason: "it is under maintenance", pauseMs: 10_000 },
    ExchangeNotAvailable: { reason: "it is not available", pauseMs: 0 },
    RequestTimeout: { reason: "it does not answer", pauseMs: 0 },
    NetworkError: { reason: "it cannot be reached", pauseMs: 0 },
    BadSymbol: { reason: "it does not know one of the markets", pauseMs: 10_000 },
    NullResponse: { reason: "its answer is empty", pauseMs: 0 }
  })
)
const UNKNOWN: Failure = { reason: "its answer is not understood", pauseMs: 0 }

const MOST_PAUSE_MS = 600_000

/** The failure behind an error; `Retry-After` in the headers overrides the default pause. */
export const failureOf = (error: unknown, headers: unknown): Failure => {
  // ccxt does not classify KuCoin's rate limit as one.
  const isLimit = String(fieldOf(error, "message")).includes("429000")
  const known = KNOWN.get(isLimit ? "RateLimitExceeded" : String(fieldOf(error, "name"))) ?? UNKNOWN
  if (known.pauseMs === 0) return known
  const asked = Number(fieldOf(headers, "retry-after") ?? fieldOf(headers, "Retry-After")) * 1000
  return asked > 0 ? { ...known, pauseMs: Math.min(asked, MOST_PAUSE_MS) } : known
}

/** A field of an unknown value; undefined if there is none. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
