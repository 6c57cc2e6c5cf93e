import * as Effect from "effect/Effect"
import { Meters } from "../../services/health/Meters.ts"
import { Tickers } from "../../services/Tickers.ts"

/** What went wrong is told in words: so many of them. */
const MAX_REASON = 200

/** The process is up: all that is told where strangers can ask. */
export const bare = (): Promise<Response> => Promise.resolve(Response.json({ status: "up" }))

/**
 * The process is up, whatever else is the matter; how prices come in, by exchange, times in seconds; and which strategies
 * are set aside.
 */
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
