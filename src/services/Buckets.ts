import * as RateLimiter from "@effect/experimental/RateLimiter"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** The most buckets that are kept: beyond it the one used longest ago is forgotten, as if it were full. */
export const MAX_BUCKETS = 10_000

interface Bucket {
  tokens: number
  /** When the last whole token came back: ms since the epoch. */
  filledAt: number
}

/**
 * The store of token buckets for one process. The library's own never forgets a bucket; this one holds at most
 * `max`, and a clock that goes backwards costs nobody a token. A token comes back every `refillRate`.
 */
export const makeStore = (max: number = MAX_BUCKETS) => {
  const buckets = new Map<string, Bucket>()
  const open = (key: string, limit: number, now: number): Bucket => {
    const known = buckets.get(key)
    const bucket = known ?? { tokens: limit, filledAt: now }
    // A map keeps the order of insertion: what is used goes to its end.
    if (known !== undefined) buckets.delete(key)
    else if (buckets.size >= max) buckets.delete(buckets.keys().next().value ?? key)
    buckets.set(key, bucket)
    return bucket
  }
  return RateLimiter.RateLimiterStore.of({
    fixedWindow: () => Effect.dieMessage("only token buckets are kept here"),
    tokenBucket: ({ key, tokens, limit, refillRate, allowOverflow }) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const bucket = open(key, limit, now)
        const every = Duration.toMillis(refillRate)
        const refilled = Math.floor((now - bucket.filledAt) / every)
        if (refilled > 0) {
          bucket.tokens = Math.min(limit, bucket.tokens + refilled)
          bucket.filledAt += refilled * every
        } else if (now < bucket.filledAt) bucket.filledAt = now
        const left = bucket.tokens - tokens
        if (allowOverflow || left >= 0) bucket.tokens = left
        return left
      })
  })
}
