// Health: the process is up, how prices arrive, which strategies are set aside, how rules and the cluster stand. Where
// strangers can ask, only the first is answered.
import * as Effect from "effect/Effect"
import type { ClusterReading } from "../../services/health/ClusterReading.ts"
import { Meters, type RuleReading } from "../../services/health/Meters.ts"
import { Tickers } from "../../services/Tickers.ts"

/** The most characters of an error in words. */
const MAX_REASON = 200

/** For the public port: the process is up, and nothing else. */
export const bare = (): Promise<Response> => Promise.resolve(Response.json({ status: "up" }))

/**
 * For the main port: prices by exchange, times in seconds, the strategies that are set aside, how rules of signals stand,
 * and on a node of a cluster its part of it.
 */
export const make = Effect.gen(function* () {
  const { describe, health } = yield* Tickers
  const { cluster, engine, rules } = yield* Meters
  return Effect.map(health, (exchanges) =>
    Response.json({
      status: "up",
      ...asideOf(engine.reading()?.setAside ?? []),
      ...rulesOf(rules.reading()),
      ...clusterOf(cluster.reading()),
      prices: {
        source: describe,
        exchanges: exchanges.map(({ exchange, markets, reason, reconnects, since, stale, state }) => ({
          exchange_name: exchange,
          state,
          since: Math.floor(since / 1000),
          markets,
          stale,
          reconnects,
          reason: reason.slice(0, MAX_REASON)
        }))
      }
    })
  )
})

const asideOf = (strategies: ReadonlyArray<number>) =>
  strategies.length === 0 ? {} : { strategies_set_aside: strategies }

/** How rules stand, where a signal has one. */
const rulesOf = (reading: RuleReading | undefined) => {
  if (reading === undefined || reading.rules + reading.stopped === 0) return {}
  const { behindMs, rules, stopped, waiting } = reading
  return { rules: { at_work: rules, stopped, waiting, behind: Math.floor(behindMs / 1000) } }
}

/** A node by its name, and the whole as it knows it; `behind` counts stored alerts that its bots have not judged yet. */
const clusterOf = (reading: ClusterReading | undefined) => {
  if (reading === undefined) return {}
  const { address, behind, isDraining, partitions, whole } = reading
  return {
    cluster: {
      node: address,
      partitions,
      behind,
      draining: isDraining,
      ...(whole === undefined
        ? {}
        : {
            nodes: whole.nodes.filter(({ isThere }) => isThere).length,
            dark_partitions: whole.dark,
            epochs: whole.epochs
          })
    }
  }
}
