// Stores new settings between two alerts and hands them to the running bots. Open positions follow them at once (`adopt`
// in `trading/Bot`). A bot that cannot take them over as it stands refuses them.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import { type Violation, Violations, violation } from "../../domain/requests/Violations.ts"
import { type Settings, SettingsRefused, type Strategy, StrategyChanged } from "../../domain/Strategy.ts"
import { isFlat } from "../../trading/Bot.ts"
import { type StrategyChange, StrategyStore } from "../StrategyStore.ts"
import type { EngineState } from "./EngineState.ts"
import type { BotEntry } from "./Roster.ts"

/** Makes the change of several strategies of an account, all of them or none; run it in a turn. */
export const make = Effect.fnUntraced(function* (engineState: EngineState) {
  const store = yield* StrategyStore
  const { roster } = engineState
  const adopt = adopting(engineState)

  /** Refuses what a bot cannot take over. One that is flat and on paper takes everything. */
  const refuse = Effect.fnUntraced(function* (account: AccountId, changes: ReadonlyArray<StrategyChange>) {
    for (const [index, { before, settings }] of changes.entries()) {
      const bot = before === undefined ? undefined : Option.getOrUndefined(roster.get(before.id))
      if (bot === undefined || isFree(bot)) continue
      const {
        id,
        revision,
        settings: old
      } = yield* Effect.mapError(store.get(account, bot.strategy.id), () => new StrategyChanged())
      if (id !== before?.id || revision !== before.revision) return yield* new StrategyChanged()
      const found = violationOf(bot, old, settings)
      if (found !== undefined)
        return yield* new SettingsRefused({ index, errors: Violations.of([found]).errors })
    }
  })

  return Effect.fnUntraced(function* (account: AccountId, changes: ReadonlyArray<StrategyChange>) {
    yield* refuse(account, changes)
    const changed = Effect.tap(store.apply(account, changes), (all) =>
      Effect.forEach(all, adopt, { discard: true })
    )
    return yield* Effect.uninterruptible(changed)
  })
})

/** Makes a strategy's new settings its bot's. A new strategy has no bot yet. */
const adopting = ({ engine, present, roster, unlisted }: EngineState) =>
  Effect.fnUntraced(function* (strategy: Strategy) {
    const bot = Option.getOrUndefined(roster.get(strategy.id))
    if (bot === undefined) return
    bot.strategy = strategy
    roster.reindex(bot)
    const now = yield* Clock.currentTimeMillis
    if (bot.record.state.quote !== strategy.settings.quote) engine.periods.restart(bot, now)
    const context = (yield* present)(bot)
    engine.faults.attempt(bot, () => {
      const names = unlisted(strategy)
      if (names.length === 0 || bot.record.state.unlisted !== true) engine.aside.readmit(bot, context)
      if (names.length > 0) engine.adoption.setAside(bot, context, { unlisted: names })
      engine.adoption.handle(bot, { _tag: "SettingsChanged" }, context)
      engine.held.retry(bot, context)
    })
  })

const isFree = ({ record: { state } }: BotEntry): boolean => state.live === undefined && isFlat(state)

/**
 * What the bot cannot take over. An armed one stays on its exchanges: its money is there, and an order for another could
 * not be sent. Its quote currency stays while it is armed on terms in it, or has positions, which are valued in it.
 */
const violationOf = (
  { record: { state } }: BotEntry,
  before: Settings,
  after: Settings
): Violation | undefined => {
  const isLive = state.live !== undefined
  const known = new Set(before.exchanges.map(({ exchange }) => exchange))
  if (isLive && after.exchanges.some(({ exchange }) => !known.has(exchange)))
    return violation("exchanges", "must stay on the exchange that the bot is armed on: disarm it first")
  if (after.quote === before.quote) return undefined
  if (isLive)
    return violation("default_quote_currency", "cannot change while the bot is armed: disarm it first")
  return isFlat(state)
    ? undefined
    : violation("default_quote_currency", "cannot change while the bot holds positions: close them first")
}
