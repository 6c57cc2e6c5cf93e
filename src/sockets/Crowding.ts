// Chooses the connections to end when a peer holds too many, or all peers together do. A peer is a network.
// 1. The peers that hold most lose first.
// 2. Of a peer, connections that were never answered go first, the oldest of them first.
// 3. Then answered connections go, those that were quiet for longest first.
// 4. A new connection that has sent data stays ahead of idle ones for a while, so that its request can be answered.

/** A connection, as the operating system reports it. */
export interface Connection {
  readonly descriptor: number
  readonly network: string
  /** When it was first seen (ms). */
  readonly since: number
  /** Whether it was first seen only just now: a request on it has not had the time to be answered. */
  readonly isYoung: boolean
  /** Whether many callers share the peer (a trusted proxy, or loopback): it has no bound of its own. */
  readonly isShared: boolean
}

/** The traffic of a connection, read only for peers that lose some. */
export interface Traffic {
  /** Whether the other end has ever sent anything. */
  readonly hasRequest: boolean
  /** Whether anything was ever sent to the other end. */
  readonly isAnswered: boolean
  /** For how long nothing was sent either way (ms). */
  readonly quietMs: number
}

export interface Bounds {
  /** The most connections of one peer; infinite without a bound. */
  readonly perPeer: number
  /** The most connections of all peers together. */
  readonly total: number
}

/** The most connections of all peers together, so that one look stays short. */
const MOST = 8_192
/** Descriptors reserved for files and our own connections to exchanges: a quarter, at most this many. */
const MOST_KEPT = 512

/** The bounds for a process with so many descriptors. One peer never gets more than half of the total. */
export const boundsOf = (descriptors: number, perPeer: number): Bounds => {
  const total = Math.min(MOST, descriptors - Math.min(MOST_KEPT, Math.floor(descriptors / 4)))
  return {
    total,
    perPeer: perPeer === 0 ? Number.POSITIVE_INFINITY : Math.min(perPeer, Math.floor(total / 2))
  }
}

/** The descriptors of the connections to end. */
export const excess = (
  connections: ReadonlyArray<Connection>,
  { perPeer, total }: Bounds,
  trafficOf: (descriptor: number) => Traffic
): ReadonlyArray<number> => {
  const peers = [...Map.groupBy(connections, ({ network }) => network).values()]
  const isOver = (own: ReadonlyArray<Connection>) => own.length > perPeer && own[0]?.isShared !== true
  if (connections.length <= total && !peers.some(isOver)) return []

  // Within the total, only peers over their bound lose connections, and only their traffic is read.
  if (connections.length <= total)
    return peers
      .filter(isOver)
      .flatMap((own) => rank(own, trafficOf).slice(perPeer))
      .map(({ descriptor }) => descriptor)

  const closed: Array<number> = []
  const shared: Array<Ranked> = []
  const strangers: Array<Ranked> = []
  for (const own of peers) {
    const ranked = rank(own, trafficOf)
    const most = isOver(own) ? perPeer : own.length
    closed.push(...ranked.slice(most).map(({ descriptor }) => descriptor))
    const alike = own[0]?.isShared === true ? shared : strangers
    alike.push(...ranked.slice(0, most))
  }
  // Shared peers may have three quarters of the total, and what strangers leave of the rest.
  const ofShared = Math.max(Math.floor((total * 3) / 4), total - strangers.length)
  const ofStrangers = total - Math.min(shared.length, ofShared)
  return [...closed, ...beyond(shared, ofShared), ...beyond(strangers, ofStrangers)]
}

/** The connections to end so that at most `most` stay: the least worthy of the peers that hold most. */
const beyond = (ranked: ReadonlyArray<Ranked>, most: number): ReadonlyArray<number> =>
  ranked.length <= most
    ? []
    : [...ranked]
        .sort((a, b) => a.place - b.place || worthier(a, b))
        .slice(most)
        .map(({ descriptor }) => descriptor)

interface Known extends Connection, Traffic {}
interface Ranked extends Known {
  /** Its place among those of its peer. */
  readonly place: number
}

const rank = (own: ReadonlyArray<Connection>, trafficOf: (descriptor: number) => Traffic) =>
  own
    .map((it) => ({ ...it, ...trafficOf(it.descriptor) }))
    .sort(worthier)
    .map((it, place): Ranked => ({ ...it, place }))

/** Below 0 where `a` is to stay rather than `b`. */
const worthier = (a: Known, b: Known): number => {
  if (isOfUse(a) !== isOfUse(b)) return isOfUse(a) ? -1 : 1
  return isOfUse(a) ? quietOf(a) - quietOf(b) : b.since - a.since
}

const isNewRequest = ({ hasRequest, isAnswered, isYoung }: Known) => isYoung && hasRequest && !isAnswered
const isOfUse = (it: Known) => it.isAnswered || isNewRequest(it)
const quietOf = (it: Known) => (isNewRequest(it) ? 0 : it.quietMs)
