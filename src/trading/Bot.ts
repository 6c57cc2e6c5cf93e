// The bot: `decide(context, state, event)` returns a decision, `evolve` applies its changes, `watch` names the prices
// and times that can change its mind. One pure function for live, paper, replay and back-test; it never throws and
// reads no clock.
import type { BotState, Slot } from "../domain/Bot.ts"
import * as Decimal from "../domain/Decimal.ts"
import { type MarketId, marketKey, type QuoteCurrency } from "../domain/Market.ts"
import type { Position } from "../domain/Position.ts"
import type { Settings } from "../domain/Strategy.ts"
import { answer } from "./bot/AlertDecision.ts"
import * as Disarm from "./bot/Disarm.ts"
import * as Drafts from "./bot/Draft.ts"
import * as Fills from "./bot/Fills.ts"
import * as Funding from "./bot/Funding.ts"
import { byHand } from "./bot/Manual.ts"
import { ownAnswer } from "./bot/OwnAnswer.ts"
import { type AlertAnswer, type Context, type Decision, type Draft, type Event, evolve } from "./Decision.ts"
import { closingPrice } from "./Prices.ts"
import { barred } from "./Risk.ts"
import { about, applyCashRules, applyRules, disarm } from "./rules/ApplyRules.ts"
import { isDue, unarmed } from "./rules/breakEven.ts"
import { ranked } from "./rules/ClosePositions.ts"
import * as DailyLoss from "./rules/DailyLoss.ts"
import * as RestingStops from "./rules/RestingStops.ts"
import { isListed } from "./rules/Trigger.ts"

export { evolve } from "./Decision.ts"
export { watch } from "./Watch.ts"

/** The state of a new bot. */
export const start = (quote: QuoteCurrency, balance: Decimal.Decimal): BotState => ({
  quote,
  startingBalance: balance,
  cash: balance,
  baseline: balance,
  slots: {}
})

/**
 * Decides a bot's reaction to one event. A live bot also settles the loss of the day first and updates its protective
 * stops afterwards.
 */
export const decide = (context: Context, state: BotState, event: Event): Decision => {
  const { own } = context
  return event._tag === "Alert" && own?.hasAlert === true
    ? ownAnswer(own, context, { event, state }, (react) => settled(context, state, react))
    : settled(context, state, (draft) => react(draft, event))
}

/** A whole decision, made by what reacts to the event. */
const settled = (
  context: Context,
  state: BotState,
  react: (draft: Draft) => AlertAnswer | undefined
): Decision => {
  const draft = Drafts.begin(context, state)
  if (state.live !== undefined) DailyLoss.turn(draft)
  const answered = react(draft)
  if (state.live !== undefined) RestingStops.keep(draft)
  const decision = Drafts.finish(draft, answered)
  if (decision.changes === draft.changes && draft.changes.length > 0)
    outcomes.set(decision, { before: state, after: draft.state })
  return decision
}

/** The states that decisions were made on and lead to. Values never change, so `apply` need not make them again. */
const outcomes = new WeakMap<Decision, { readonly before: BotState; readonly after: BotState }>()

/** Applies the event to the draft and returns the answer to an alert. */
const react = (draft: Draft, event: Event): AlertAnswer | undefined => {
  switch (event._tag) {
    case "Alert":
      return answer(draft, event)
    case "Price":
      applyRules(draft, about(draft, event.market).markets, event.rules)
      break
    case "Time":
      applyAllRules(draft)
      break
    case "SettingsChanged":
      adopt(draft)
      break
    case "Ended":
      closeForGood(draft)
      break
    case "Filled":
      Fills.filled(draft, event.market, event.fill, event.done)
      break
    case "Rejected":
      Fills.ended(draft, event.market, event.order, { rule: "order_rejected", reason: event.reason })
      break
    case "Cut":
      Fills.cut(draft, event.market, event.order, event.quantity)
      break
    case "Missing":
      Fills.ended(draft, event.market, event.order, { rule: "order_missing" })
      break
    case "Cancelled":
      Fills.ended(draft, event.market, event.order, { rule: "order_cancelled" })
      break
    case "Disarmed":
      Disarm.disarmed(draft, event.close, event.forget)
      break
    case "Manual":
      draft.manual = byHand(draft, event.market, event.act)
      break
    case "Funding":
      Funding.paid(draft, event.market, event.rate, event.price)
      break
    case "Astray":
    case "Found":
      Disarm.astray(draft, event.market, event._tag === "Astray")
      break
    case "Accepted":
      Drafts.note(draft, "order_accepted", { market: marketKey(event.market) })
      break
    case "Unknown":
      Drafts.note(draft, "order_unknown", { market: marketKey(event.market) })
      break
  }
  return undefined
}

