// How long nothing is sent to an exchange after it limited or banned us, or is under maintenance. Its `Retry-After`
// wins over these lengths, up to the longest; what one exchange says in words of its own stands in `descriptors/`.

/** A pause of requests, in ms. */
export const PAUSE_MS = {
  /** Status 429, and ccxt's RateLimitExceeded. */
  limit: 5000,
  /** ccxt's DDoSProtection: a limit of the whole site. */
  protection: 30_000,
  /** Status 418: the machine's address is banned. */
  ban: 60_000,
  /** ccxt's OnMaintenance. */
  maintenance: 10_000,
  /** A market that the exchange does not know: its list is read again first. */
  market: 10_000
} as const

/** The longest pause (ms) that a `Retry-After` can set for prices. */
export const MOST_FEED_PAUSE_MS = 600_000
/** The longest pause (ms) that an answer can set for all requests. */
export const MOST_PAUSE_MS = 3_600_000
/** Bans last up to three days, and longer if ignored. */
export const MOST_BAN_MS = 3 * 86_400_000
