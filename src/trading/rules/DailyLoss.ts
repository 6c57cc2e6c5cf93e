// The loss limit of a live bot's UTC day: when the equity at the start of the day minus present equity (net of closing
// costs) reaches `maxDailyLoss`, the day trips: the account is halted, and the bot makes no entries until the next day.

import type { Armed } from "../../domain/Arming.ts"
import type { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import * as Drafts from "../bot/Draft.ts"
import type { Context, Draft } from "../Decision.ts"
import { atMost, tidy } from "../Prices.ts"
import { stance } from "./balanceRules.ts"

const DAY_MS = 86_400_000

/** The start of a time's UTC day, both in ms. */
export const midnight = (at: number): number => at - (at % DAY_MS)

/** The end of the day (ms). */
export const dayEnds = ({ day }: Armed): number => (day === undefined ? 0 : day.start + DAY_MS)

/**
 * Starts a new day if one is due, else checks the loss of the present one, realised and open. Does neither while an
 * open position has no price.
 */
export const turn = (draft: Draft): void => {
  const { context, state } = draft
  const { live } = state
  if (live === undefined) return
  const equity = equityOf(context, state)
  if (equity === undefined) return
  if (live.day === undefined || context.now >= dayEnds(live)) {
    const day = { start: midnight(context.now), equity: exactly(equity) }
    return Drafts.change(draft, { _tag: "Live", live: { ...live, day } })
  }
  const least = threshold(state)
  if (least === undefined || !atMost(equity, least)) return
  const lost = exactly(Decimal.approximate(live.day.equity) - equity)
  const most = live.maxDailyLoss
  draft.trip = { lost, most }
  Drafts.change(draft, { _tag: "Live", live: { ...live, day: { ...live.day, tripped: true } } })
  const numbers = { lost: Decimal.approximate(lost), most: Decimal.approximate(most) }
  Drafts.note(draft, "daily_loss", { numbers })
  for (const [key, slot] of Object.entries(draft.state.slots))
    Drafts.cancelEntry(draft, key, slot, "daily_loss")
}

/** The equity at which the day trips; undefined on paper and once it has tripped. */
export const threshold = ({ live }: BotState): number | undefined =>
  live?.day === undefined || live.day.tripped === true
    ? undefined
    : Decimal.approximate(live.day.equity) - Decimal.approximate(live.maxDailyLoss)

/** The day's loss so far, negative for a gain; undefined on paper and while an open position has no price. */
export const lostToday = (context: Context, state: BotState): Decimal.Decimal | undefined => {
  const day = state.live?.day
  const equity = day === undefined ? undefined : equityOf(context, state)
  return day === undefined || equity === undefined
    ? undefined
    : exactly(Decimal.approximate(day.equity) - equity)
}

/** Lowers the day's starting equity by `worth`: a write-off was not lost by trading. */
export const forgive = (draft: Draft, worth: number): void => {
  const { live } = draft.state
  if (live?.day === undefined) return
  const equity = exactly(Decimal.approximate(live.day.equity) - worth)
  Drafts.change(draft, { _tag: "Live", live: { ...live, day: { ...live.day, equity } } })
}

/** Cash plus what closing everything would return; undefined while an open position has no price. */
export const equityOf = (context: Context, state: BotState): number | undefined =>
  stance(context, state, NO_FEED)?.fixed
const NO_FEED = ""
const exactly = (amount: number): Decimal.Decimal => Decimal.fromNumber(tidy(amount))