/** The state after all changes of a decision. */
export const apply = (state: BotState, decision: Decision): BotState => {
  const known = outcomes.get(decision)
  return known?.before === state ? known.after : decision.changes.reduce(evolve, state)
}

/** Whether the bot has no slot: nothing open, armed or in flight. */
export const isFlat = (state: BotState): boolean => Object.keys(state.slots).length === 0

/** Whether an order was decided whose end is unknown. A resting stop counts only while it is being ended. */
export const hasInFlight = (state: BotState): boolean => {
  for (const key in state.slots) {
    const slot = state.slots[key]
    if (slot?.order !== undefined || slot?.stopEnding === true) return true
  }
  return false
}

/**
 * The sequence in which a strategy takes its markets in turn, for `Context.rank`: pairs as first listed, spot before
 * swap, several exchanges of one pair as listed. Unlisted markets come last.
 */
export const rankBy = (settings: Settings): ((id: MarketId) => number) => {
  const exchanges = placesOf(settings.exchanges.map(({ exchange }) => exchange))
  const pairs = placesOf(settings.exchanges.flatMap((listing) => listing.pairs))
  return ({ exchange, kind, pair }) => {
    const place = (pairs.get(pair) ?? pairs.size) * (exchanges.size + 1)
    return 2 * (place + (exchanges.get(exchange) ?? exchanges.size)) + (kind === "spot" ? 0 : 1)
  }
}

const placesOf = <A>(all: ReadonlyArray<A>): ReadonlyMap<A, number> =>
  new Map([...new Set(all)].map((one, place) => [one, place]))

const applyAllRules = (draft: Draft): void => {
  const slots = ranked(draft).map(([, slot]) => slot)
  applyRules(draft, slots, "all")
  applyCashRules(draft)
}

/** New settings apply to open positions at once. */
const adopt = (draft: Draft): void => {
  const { settings } = draft.context
  for (const [key, slot] of ranked(draft)) {
    const reason = cancels(settings, slot) ?? barred(draft.state, draft.context.halted === true)
    if (reason !== undefined) Drafts.cancelEntry(draft, key, slot, reason)
    if (slot.position === undefined) continue
    const position = refreshed(settings, slot.position)
    if (position !== slot.position) Drafts.putSlot(draft, key, { ...slot, position })
  }
  applyAllRules(draft)
}

const cancels = (settings: Settings, slot: Slot): string | undefined => {
  if (!settings.active) return "strategy_inactive"
  if (!isListed(settings, slot)) return "pair_removed"
  return settings.trailingBuy === undefined && slot.trailingBuy !== undefined
    ? "trailing_buy_switched_off"
    : undefined
}

/**
 * New settings let a skipped DCA entry try again. A trailing sell that was switched off forgets its peak, and a stop at
 * break even that has to wait for more steps, or was switched off, that the price was beyond it.
 */
const refreshed = (settings: Settings, position: Position): Position => {
  const { dcaSkippedAt, ...rest } = position
  const awake = dcaSkippedAt === undefined ? position : rest
  const trailing = settings.trailingSell === undefined && awake.peak !== undefined ? disarm(awake) : awake
  return trailing.breakEven === undefined || isDue(settings, trailing) ? trailing : unarmed(trailing)
}

/** Deleting the strategy cancels waiting entries and closes open positions at the last price. */
const closeForGood = (draft: Draft): void => {
  if (draft.state.live !== undefined) return Disarm.sellAll(draft, "strategy_deleted")
  for (const [key, slot] of ranked(draft)) {
    Drafts.cancelEntry(draft, key, slot, "strategy_deleted")
    const ticker = draft.context.quote(slot)
    if (slot.position === undefined || slot.order !== undefined || ticker === undefined) continue
    const price = closingPrice(slot.position.side, ticker)
    if (Drafts.leave(draft, slot, slot.position, { exitReason: "strategy_deleted", type: "market", price })) {
      const { side } = slot.position
      const numbers = { quantity: Decimal.approximate(slot.position.quantity) }
      Drafts.note(draft, "closed", { market: key, side, reason: "strategy_deleted", price, numbers })
    }
  }
}
