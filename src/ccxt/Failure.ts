/** Why a request to an exchange failed, in words, and how long (ms) the exchange asks to be left alone at least. */
export interface Failure {
  readonly reason: string
  readonly pauseMs: number
}

/** Said of a limit or a ban: everything of this exchange has to wait. */
export const LIMITED = "it limits our requests"

/** What the library calls its errors by, what that means, and the pause where the exchange names none. */
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

/** Nothing of what the exchange said goes into the words: it may say anything, and at any length. */
export const failureOf = (error: unknown, headers: unknown): Failure => {
  // KuCoin's limit is no limit to the library.
  const isLimit = String(fieldOf(error, "message")).includes("429000")
  const known = KNOWN.get(isLimit ? "RateLimitExceeded" : String(fieldOf(error, "name"))) ?? UNKNOWN
  if (known.pauseMs === 0) return known
  const asked = Number(fieldOf(headers, "retry-after") ?? fieldOf(headers, "Retry-After")) * 1000
  return asked > 0 ? { ...known, pauseMs: Math.min(asked, MOST_PAUSE_MS) } : known
}

/** A field of whatever came; undefined where there is none. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
