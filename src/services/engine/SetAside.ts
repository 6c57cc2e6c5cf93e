// Setting bots aside: such a bot gets no events until its owner gives it new settings or the operator takes it back.
// The mark is stored, so that a restart does not bring the bot back.
import { type Alert, isEntry, type Reason } from "../../domain/Alert.ts"
import type { BotState } from "../../domain/Bot.ts"
import { type Context, type Decision, NOTHING } from "../../trading/Decision.ts"
import type { Note } from "../../trading/Notes.ts"
import type { Step } from "../Portfolio.ts"
import type { HeldAlert } from "./HeldAlerts.ts"
import { type BotEntry, isAside, type Roster } from "./Roster.ts"
import { stepOf } from "./Steps.ts"

/** The parts of the engine that this file calls. */
interface Parts {
  readonly roster: Roster
  readonly push: (step: Step) => void
  readonly answer: (bot: BotEntry, alert: Alert, reason: Reason, decision: Decision, context: Context) => void
  readonly hold: (bot: BotEntry, alert: Alert, context: Context, held: HeldAlert | undefined) => void
}

export const make = ({ answer, hold, push, roster }: Parts) => {
  let overrun: Array<BotEntry> = []

  /** The bots whose events led to too many decisions since the last call; the call clears the list. */
  const take = (): ReadonlyArray<BotEntry> => {
    const taken = overrun
    overrun = []
    return taken
  }

  /** Sets the bot aside: stores the mark, notes it in the timeline and answers the entries that the bot holds. */
  const put = (bot: BotEntry, context: Context, reason?: "operator"): void => {
    if (isAside(bot)) return
    if (reason === undefined) overrun.push(bot)
    const note = { rule: "set_aside", ...(reason === undefined ? {} : { reason }) } as const
    mark(bot, { ...bot.record.state, setAside: context.now }, context.now, note)
    rest(bot)
    for (const { alert } of bot.held) if (isEntry(alert.type)) shelve(bot, alert, context)
  }

  /** Takes the bot back; it looks at prices and deadlines next. */
  const readmit = (bot: BotEntry, { now }: Context): void => {
    const { setAside, ...state } = bot.record.state
    if (setAside === undefined) return
    mark(bot, state, now, { rule: "taken_back" })
    bot.overdue = true
  }

  /** Clears what could wake the bot: no price and no deadline concerns it. */
  const rest = (bot: BotEntry): void => {
    roster.watch(bot, new Map())
    bot.wakesAt = Number.POSITIVE_INFINITY
    bot.overdue = false
  }

  /**
   * Handles an alert for a bot that is set aside: an entry is answered `set_aside`, since it would be too late
   * afterwards; an exit is held.
   */
  const shelve = (bot: BotEntry, alert: Alert, context: Context): void =>
    isEntry(alert.type)
      ? answer(bot, alert, "set_aside", NOTHING, context)
      : hold(bot, alert, context, bot.held.get(alert.id))

  const mark = (bot: BotEntry, state: BotState, now: number, note: Omit<Note, "at">): void => {
    bot.record = { ...bot.record, state, step: bot.record.step + 1 }
    bot.moved = false
    push(stepOf(bot, { ...NOTHING, notes: [{ ...note, at: now }] }, now, {}))
    roster.reindex(bot)
  }

  return { put, readmit, rest, shelve, take }
}
