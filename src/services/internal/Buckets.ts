// Token buckets of one process, by key. Their number is bounded: the least recently used is forgotten, as if it were
// full.

/** The most buckets that are kept. */
export const MAX_BUCKETS = 10_000

interface Bucket {
  tokens: number
  /** When the last whole token came back (ms since the epoch). */
  filledAt: number
}

/** A set of token buckets. */
export interface Buckets {
  /**
   * Takes a token from a bucket that holds `limit`, at `now` (ms since the epoch). Returns how many are left; a
   * negative number means that nothing was taken and so many tokens have to come back first.
   */
  readonly take: (key: string, limit: number, now: number) => number
}

/** Makes buckets that refill evenly within `windowMs`. A clock that goes backwards costs nobody a token. */
export const make = (windowMs: number, max: number = MAX_BUCKETS): Buckets => {
  const buckets = new Map<string, Bucket>()
  const open = (key: string, limit: number, now: number): Bucket => {
    const known = buckets.get(key)
    const bucket = known ?? { tokens: limit, filledAt: now }
    // A map iterates by insertion: reinserting marks a bucket as used.
    if (known !== undefined) buckets.delete(key)
    else if (buckets.size >= max) buckets.delete(buckets.keys().next().value ?? key)
    buckets.set(key, bucket)
    return bucket
  }
  return {
    take: (key, limit, now) => {
      const bucket = open(key, limit, now)
      const every = windowMs / limit
      const refilled = Math.floor((now - bucket.filledAt) / every)
      if (refilled > 0) {
        bucket.tokens = Math.min(limit, bucket.tokens + refilled)
        bucket.filledAt += refilled * every
      } else if (now < bucket.filledAt) bucket.filledAt = now
      const left = bucket.tokens - 1
      if (left >= 0) bucket.tokens = left
      return left
    }
  }
}
