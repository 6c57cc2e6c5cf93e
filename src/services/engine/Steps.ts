import type { Alert, Reason } from "../../domain/Alert.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Decision, Trip } from "../../trading/Decision.ts"
import type { Step } from "../Portfolio.ts"
import type { BotEntry } from "./Roster.ts"
import { decisionNote, outcomeNote, tradeNote } from "./Words.ts"

/** What besides a decision goes into a step. */
export interface Also {
  readonly alert?: { readonly alert: Alert; readonly reason: Reason }
  readonly wait?: Alert
  readonly status?: Step["statuses"][number]
  readonly fills?: Step["fills"]
  /** The decision changes nothing that the bot's row holds. */
  readonly unchanged?: true
}

/** What a decision made of a bot, as it is stored: the bot stands as it does afterwards. */
export const stepOf = (bot: BotEntry, decision: Decision, now: number, also: Also): Step => ({
  account: bot.strategy.account,
  at: now,
  bot: bot.record,
  orders: decision.orders,
  statuses: also.status === undefined ? [] : [also.status],
  fills: also.fills ?? [],
  postings: decision.postings,
  trades: decision.trades,
  notes: [
    ...(also.alert === undefined ? [] : [outcomeNote(also.alert.alert, also.alert.reason, now)]),
    ...decision.notes.map(decisionNote),
    ...decision.trades.map(tradeNote)
  ],
  outcomes:
    also.alert === undefined
      ? []
      : [
          {
            alertId: also.alert.alert.id,
            strategyId: bot.strategy.id,
            account: bot.strategy.account,
            reason: also.alert.reason,
            at: now
          }
        ],
  waits:
    also.wait === undefined
      ? []
      : [{ alert: also.wait.id, owner: also.wait.account, strategy: bot.strategy.id, since: now }],
  ...(also.unchanged === undefined ? {} : { unchanged: also.unchanged }),
  ...(decision.trip === undefined ? {} : { halt: tripText(bot, decision.trip) })
})

/** Why an account is halted from a step on. */
const tripText = ({ strategy }: BotEntry, { lost, most }: Trip): string =>
  `strategy ${strategy.id} lost ${Decimal.toText(lost)} ${strategy.settings.quote} today, and may lose ${Decimal.toText(most)}`
