// Servers that never trade with real money: nothing can be armed on them, and they refuse to start while a strategy is
// armed.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SettingRefused } from "../../domain/requests/SettingRefused.ts"
import { Portfolio } from "../Portfolio.ts"

/** Why nothing can be armed on a server, and how to start where a strategy is armed already. */
export interface PaperOnly {
  readonly reason: string
  readonly way: string
}

/** A server with replayed prices, or with none. */
export const NOT_LIVE: PaperOnly = {
  reason:
    "this server's prices are not of this moment: only one that runs with --prices live may trade with real money",
  way: "serve with --prices live"
}

/** One of several nodes: under a storm of alerts and changes of servers at once the books of a bot have come out wrong. */
export const SHARED: PaperOnly = {
  reason:
    "this server is one of several nodes, which trade on paper only: real money needs one without --cluster",
  way: "serve without --cluster"
}

/** Stops the start of such a server while a strategy is armed. */
export const layer = ({ way }: PaperOnly) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const bots = yield* Effect.flatMap(Portfolio, (portfolio) => portfolio.bots)
      const armed = bots.find(({ state }) => state.live !== undefined)
      if (armed === undefined) return
      return yield* new SettingRefused({
        message: `strategy ${armed.strategy} trades with real money: ${way}, or disarm it there first`
      })
    })
  )
