// Health: the process is up, how prices arrive, which strategies are set aside. Where strangers can ask, only the first
// is answered.
import * as Effect from "effect/Effect"
import { Meters } from "../../services/health/Meters.ts"
import { Tickers } from "../../services/Tickers.ts"

/** The most characters of an error in words. */
const MAX_REASON = 200

/** For the public port: the process is up, and nothing else. */
export const bare = (): Promise<Response> => Promise.resolve(Response.json({ status: "up" }))

/** For the main port: prices by exchange, times in seconds, and the strategies that are set aside. */
export const make = Effect.map(Effect.all([Tickers, Meters]), ([{ describe, health }, { engine }]) =>
  Effect.map(health, (exchanges) =>
    Response.json({
      status: "up",
      ...asideOf(engine.reading()?.setAside ?? []),
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
