// All rules of a slot as triggers in their fixed sequence: liquidation, balance stop loss, the stop (sl, stop loss
// or break even), balance take profit, tp or ladder, auto close, an embedder's own exit, trailing sell, take profit or
// steps, DCA, trailing buy. Deciding, watching and walking read the
// same list.
import type { BalanceRule, BotState } from "../../domain/Bot.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { Ticker } from "../../domain/Ticker.ts"
import { stepBeyond } from "../books/FillPrice.ts"
import { figuresOf } from "../books/Positions.ts"
import { keyOf } from "../bot/Keys.ts"
import type { Context } from "../Decision.ts"
import * as Balance from "./balanceRules.ts"
import { breakEvenArming } from "./breakEven.ts"
import { dayEnds, threshold } from "./DailyLoss.ts"
import { dca, dcaWakesAt, watchedDca } from "./dca.ts"
import * as Exits from "./exits.ts"
import { ownExit } from "./ownExit.ts"
import { ladderStep, profitStep } from "./steps.ts"
import { coolingUntil, isBusy, isHeldUp, isWaiting, priceFor, type Trigger, type View } from "./Trigger.ts"
import * as Trailing from "./trailing.ts"

/** The view that the rules read: a market's slot and its position's figures at this ticker. */
export const viewOf = (context: Context, state: BotState, id: MarketId, ticker: Ticker): View => {
  const slot = state.slots[keyOf(id)]
  const figures = slot?.position === undefined ? undefined : figuresOf(slot.position)
  return { context, state, id, slot, figures, fees: context.fees(id), ticker }
}

/**
 * Every rule of a slot that would act now or at a price, in sequence; `"exits"` omits DCA and trailing buy. A slot with
 * an order in flight has only the balance rules.
 */
export const triggers = (view: View, rules: "exits" | "all", watching = false): ReadonlyArray<Trigger> => {
  const { context, figures, slot, state } = view
  const found: Array<Trigger> = []
  const { stopLoss, takeProfit } = Balance.thresholds(context, state)
  const live = stopLoss !== undefined || takeProfit !== undefined
  const line = live ? Balance.stance(context, state, context.feed(view.id)) : undefined
  const position = slot === undefined || isHeldUp(slot, context.now) ? undefined : slot.position
  const watchedAt = watching ? priceFor(view, "closing") : undefined
  if (watching && state.live !== undefined) put(found, ofDay(view))
  if (position === undefined || figures === undefined) {
    put(found, ofBalance("balance_stop_loss", stopLoss, line, watchedAt))
    put(found, ofBalance("balance_take_profit", takeProfit, line, watchedAt))
    if (rules === "all" && slot !== undefined && !isBusy(slot)) {
      put(found, Trailing.trailingBuy(view, slot))
    }
    return found
  }
  put(found, Exits.liquidation(view, figures))
  put(found, ofBalance("balance_stop_loss", stopLoss, line, watchedAt))
  put(found, Exits.stop(view, position, figures))
  put(found, ofBalance("balance_take_profit", takeProfit, line, watchedAt))
  const isLimitFree = slot === undefined || !isWaiting(slot, "limit", context.now)
  put(found, breakEvenArming(view, position, figures))
  if (isLimitFree) put(found, resting(view, Exits.target(view, position) ?? ladderStep(view, position)))
  put(found, Exits.autoClose(view, position))
  if (context.own !== undefined) put(found, ownExit(view, position))
  put(found, Trailing.arming(view, position, figures))
  put(found, Trailing.trailingSell(view, position, figures))
  if (isLimitFree)
    put(
      found,
      resting(view, Exits.takeProfit(view, position, figures) ?? profitStep(view, position, figures))
    )
  if (rules === "all") put(found, (watching ? watchedDca : dca)(view, position, figures))
  return found
}

/**
 * The only way into the list. No price reaches a level that is not finite; such a level is dropped here, so no window,
 * walk or index sees it.
 */
const put = (found: Array<Trigger>, trigger: Trigger | undefined): void => {
  if (trigger === undefined) return
  if (trigger.when === "now" || Number.isFinite(trigger.level)) found.push(trigger)
}

/** A resting order, which a fill model may fill only once the price is one step beyond it. */
const resting = (view: View, trigger: Trigger | undefined): Trigger | undefined => {
  const { fills } = view.fees
  if (trigger === undefined || trigger.when === "now" || fills?.model.limits !== "through") return trigger
  const { level, when } = trigger
  return { ...trigger, limit: level, level: stepBeyond(level, when, fills.market) }
}

/** The equity at which the day's loss reaches its bound, watched like a balance stop loss. */
const ofDay = (view: View): Trigger | undefined => {
  const { context, state } = view
  const line = Balance.stance(context, state, context.feed(view.id))
  return ofBalance("balance_stop_loss", threshold(state), line, priceFor(view, "closing"))
}

/** A balance rule; where it is watched, as the nearest level at the price `watchedAt`. */
const ofBalance = (
  rule: BalanceRule,
  equity: number | undefined,
  line: Balance.Stance | undefined,
  watchedAt: number | undefined
): Trigger | undefined => {
  if (equity === undefined || line === undefined) return undefined
  const trigger = Balance.balance(rule, equity, line)
  return watchedAt === undefined || trigger === undefined
    ? trigger
    : Balance.watched(trigger, line, watchedAt)
}

/** The next time (ms) at which time alone may change the decision on this slot. */
export const nextTime = (view: View): number => {
  const { context, figures, slot, state } = view
  const position = slot?.position
  if (position === undefined || figures === undefined) return Number.POSITIVE_INFINITY
  const times = [
    Exits.autoCloseAt(view, position),
    dcaWakesAt(view, position, figures),
    context.settings.balanceStopLoss && state.stopLossUntil,
    context.settings.balanceTakeProfit && state.takeProfitUntil,
    context.settings.dca && coolingUntil(state),
    slot?.retry?.until,
    state.live && dayEnds(state.live)
  ]
  let next = Number.POSITIVE_INFINITY
  for (const time of times) if (time !== undefined && time > context.now && time < next) next = time
  return next
}
