import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import {
  type AlertsUnjudged,
  type Strategy,
  StrategyBusy,
  type StrategyNotFound
} from "../../domain/Strategy.ts"
import { hasInFlight, isFlat } from "../../trading/Bot.ts"
import { StrategyStore } from "../StrategyStore.ts"
import { contextOf } from "./Context.ts"
import type { Desk } from "./Desk.ts"
import { lastPrices } from "./Pricing.ts"
import type { LiveBot } from "./Roster.ts"

/** Deletes strategies. Each is to be done in a turn; `drain` judges all alerts that are stored. */
export const make = Effect.fnUntraced(function* (desk: Desk, drain: Effect.Effect<void>) {
  const store = yield* StrategyStore

  /** Closes all at the last price. */
  const close = Effect.fnUntraced(function* (bot: LiveBot) {
    // Real money is not sold by a deletion: that is what disarming is for.
    const isLive = bot.record.state.live !== undefined && !isFlat(bot.record.state)
    if (isLive || hasInFlight(bot.record.state)) return yield* new StrategyBusy({ isLive })
    const now = yield* Clock.currentTimeMillis
    const context = contextOf(bot, desk.roster, yield* desk.catalogue, lastPrices(desk, bot, now), now)
    desk.engine.safely(bot, () => {
      desk.engine.readmit(bot, context)
      desk.engine.dismiss(bot, context)
      desk.engine.tell(bot, { _tag: "Ended" }, context)
    })
    yield* desk.settle()
    if (!isFlat(bot.record.state)) return yield* new StrategyBusy()
  })

  const remove = (account: AccountId, { id }: Strategy) =>
    Effect.uninterruptible(Effect.tap(store.remove(account, id, desk.cursor()), () => desk.roster.delete(id)))

  const once = Effect.fnUntraced(function* (
    account: AccountId,
    id: number
  ): Effect.fn.Return<void, StrategyNotFound | StrategyBusy | AlertsUnjudged> {
    yield* drain
    const strategy = yield* store.get(account, id)
    const bot = Option.getOrUndefined(desk.roster.get(strategy.id))
    if (bot !== undefined) yield* close(bot)
    yield* remove(account, strategy)
  })

  /** Alerts are answered also while it is being closed: they are judged as well, and what they open is closed again. */
  const end = (account: AccountId, id: number): Effect.Effect<void, StrategyNotFound | StrategyBusy> =>
    Effect.catchTag(once(account, id), "AlertsUnjudged", () => end(account, id))

  return end
})
