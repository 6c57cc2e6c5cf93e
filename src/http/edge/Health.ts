// Health: the process is up, how prices arrive, which strategies are set aside, how rules stand. Where strangers can ask,
// only the first is answered.
import * as Effect from "effect/Effect"
import { Meters, type RuleReading } from "../../services/health/Meters.ts"
import { Tickers } from "../../services/Tickers.ts"

/** The most characters of an error in words. */
const MAX_REASON = 200

/** For the public port: the process is up, and nothing else. */
export const bare = (): Promise<Response> => Promise.resolve(Response.json({ status: "up" }))

/** For the main port: prices by exchange, times in seconds, the strategies that are set aside, and how rules of signals stand. */
export const make = Effect.map(Effect.all([Tickers, Meters]), ([{ describe, health }, { engine, rules }]) =>
  Effect.map(health, (exchanges) =>
    Response.json({
      status: "up",
      ...asideOf(engine.reading()?.setAside ?? []),
      ...rulesOf(rules.reading()),
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
)

const asideOf = (strategies: ReadonlyArray<number>) =>
  strategies.length === 0 ? {} : { strategies_set_aside: strategies }

/** How rules stand, where a signal has one. */
const rulesOf = (reading: RuleReading | undefined) => {
  if (reading === undefined || reading.rules + reading.stopped === 0) return {}
  const { behindMs, rules, stopped, waiting } = reading
  return { rules: { at_work: rules, stopped, waiting, behind: Math.floor(behindMs / 1000) } }
}
