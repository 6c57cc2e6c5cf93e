// Deletes strategies. A bot is closed at the last price before its strategy goes; one that trades real money, or has an
// order in flight, is refused with `StrategyBusy`.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../../domain/Account.ts"
import type { FillModel } from "../../../domain/fills/FillModel.ts"
import { StrategyBusy } from "../../../domain/Strategy.ts"
import { hasInFlight, isFlat } from "../../../trading/Bot.ts"
import { StrategyStore } from "../../StrategyStore.ts"
import { contextOf } from "../decide/Context.ts"
import type { EngineState } from "../EngineState.ts"
import { lastPrices } from "../prices/Pricing.ts"
import type { BotEntry } from "../Roster.ts"

/** Makes the deletion. Run it in a turn in which the strategy has judged all alerts that were read from the journal. */
export const make = Effect.fnUntraced(function* (engineState: EngineState) {
  const store = yield* StrategyStore

  /** Closes every position at the last price. */
  const close = Effect.fnUntraced(function* (bot: BotEntry) {
    // A deletion never sells real money: the owner has to disarm first.
    const isLive = bot.record.state.live !== undefined && !isFlat(bot.record.state)
    if (isLive || hasInFlight(bot.record.state)) return yield* new StrategyBusy({ isLive })
    const now = yield* Clock.currentTimeMillis
    const { own, paperFills, roster } = engineState
    const catalogue = yield* engineState.catalogue
    const prices = lastPrices(engineState, bot, now)
    const context = contextOf(bot, { roster, catalogue, prices, now, own, paperFills: atOnce(paperFills) })
    engineState.engine.faults.attempt(bot, () => {
      engineState.engine.aside.readmit(bot, context)
      engineState.engine.held.dismiss(bot, context)
      engineState.engine.adoption.handle(bot, { _tag: "Ended" }, context)
    })
    yield* engineState.settle()
    if (!isFlat(bot.record.state)) return yield* new StrategyBusy()
  })

  return Effect.fnUntraced(function* (account: AccountId, id: number) {
    const strategy = yield* store.get(account, id)
    const bot = Option.getOrUndefined(engineState.roster.get(strategy.id))
    if (bot !== undefined) yield* close(bot)
    yield* Effect.uninterruptible(
      Effect.tap(store.remove(account, id, engineState.backlog.front), () =>
        engineState.roster.delete(strategy.id)
      )
    )
  })
})

/** A deletion does not wait for late fills. */
const atOnce = (paperFills: FillModel | undefined): FillModel | undefined => {
  if (paperFills === undefined) return undefined
  const { latencyMs: _, ...rest } = paperFills
  return rest
}
