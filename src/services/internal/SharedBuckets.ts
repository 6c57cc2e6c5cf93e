// The token buckets of one of several servers: its own ones, from which it takes at once, and questions to the common ones,
// many at a time and one after another. `LimitShares` has the sizes, and why they keep the limit.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { MAX_BUCKETS } from "./Buckets.ts"
import * as LimitShares from "./LimitShares.ts"

/** Tokens that are wanted of a common bucket. */
export interface Wanted extends LimitShares.Size {
  readonly key: string
  readonly tokens: number
}

/** What a common bucket gave, and how many it has left. */
export interface Given {
  readonly tokens: number
  readonly left: number
}

/** The common buckets, as a server sees them. */
export interface TokenPool {
  /** Takes tokens of different buckets, as many as there are; those that are given come in the sequence of the question. */
  readonly take: (wanted: ReadonlyArray<Wanted>) => Effect.Effect<ReadonlyArray<Given>>
  /** How many servers share the limits, and since when this one has own buckets (ms); undefined where it is not sure. */
  readonly share: () => { readonly servers: number; readonly since: number } | undefined
}

/** `left`: tokens that are left after one was taken. `refusedMs`: nothing was taken, and there is one after so long. */
export type Taken = { readonly left: number } | { readonly refusedMs: number }

interface Waiting {
  readonly resume: (taken: Effect.Effect<Taken>) => void
}

interface Bucket {
  readonly of: LimitShares.Limit
  /** Tokens of the own bucket, at a time (ms). */
  tokens: number
  filledAt: number
  /** The common bucket's tokens as they were seen last, and until when it is known to have none (ms). */
  common: number
  emptyUntil: number
  readonly waiting: Set<Waiting>
}

/** Buckets of one question. */
const AT_ONCE = 500

/** The own buckets, by key, at most so many. */
const ownBuckets = (pool: TokenPool, max: number) => {
  const buckets = new Map<string, Bucket>()
  /** When a bucket was forgotten last (ms): one that is made again holds nothing from before. */
  let forgottenAt = 0

  const forgetOne = (now: number): void => {
    for (const [key, { waiting }] of buckets)
      if (waiting.size === 0) {
        buckets.delete(key)
        forgottenAt = Math.max(forgottenAt, now)
        return
      }
  }

  const refill = (bucket: Bucket, now: number): LimitShares.Size | undefined => {
    const share = pool.share()
    if (share === undefined) {
      bucket.tokens = 0
      bucket.filledAt = now
      return undefined
    }
    const size = LimitShares.own(bucket.of, share.servers)
    if (share.since > bucket.filledAt) {
      bucket.tokens = 0
      bucket.filledAt = share.since
    }
    const since = Math.max(0, now - bucket.filledAt)
    bucket.tokens = Math.min(size.capacity, bucket.tokens + (size.perSecond * since) / 1000)
    bucket.filledAt = now
    return size
  }

  /** The bucket of a key with what has come back by now. */
  const open = (key: string, of: LimitShares.Limit, now: number): Bucket => {
    const known = buckets.get(key)
    // A map iterates by insertion: reinserting marks a bucket as used.
    if (known !== undefined) buckets.delete(key)
    else if (buckets.size >= max) forgetOne(now)
    const bucket: Bucket = known ?? {
      ...{ of, tokens: 0, filledAt: forgottenAt, common: 0, emptyUntil: 0 },
      waiting: new Set()
    }
    buckets.set(key, bucket)
    refill(bucket, now)
    return bucket
  }
  return { buckets, open, refill }
}

/** How long one token takes (ms). */
const everyMs = ({ limit, windowSeconds }: LimitShares.Limit): number => (1000 * windowSeconds) / limit

/** How long the common bucket is known to have nothing (ms). A clock that was set back is not waited for. */
const emptyFor = ({ emptyUntil, of }: Bucket, now: number): number => {
  const left = emptyUntil - now
  return left > 0 && left <= Math.max(1, everyMs(of)) ? left : 0
}

/** A question's bucket, and those who waited for its tokens when it was sent. */
interface Questioned {
  readonly bucket: Bucket
  readonly before: ReadonlyArray<Waiting>
}

