// Performance periods: each begins with a deposit of its starting balance, after a withdrawal of what the period before
// left. A bot begins a new one when it is armed, when it goes back on paper, and in another quote currency.
import { type BotState, type StartingBalances, startingBalanceOf } from "../../../domain/Bot.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import { isFlat } from "../../../trading/Bot.ts"
import { opening } from "../../../trading/books/Ledger.ts"
import { NOTHING } from "../../../trading/Decision.ts"
import { onPaper, paperNote } from "../../../trading/LiveSwitch.ts"
import type { Note } from "../../../trading/Notes.ts"
import type { Performance } from "../../Performance.ts"
import type { BotEntry } from "../Roster.ts"
import type { Outbox } from "./Outbox.ts"
import { stepOf } from "./Steps.ts"

/** The parts that periods need: the outbox, and the starting balances on paper. */
interface Parts {
  readonly outbox: Outbox
  readonly performance: typeof Performance.Service
  readonly paper: StartingBalances
}

/** Begins the bots' periods. */
export class Periods {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Puts a disarmed bot back on paper once it is flat. */
  backToPaper(bot: BotEntry, now: number): void {
    const { state } = bot.record
    if (state.live?.leaving !== true || !isFlat(state)) return
    const { quote } = bot.strategy.settings
    const newState = onPaper(state, startingBalanceOf(this.#parts.paper, quote), quote)
    this.begin(bot, newState, now, paperNote(newState, now))
  }

  /** Starts a new period on paper, in the quote currency of the settings. The bot must be flat. */
  restart(bot: BotEntry, now: number): void {
    const { quote } = bot.strategy.settings
    this.begin(bot, onPaper(bot.record.state, startingBalanceOf(this.#parts.paper, quote), quote), now)
  }

  /** Starts a new period for a flat bot, with the starting balance of this state. */
  begin(bot: BotEntry, state: BotState, now: number, ...notes: ReadonlyArray<Note>): void {
    const left = bot.record.state.cash
    bot.record = { ...bot.record, state, tally: this.#parts.performance.begin(state.startingBalance, now) }
    this.open(bot, now, left, notes)
  }

  /** Posts the deposit of the bot's period; `left` is what the period before left. */
  open(bot: BotEntry, now: number, left = Decimal.zero, notes: ReadonlyArray<Note> = []): void {
    const deposits = [Decimal.negate(left), bot.record.state.startingBalance].filter(
      (sum) => !Decimal.isZero(sum)
    )
    const postings = deposits.map((sum) => opening(sum, now))
    bot.record = { ...bot.record, step: bot.record.step + 1 }
    this.#parts.outbox.push(stepOf(bot, { ...NOTHING, postings, notes }, now, {}))
  }
}
