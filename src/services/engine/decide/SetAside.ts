// Setting bots aside: such a bot gets no events until its owner gives it new settings or the operator takes it back.
// The mark is stored, so that a restart does not bring the bot back.
import type { BotState } from "../../../domain/Bot.ts"
import { type Context, NOTHING } from "../../../trading/Decision.ts"
import type { Note } from "../../../trading/Notes.ts"
import type { BotEntry, Roster } from "../Roster.ts"
import type { Outbox } from "./Outbox.ts"
import { stepOf } from "./Steps.ts"

/** Why a bot is set aside, if not because it overran: by the operator, or for venues that the server does not list. */
export type AsideReason = "operator" | { readonly unlisted: ReadonlyArray<string> }

/** Sets bots aside and takes them back. */
export class SetAside {
  readonly #roster: Roster
  readonly #outbox: Outbox

  constructor(roster: Roster, outbox: Outbox) {
    this.#roster = roster
    this.#outbox = outbox
  }

  /** Sets a bot aside: stores the mark and notes it in the timeline. Its held entries have to be answered next. */
  put(bot: BotEntry, { now }: Context, reason?: AsideReason): void {
    if (reason === undefined) this.#outbox.overran(bot)
    const note = { rule: "set_aside", ...(reason === undefined ? {} : { reason: textOf(reason) }) } as const
    const mark = typeof reason === "object" ? ({ setAside: now, unlisted: true } as const) : { setAside: now }
    this.#mark(bot, { ...bot.record.state, ...mark }, now, note)
    this.rest(bot)
  }

  /** Takes the bot back; it looks at prices and deadlines next. */
  readmit(bot: BotEntry, { now }: Context): void {
    const { setAside, unlisted: _, ...state } = bot.record.state
    if (setAside === undefined) return
    this.#mark(bot, state, now, { rule: "taken_back" })
    bot.overdue = true
  }

  /** Clears what could wake the bot: no price and no deadline concerns it. */
  rest(bot: BotEntry): void {
    this.#roster.watch(bot, new Map())
    bot.wakesAt = Number.POSITIVE_INFINITY
    bot.overdue = false
  }

  #mark(bot: BotEntry, state: BotState, now: number, note: Omit<Note, "at">): void {
    bot.record = { ...bot.record, state, step: bot.record.step + 1 }
    bot.moved = false
    this.#outbox.push(stepOf(bot, { ...NOTHING, notes: [{ ...note, at: now }] }, now, {}))
    this.#roster.reindex(bot)
  }
}

const textOf = (reason: AsideReason): string =>
  reason === "operator" ? reason : `this server does not list ${reason.unlisted.join(" and ")}`
