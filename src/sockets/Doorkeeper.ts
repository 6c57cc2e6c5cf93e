// Caps the connections of each peer. It reads the connections of the server's ports many times a second and ends those
// beyond a peer's share, so that another peer can always connect.
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { networkOf } from "../http/edge/Peer.ts"
import type { Proxies } from "../http/edge/Proxies.ts"
import { boundsOf, type Connection, excess } from "./Crowding.ts"
import * as Sockets from "./Sockets.ts"

export interface Options {
  readonly ports: ReadonlyArray<number>
  /** The most connections of one peer; 0 leaves only the total bound. */
  readonly perPeer: number
  readonly proxies: Proxies
}

/** The pause between two looks: longer after a long look, shorter while there are too many connections. */
const LOOK_MS = 50
const CROWDED_LOOK_MS = 5
/** The largest share of the time that looks may take. */
const SHARE = 0.1
/** For how long a request on a new connection may wait for its answer before it counts as never answered. */
const YOUNG_MS = 2_000
/** How soon the guard begins anew after a fault. */
const AGAIN_MS = 1_000
/** How often ended connections are logged. */
const SAID_MS = 60_000

/** Loopback addresses have no cap of their own: an unnamed proxy may call from there for everybody. */
const OWN_ADDRESSES = new Set(["127.0.0.1", "0:0:0:0:0:0:0:1"])

/** Runs until it is interrupted. Uses real time, even if the bots' clock is virtual. */
export const keep = (options: Options): Effect.Effect<void> =>
  Effect.suspend(() => {
    const sockets = Sockets.open()
    if (sockets !== undefined) return Effect.catchAllCause(looking(sockets, options), again(options))
    return process.platform === "linux"
      ? Effect.logWarning("connections are not bounded: the C library or /proc cannot be read")
      : Effect.void
  }).pipe(Effect.withClock(Clock.make()), Effect.withTracerEnabled(false))

/** A fault of ours must not end the guard: it is logged, and the guard begins anew. */
const again = (options: Options) => (cause: Cause.Cause<never>) =>
  Effect.logError("connections could not be bounded for a moment", cause).pipe(
    Effect.zipRight(Effect.sleep(AGAIN_MS)),
    Effect.zipRight(Effect.suspend(() => keep(options)))
  )

const looking = (sockets: Sockets.Sockets, { perPeer, ports, proxies }: Options) =>
  Effect.gen(function* () {
    const own = new Set(ports)
    const bounds = boundsOf(sockets.descriptors, perPeer)
    let known = new Map<string, number>()
    let ended = 0
    let loggedAt = Number.NEGATIVE_INFINITY

    /** The present connections, each with the time at which it was first seen. */
    const connections = (now: number): ReadonlyArray<Connection> => {
      const seen = new Map<string, number>()
      const found = sockets.accepted(own).map(({ address, descriptor, port }): Connection => {
        const key = `${descriptor} ${address} ${port}`
        const since = known.get(key) ?? now
        seen.set(key, since)
        const isShared = OWN_ADDRESSES.has(address) || proxies.isTrusted(address)
        return { descriptor, network: networkOf(address), since, isYoung: now - since < YOUNG_MS, isShared }
      })
      known = seen
      return found
    }

    for (let wait = LOOK_MS; ; ) {
      yield* Effect.sleep(wait)
      const before = yield* Clock.currentTimeMillis
      const tooMany = excess(connections(before), bounds, sockets.traffic)
      for (const descriptor of tooMany) sockets.end(descriptor)
      ended += tooMany.length
      const took = (yield* Clock.currentTimeMillis) - before
      // A connection that waited for a free descriptor is accepted now, and may be from the same peer.
      wait = Math.max(tooMany.length > 0 ? CROWDED_LOOK_MS : LOOK_MS, took / SHARE)
      if (ended === 0 || before - loggedAt < SAID_MS) continue
      yield* Effect.logWarning(
        `${ended} connections were ended: a peer held more than its share (see --max-connections, and --trusted-proxies where a proxy calls for others)`
      )
      loggedAt = before
      ended = 0
    }
  })
