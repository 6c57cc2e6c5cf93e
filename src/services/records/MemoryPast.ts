// The settings that others replaced, in memory: the newest of each strategy, oldest first.
import { actsOtherwise } from "../../domain/directory/Differences.ts"
import { MAX_PAST_SETTINGS, type PastSettings, type Strategy } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"

/** Nothing is kept at first. */
export const make = () => {
  const replaced = new Map<StrategyId, ReadonlyArray<PastSettings>>()
  const of = ({ id }: Pick<Strategy, "id">): ReadonlyArray<PastSettings> => replaced.get(id) ?? []
  return {
    of,
    /** Keeps the settings before a change at a time (ms), where a bot can act otherwise with the new ones. */
    keep: (before: Strategy, { settings }: Strategy, until: number): void => {
      if (!actsOtherwise(before.settings, settings)) return
      const past = [...of(before), { settings: before.settings, until }]
      replaced.set(before.id, past.slice(-MAX_PAST_SETTINGS))
    },
    forget: (id: StrategyId): void => void replaced.delete(id)
  }
}
