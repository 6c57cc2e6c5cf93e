// The bound on a bot whose every report leads to its next order: such a loop would keep all other bots waiting.
import { MAX_DECISIONS } from "../../../trading/Overrun.ts"
import type { Step } from "../../Portfolio.ts"
import type { OutgoingOrder } from "../orders/OutgoingOrder.ts"
import type { BotEntry } from "../Roster.ts"

/** Counts the rounds of one `settle`. In each round, steps are stored, their orders sent and the reports decided on. */
export class OrderLoopGuard {
  readonly #counts = new Map<BotEntry, number>()

  /**
   * Counts a round, and returns the bots that have ordered in more than `MAX_DECISIONS` rounds in a row. A round in
   * which the bot answered an alert starts its count anew, because many alerts may have waited for its order.
   */
  after(
    steps: ReadonlyArray<Pick<Step, "bot" | "outcomes">>,
    sendings: ReadonlyArray<Pick<OutgoingOrder, "bot">>
  ): ReadonlyArray<BotEntry> {
    if (sendings.length === 0) return []
    const answering = new Set(
      steps.flatMap(({ bot, outcomes }) => (outcomes.length > 0 ? [bot.strategy] : []))
    )
    const over: Array<BotEntry> = []
    for (const bot of new Set(sendings.map(({ bot }) => bot))) {
      const count = answering.has(bot.strategy.id) ? 0 : (this.#counts.get(bot) ?? 0) + 1
      this.#counts.set(bot, count)
      if (count > MAX_DECISIONS) over.push(bot)
    }
    return over
  }
}
