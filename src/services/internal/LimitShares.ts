// How servers share one limit, so that over all of them it is what it is on one.
//
// A limit of L requests a second is a bucket that holds L tokens and gets L back each second. Over several servers it is
// poured into several buckets, whose sizes and speeds add up to no more:
//
// - The common one is in the database. It holds L - r tokens and gets (1 - s) L a second.
// - Each of n servers has one of its own, from which a request takes without asking anybody. It holds P = floor(r / n)
//   tokens, and gets s L / n a second. Whoever asks the common one may fill up the own one with what it gives.
//
// Within T seconds all requests together take at most what the buckets hold at the beginning and what they get meanwhile:
//
//   n P + (L - r) + T (n s L / n + (1 - s) L)  <=  L + T L
//
// which is 2 L in any second, and 11 L, 110 %, in any ten. This holds at every moment if the sizes of the own buckets never
// add up to more than r. A request counts when its token is taken, of whichever bucket. So a server knows n for a moment only, and one that comes has no bucket of its own until all others
// have counted it; the bucket is empty then, as is one that was forgotten.
//
// Limits of a few requests a second have no own buckets: each of their requests asks.

/** The least limit that is worth own buckets, and the parts r of its size and s of its speed that are theirs. */
const LEAST_SHARED = 20
const OWN_SIZE = 0.25
const OWN_SPEED = 0.1

/** A bucket: the tokens that it holds, and those that it gets back a second. */
export interface Size {
  readonly capacity: number
  readonly perSecond: number
}

/** A limit: so many requests within a window. */
export interface Limit {
  readonly limit: number
  readonly windowSeconds: number
}

const NONE: Size = { capacity: 0, perSecond: 0 }

const ownInAll = ({ limit, windowSeconds }: Limit): number =>
  windowSeconds === 1 && limit >= LEAST_SHARED ? Math.floor(limit * OWN_SIZE) : 0

/** The common bucket of a limit. */
export const common = (of: Limit): Size => {
  const inAll = ownInAll(of)
  const perSecond = of.limit / of.windowSeconds
  return { capacity: of.limit - inAll, perSecond: inAll === 0 ? perSecond : perSecond * (1 - OWN_SPEED) }
}

/** The own bucket of one of so many servers. */
export const own = (of: Limit, servers: number): Size => {
  const capacity = Math.floor(ownInAll(of) / servers)
  return capacity === 0 ? NONE : { capacity, perSecond: (of.limit * OWN_SPEED) / servers }
}
