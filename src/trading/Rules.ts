import type { BotState } from "../domain/Bot.ts"
import type { MarketId } from "../domain/Market.ts"
import type { Position } from "../domain/Position.ts"
import type { Ticker } from "../domain/Ticker.ts"
import * as Balance from "./balance.ts"
import type { Context } from "./Decision.ts"
import { dca, dcaAt } from "./dca.ts"
import * as Exits from "./exits.ts"
import { keyOf } from "./Keys.ts"
import { type Figures, figuresOf } from "./Positions.ts"
import { coolingUntil, priceFor, type Trigger, type View } from "./Trigger.ts"
import * as Trailing from "./trailing.ts"

export const viewOf = (context: Context, state: BotState, id: MarketId, ticker: Ticker): View => {
  const slot = state.slots[keyOf(id)]
  const figures = slot?.position === undefined ? undefined : figuresOf(slot.position)
  return { context, state, id, slot, figures, fees: context.fees(id), ticker }
}

/**
 * Every rule of a slot that would act now or at a price, in the order of one event: liquidation, balance stop
 * loss, stop loss or sl, balance take profit, tp, auto close, trailing sell, take profit; then, where all rules are
 * asked for, DCA and trailing buy. A slot with an order in flight has only the balance rules.
 */
export const triggers = (view: View, rules: "exits" | "all", watching = false): ReadonlyArray<Trigger> => {
  const { figures, slot } = view
  const found: Array<Trigger> = []
  const put = (trigger: Trigger | undefined) => {
    if (trigger !== undefined) found.push(trigger)
  }
  const position = slot?.order === undefined ? slot?.position : undefined
  if (position === undefined || figures === undefined) {
    putBalance(view, watching, put)
    if (rules === "all" && slot?.order === undefined && slot !== undefined)
      put(Trailing.trailingBuy(view, slot))
    return found
  }
  putExits(view, position, figures, watching, put)
  if (rules === "all") put(dca(view, position, figures))
  return found
}

const putExits = (
  view: View,
  position: Position,
  figures: Figures,
  watching: boolean,
  put: (trigger: Trigger | undefined) => void
): void => {
  const { line, equities } = balanceOf(view)
  const balance = (rule: "balance_stop_loss" | "balance_take_profit", equity: number | undefined) => {
    const trigger = Balance.balance(rule, equity, line)
    const shared = trigger !== undefined && watching && line !== undefined
    put(shared ? Balance.watched(trigger, line, priceFor(view, "closing")) : trigger)
  }
  put(Exits.liquidation(view, figures))
  balance("balance_stop_loss", equities.stopLoss)
  put(Exits.stop(view, position, figures))
  balance("balance_take_profit", equities.takeProfit)
  put(Exits.target(view, position))
  put(Exits.autoClose(view, position))
  put(Trailing.arming(view, position, figures))
  put(Trailing.trailingSell(view, position, figures))
  put(Exits.takeProfit(view, position, figures))
}

const putBalance = (view: View, watching: boolean, put: (trigger: Trigger | undefined) => void): void => {
  const { line, equities } = balanceOf(view)
  for (const trigger of [
    Balance.balance("balance_stop_loss", equities.stopLoss, line),
    Balance.balance("balance_take_profit", equities.takeProfit, line)
  ]) {
    const shared = trigger !== undefined && watching && line !== undefined
    put(shared ? Balance.watched(trigger, line, priceFor(view, "closing")) : trigger)
  }
}

const balanceOf = (view: View) => {
  const { context, state } = view
  const equities = Balance.thresholds(context, state)
  const live = equities.stopLoss !== undefined || equities.takeProfit !== undefined
  return { equities, line: live ? Balance.stance(context, state, context.feed(view.id)) : undefined }
}

/** The next moment (ms) at which time alone may change the bot's mind about this slot. */
export const nextTime = (view: View): number => {
  const { context, figures, slot, state } = view
  const position = slot?.position
  if (position === undefined || figures === undefined) return Number.POSITIVE_INFINITY
  const times = [
    Exits.autoCloseAt(view, position),
    dcaAt(view, position),
    context.settings.balanceStopLoss && state.stopLossUntil,
    context.settings.balanceTakeProfit && state.takeProfitUntil,
    context.settings.dca && coolingUntil(state)
  ]
  let next = Number.POSITIVE_INFINITY
  for (const time of times) if (time !== undefined && time > context.now && time < next) next = time
  return next
}
