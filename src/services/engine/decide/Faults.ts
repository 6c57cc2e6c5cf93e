// Faults of ours: a fault in one bot is logged once, and stops no other bot.
import type { BotEntry, Roster } from "../Roster.ts"

/** An event that a bot could not decide. */
export interface Fault {
  readonly bot: BotEntry
  readonly cause: unknown
}

/** The faults that were not logged yet. */
export class Faults {
  readonly #roster: Roster
  #faults: Array<Fault> = []

  constructor(roster: Roster) {
    this.#roster = roster
  }

  get isEmpty(): boolean {
    return this.#faults.length === 0
  }

  /** The faults since the last call. */
  take(): ReadonlyArray<Fault> {
    const taken = this.#faults
    this.#faults = []
    return taken
  }

  /** Acts on a bot; false where that threw. */
  attempt(bot: BotEntry, act: () => void): boolean {
    try {
      this.#roster.advanceTrails(bot)
      act()
      bot.isFaulty = false
      return true
    } catch (cause) {
      if (!bot.isFaulty) this.#faults.push({ bot, cause })
      bot.isFaulty = true
      return false
    }
  }
}
