// The trails that prices have moved since their bots were last stored.
import { NOTHING } from "../../../trading/Decision.ts"
import type { Outbox } from "../decide/Outbox.ts"
import { stepOf } from "../decide/Steps.ts"
import type { Roster } from "../Roster.ts"

/** The most bots that one call stores because their trails moved. */
const MAX_SAVED = 128

/** Makes the call that puts steps of moved trails into the outbox, at a time (ms); true when none is left. */
export const saving =
  (roster: Roster, outbox: Outbox) =>
  (now: number): boolean => {
    let left = MAX_SAVED
    for (const bot of roster.all()) {
      roster.bringUp(bot)
      if (!bot.moved) continue
      if (left-- === 0) return false
      bot.moved = false
      bot.record = { ...bot.record, step: bot.record.step + 1 }
      outbox.push(stepOf(bot, NOTHING, now, {}))
    }
    return true
  }
