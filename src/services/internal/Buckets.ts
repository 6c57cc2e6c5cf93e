/** The most buckets that are kept: beyond it the one used longest ago is forgotten, as if it were full. */
export const MAX_BUCKETS = 10_000

interface Bucket {
  tokens: number
  /** When the last whole token came back: ms since the epoch. */
  filledAt: number
}

/** Token buckets of one process, by key. */
export interface Buckets {
  /**
   * Takes a token of a bucket that holds `limit`, at `now` (ms since the epoch). How many are left; below 0 nothing
   * was taken, and as many have to come back first.
   */
  readonly take: (key: string, limit: number, now: number) => number
}

/** Buckets that fill up evenly in `windowMs`. A clock that goes backwards costs nobody a token. */
export const make = (windowMs: number, max: number = MAX_BUCKETS): Buckets => {
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
