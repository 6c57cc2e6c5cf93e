// Which connections have to go when a peer holds too many, or all together do. A peer is a network as in http/Peer; the
// rule: the peers that hold most lose first, and of a peer's those that were never answered, the oldest first. A request
// that has just come has some time to be answered, and goes before connections that rest.

/** A connection as the operating system tells of it. */
export interface Connection {
  readonly descriptor: number
  readonly network: string
  /** When it was first seen (ms). */
  readonly since: number
  /** Whether it was first seen only just now: a request on it has not had the time to be answered. */
  readonly isYoung: boolean
  /** A trusted proxy's, or a program's of this machine: many callers share it, so that it has no bound of its own. */
  readonly isShared: boolean
}

/** What is asked of those alone of whom some have to go. */
export interface Traffic {
  /** Whether the other end has ever sent anything. */
  readonly hasAsked: boolean
  /** Whether anything was ever sent to the other end. */
  readonly isAnswered: boolean
  /** For how long nothing was sent either way (ms). */
  readonly quietMs: number
}

export interface Bounds {
  /** Connections of one peer; infinite where there is no bound. */
  readonly perPeer: number
  /** Connections in all, whosesoever. */
  readonly total: number
}

/** The most connections in all: beyond them a look at each would take too long. */
const MOST = 8_192
/** Descriptors that are kept for files and for connections of our own to exchanges: a quarter, and no more than this. */
const MOST_KEPT = 512

/** The bounds for a process that may have so many descriptors. One peer never holds more than half of what there is. */
export const boundsOf = (descriptors: number, perPeer: number): Bounds => {
  const total = Math.min(MOST, descriptors - Math.min(MOST_KEPT, Math.floor(descriptors / 4)))
  return {
    total,
    perPeer: perPeer === 0 ? Number.POSITIVE_INFINITY : Math.min(perPeer, Math.floor(total / 2))
  }
}

/** The descriptors of those that have to go. */
export const excess = (
  connections: ReadonlyArray<Connection>,
  { perPeer, total }: Bounds,
  trafficOf: (descriptor: number) => Traffic
): ReadonlyArray<number> => {
  const peers = [...Map.groupBy(connections, ({ network }) => network).values()]
  const isOver = (own: ReadonlyArray<Connection>) => own.length > perPeer && own[0]?.isShared !== true
  if (connections.length <= total && !peers.some(isOver)) return []

  // While all have room, only those who are over their bound lose anything, and nothing is asked of others.
  if (connections.length <= total)
    return peers
      .filter(isOver)
      .flatMap((own) => rank(own, trafficOf).slice(perPeer))
      .map(({ descriptor }) => descriptor)

  const gone: Array<number> = []
  const shared: Array<Ranked> = []
  const strangers: Array<Ranked> = []
  for (const own of peers) {
    const ranked = rank(own, trafficOf)
    const most = isOver(own) ? perPeer : own.length
    gone.push(...ranked.slice(most).map(({ descriptor }) => descriptor))
    const alike = own[0]?.isShared === true ? shared : strangers
    alike.push(...ranked.slice(0, most))
  }
  // What is shared may have three quarters of all, and what strangers leave of the rest.
  const ofShared = Math.max(Math.floor((total * 3) / 4), total - strangers.length)
  const ofStrangers = total - Math.min(shared.length, ofShared)
  return [...gone, ...beyond(shared, ofShared), ...beyond(strangers, ofStrangers)]
}

/** Those that have to go so that no more than `most` stay: the last of the peers that hold most. */
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

const isNewRequest = ({ hasAsked, isAnswered, isYoung }: Known) => isYoung && hasAsked && !isAnswered
const isOfUse = (it: Known) => it.isAnswered || isNewRequest(it)
const quietOf = (it: Known) => (isNewRequest(it) ? 0 : it.quietMs)