/** Answers those who waited when the question was sent, and keeps what is left over. */
const handOut = ({ before, bucket }: Questioned, size: LimitShares.Size, given: Given, now: number): void => {
  let { tokens } = given
  bucket.common = given.left
  if (tokens < before.length) bucket.emptyUntil = now + Math.max(1, (1 - given.left) * everyMs(bucket.of))
  for (const one of before) {
    if (!bucket.waiting.delete(one)) continue
    if (tokens > 0) {
      tokens--
      one.resume(Effect.succeed({ left: leftIn(bucket) }))
    } else one.resume(Effect.succeed({ refusedMs: Math.max(1, bucket.emptyUntil - now) }))
  }
  bucket.tokens = Math.min(size.capacity, bucket.tokens + tokens)
}

const leftIn = ({ common, tokens }: Bucket): number => Math.floor(tokens) + Math.floor(common)

const NOTHING: LimitShares.Size = { capacity: 0, perSecond: 0 }

/** The buckets that tokens are wanted of, and the questions for them: one after another. */
const questions = Effect.fnUntraced(function* (
  pool: TokenPool,
  { buckets, refill }: ReturnType<typeof ownBuckets>
) {
  const wanting = new Set<string>()
  const isWanting = yield* Effect.makeLatch(false)

  const wantedOf = (key: string, bucket: Bucket, now: number): Wanted => {
    const { capacity } = refill(bucket, now) ?? NOTHING
    const tokens = bucket.waiting.size + Math.max(0, capacity - Math.ceil(bucket.tokens))
    return { key, tokens, ...LimitShares.common(bucket.of) }
  }

  /** Takes some of those that tokens are wanted of. */
  const next = () => {
    const some = [...wanting].slice(0, AT_ONCE).flatMap((key) => {
      wanting.delete(key)
      const bucket = buckets.get(key)
      return bucket === undefined || bucket.waiting.size === 0
        ? []
        : [{ key, bucket, before: [...bucket.waiting] }]
    })
    if (wanting.size === 0) isWanting.unsafeClose()
    return some
  }

  const once = Effect.gen(function* () {
    yield* isWanting.await
    const now = yield* Clock.currentTimeMillis
    const some = next()
    if (some.length === 0) return
    const given = yield* Effect.exit(pool.take(some.map(({ bucket, key }) => wantedOf(key, bucket, now))))
    const later = yield* Clock.currentTimeMillis
    for (const [place, { before, bucket }] of some.entries()) {
      const mine = Exit.isSuccess(given) ? given.value[place] : undefined
      if (mine !== undefined) handOut({ bucket, before }, refill(bucket, later) ?? NOTHING, mine, later)
      else if (Exit.isFailure(given))
        for (const one of before) if (bucket.waiting.delete(one)) one.resume(Effect.failCause(given.cause))
    }
  })
  yield* Effect.forkScoped(Effect.forever(once))

  return (key: string): void => {
    wanting.add(key)
    isWanting.unsafeOpen()
  }
})

/** Makes the buckets of one server. */
export const make = Effect.fnUntraced(function* (pool: TokenPool, max: number = MAX_BUCKETS) {
  const own = ownBuckets(pool, max)
  const { open } = own
  const want = yield* questions(pool, own)

  return {
    /** Takes a token at once, or refuses; undefined where the common bucket has to be queried. */
    take: (key: string, of: LimitShares.Limit, now: number): Taken | undefined => {
      const bucket = open(key, of, now)
      if (bucket.waiting.size === 0 && bucket.tokens >= 1) {
        bucket.tokens--
        return { left: leftIn(bucket) }
      }
      const refusedMs = emptyFor(bucket, now)
      return refusedMs > 0 ? { refusedMs } : undefined
    },
    /** Whether `take` would have to query the common bucket. */
    mustAsk: (key: string, of: LimitShares.Limit, now: number): boolean => {
      const bucket = open(key, of, now)
      return (bucket.waiting.size > 0 || bucket.tokens < 1) && emptyFor(bucket, now) === 0
    },
    /** Takes a token of the common bucket. Dies where that cannot be queried. */
    fetch: (key: string, of: LimitShares.Limit): Effect.Effect<Taken> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.async<Taken>((resume) => {
          const { waiting } = open(key, of, now)
          const one: Waiting = { resume }
          waiting.add(one)
          want(key)
          return Effect.sync(() => waiting.delete(one))
        })
      )
  }
})

/** The buckets of one server. */
export type SharedBuckets = Effect.Effect.Success<ReturnType<typeof make>>
