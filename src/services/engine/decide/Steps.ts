// Turns a decision into a `Step`: the rows that one commit stores of a bot.
import type { Alert } from "../../../domain/Alert.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import type { Decision, Trip } from "../../../trading/Decision.ts"
import type { Step } from "../../Portfolio.ts"
import type { BotEntry } from "../Roster.ts"
import { type AnsweredAlert, decisionNote, outcomeNote, tradeNote } from "./TimelineTexts.ts"

/** The parts of a step besides the decision. */
export interface Also {
  readonly alert?: AnsweredAlert
  readonly wait?: Alert
  readonly status?: Step["statuses"][number]
  readonly fills?: Step["fills"]
  readonly response?: Step["response"]
  readonly note?: Step["notes"][number]
  /** The decision changes nothing in the bot's row. */
  readonly unchanged?: true
}

/** The step of a decision. `bot` must already be in the state after it. */
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
    ...(also.alert === undefined ? [] : [outcomeNote(also.alert, now, bot.strategy.settings.quote)]),
    ...decision.notes.map(decisionNote),
    ...decision.trades.map(tradeNote),
    ...(also.note === undefined ? [] : [also.note])
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
            at: now,
            ...(also.alert.facts === undefined ? {} : { facts: also.alert.facts })
          }
        ],
  waits:
    also.wait === undefined
      ? []
      : [{ alert: also.wait.id, owner: also.wait.account, strategy: bot.strategy.id, since: now }],
  ...(also.unchanged === undefined ? {} : { unchanged: also.unchanged }),
  ...(also.response === undefined ? {} : { response: also.response }),
  ...(decision.trip === undefined ? {} : { halt: tripText(bot, decision.trip) })
})

/** The reason shown for a halt by the daily loss limit. */
const tripText = ({ strategy }: BotEntry, { lost, most }: Trip): string =>
  `strategy ${strategy.id} lost ${Decimal.toText(lost)} ${strategy.settings.quote} today: its limit is ${Decimal.toText(most)} a day`
