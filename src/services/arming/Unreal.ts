import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SettingRefused } from "../../domain/requests/SettingRefused.ts"
import { Portfolio } from "../Portfolio.ts"

/** Why nothing may be armed where prices are of another day. */
export const REASON =
  "this server's prices are not of this moment: only one that runs with --prices live may trade with real money"

/** A server with such prices does not begin where a strategy is armed: nobody's money is to be moved by them. */
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
