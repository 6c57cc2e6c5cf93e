// Servers without prices of this moment never trade with real money: nothing can be armed on them, and they refuse to
// start while a strategy is armed.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SettingRefused } from "../../domain/requests/SettingRefused.ts"
import { Portfolio } from "../Portfolio.ts"

/** Why nothing can be armed on a server with replayed prices, or with none. */
export const NOT_LIVE =
  "this server's prices are not of this moment: only one that runs with --prices live may trade with real money"

/** Stops the start of such a server while a strategy is armed. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const bots = yield* Effect.flatMap(Portfolio, (portfolio) => portfolio.bots)
    const armed = bots.find(({ state }) => state.live !== undefined)
    if (armed === undefined) return
    return yield* new SettingRefused({
      message: `strategy ${armed.strategy} trades with real money: serve with --prices live, or disarm it there first`
    })
  })
)
