// Planted bugs of servers that keep in memory what must be stored, and of readers that skip or repeat.
import { Effect } from "effect"
import type { BotState } from "../../src/domain/Bot.ts"
import { Appended, Journal, type Remembered } from "../../src/services/Journal.ts"
import { type Beginning, Portfolio } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { appending, type Bugs, within } from "./mutant.ts"
import type { World } from "./World.ts"

/** What an engine finds when it begins. */
const beginning = (change: (stored: Beginning, world: World) => Beginning) =>
  within(Portfolio, (sound, world) => ({
    ...sound,
    begin: (some) => Effect.map(sound.begin(some), (stored) => change(stored, world))
  }))

/** What a start finds of the bots. */
export const loading = (change: (state: BotState, world: World) => BotState) =>
  beginning((stored, world) => ({
    ...stored,
    bots: stored.bots.map((bot) => ({ ...bot, state: change(bot.state, world) }))
  }))

const eachPosition = (
  state: BotState,
  change: (
    position: NonNullable<BotState["slots"][string]["position"]>
  ) => NonNullable<BotState["slots"][string]["position"]>
): BotState => ({
  ...state,
  slots: Object.fromEntries(
    Object.entries(state.slots).map(([key, slot]) => [
      key,
      slot.position === undefined ? slot : { ...slot, position: change(slot.position) }
    ])
  )
})

export const bugs: Bugs = {
  "a cooldown kept in memory": loading(({ stopLossUntil: _, takeProfitUntil: __, ...state }) => state),
  "a holding time kept in memory": loading((state, world) =>
    eachPosition(state, (position) => ({ ...position, openedAt: world.now }))
  ),
  "an averaging wait kept in memory": loading((state, world) =>
    eachPosition(state, (position) => ({ ...position, lastEntryAt: world.now - 3_600_000 }))
  ),
  "orders in flight kept in memory": loading((state) => ({
    ...state,
    slots: Object.fromEntries(Object.entries(state.slots).map(([key, { order: _, ...slot }]) => [key, slot]))
  })),
  "waiting alerts kept in memory": beginning((stored) => ({ ...stored, waiting: [] })),
  "known fills kept in memory": beginning((stored) => ({ ...stored, unsettled: [] })),
  "keys kept in memory": appending((append) => {
    const keys = new Map<string, Remembered>()
    return (draft) => {
      const key = `${draft.account}:${draft.sameness?.key}`
      const known = keys.get(key)
      if (draft.sameness !== undefined && known !== undefined)
        return Effect.succeed(Appended.Repeat({ id: known.alert }))
      const { sameness, ...rest } = draft
      return Effect.tap(append(rest), ({ id }) =>
        Effect.sync(() => {
          if (sameness !== undefined) keys.set(key, { body: sameness.body, alert: id, expiresAt: 0 })
        })
      )
    }
  }),
  "a repeat recorded anew": appending(
    (append) =>
      ({ sameness: _, ...draft }) =>
        append(draft)
  ),
  "an alert skipped in a burst": within(Journal, (sound) => ({
    ...sound,
    since: (cursor, limit) =>
      Effect.map(sound.since(cursor, limit), (alerts) => (alerts.length > 1 ? alerts.slice(1) : alerts))
  })),
  "switched off only until the restart": within(StrategyStore, (sound) => ({
    ...sound,
    within: (some) =>
      Effect.map(sound.within(some), (all) =>
        all.map((strategy) => ({ ...strategy, settings: { ...strategy.settings, active: true } }))
      )
  }))
}
