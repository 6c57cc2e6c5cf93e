// The numbers behind a reason, read from the very context and state that the decision read, so that they are recorded
// with it and never computed again. A reason that no number decided has none.
import type { Reason, ReasonFacts } from "../domain/Alert.ts"
import type { BotState, Slot } from "../domain/Bot.ts"
import * as Decimal from "../domain/Decimal.ts"
import { type MarketId, quoteOf } from "../domain/Market.ts"
import type { Position } from "../domain/Position.ts"
import type { AlertPatience } from "./AlertPatience.ts"
import { figuresOf, profitPercent } from "./books/Positions.ts"
import type { BotAlert, Context } from "./Decision.ts"
import { closingPrice, openingPrice } from "./Prices.ts"
import { freeCash } from "./Risk.ts"
import { entryMarket, meaningOf } from "./Routing.ts"
import { lostToday } from "./rules/DailyLoss.ts"
import * as EntrySize from "./rules/entrySize.ts"
import { gate } from "./rules/exits.ts"
import * as Parts from "./rules/Parts.ts"
import { viewOf } from "./rules/Rules.ts"
import { coolingUntil } from "./rules/Trigger.ts"
import * as Sizing from "./Sizing.ts"

/** An alert as the bot met it. `since` is when it began to wait (ms). */
export interface Circumstances {
  readonly context: Context
  readonly state: BotState
  readonly alert: BotAlert
  readonly patience: AlertPatience
  readonly since: number
}

/** The numbers that decided. */
export const factsOf = (reason: Reason, at: Circumstances): ReasonFacts => {
  const { alert, context, patience, since, state } = at
  switch (reason) {
    case "below_min_profit":
      return profitFacts(at)
    case "bad_target":
      return targetFacts(at)
    case "below_min_notional":
      return sizeFacts(at)
    case "over_max_order":
      return {
        ...sizeFacts(at),
        ...(state.live === undefined ? {} : { max_order: shown(state.live.maxOrder) })
      }
    case "already_open":
      return entriesFacts(at)
    case "pending_entry":
      return waitingFacts(slotOf(at))
    case "opposite_position":
      return heldFacts(slotOf(at)?.position)
    case "insufficient_balance":
      return { free_cash: shown(freeCash(state)) }
    case "cooldown":
      return { until: coolingUntil(state), minutes_left: minutes(coolingUntil(state) - context.now) }
    case "stale":
      return { age_seconds: seconds(context.now - alert.at), most_seconds: seconds(patience.entryMs) }
    case "no_price":
      return { waited_seconds: seconds(context.now - since), most_seconds: seconds(patience.priceMs) }
    case "quote_not_default":
      return { quote: quoteOf(alert.pair), currency: state.quote }
    case "no_stop":
      return context.settings.riskPercent === undefined ? {} : { risk_percent: context.settings.riskPercent }
    case "daily_loss":
      return lossFacts(at)
    default:
      return {}
  }
}

/** The slot that the alert is about: the one with a position or an entry of its pair and kind. */
const slotOf = ({ alert, state }: Circumstances): Slot | undefined => {
  const { kind } = meaningOf(alert.type)
  const slots = Object.values(state.slots).filter((slot) => slot.pair === alert.pair && slot.kind === kind)
  return slots.find(({ position }) => position !== undefined) ?? slots[0]
}

const profitFacts = (at: Circumstances): ReasonFacts => {
  const { context, state } = at
  const slot = slotOf(at)
  const ticker = slot === undefined ? undefined : context.quote(slot)
  const { minProfitPercent } = context.settings
  if (slot?.position === undefined || ticker === undefined || minProfitPercent === undefined) return {}
  const view = viewOf(context, state, slot, ticker)
  const figures = figuresOf(slot.position)
  const price = closingPrice(figures.side, ticker)
  const level = gate(view, figures)
  return {
    profit_percent: percent(profitPercent(figures, price, view.fees.takerRate)),
    min_profit_percent: minProfitPercent,
    price: figure(price),
    ...(level === undefined || !(level > 0) ? {} : { needed_price: figure(level) })
  }
}

/** The targets on the wrong side, with the price; none where own decisions named them. */
const targetFacts = (at: Circumstances): ReasonFacts => {
  const { alert, context } = at
  const { side } = meaningOf(alert.type)
  const slot = slotOf(at)
  const market = slot?.position === undefined ? marketOf(at) : slot
  const ticker = market === undefined ? undefined : context.quote(market)
  if (ticker === undefined) return {}
  const position = slot?.position
  // An open position with all its entries only gets new targets, which are compared with the price of closing.
  const isFull = position !== undefined && 1 + (position.added ?? 0) >= (context.settings.maxEntries ?? 1)
  const price = isFull ? closingPrice(side, ticker) : openingPrice(side, ticker)
  const { sl } = alert
  const tp = alert.tp ?? alert.tps?.[0]?.price
  const isUnder = (target: number) => (side === "long" ? target <= price : target >= price)
  return {
    ...(tp !== undefined && isUnder(tp) ? { tp } : {}),
    ...(sl !== undefined && !isUnder(sl) ? { sl } : {}),
    ...(sl !== undefined && sl === price ? { sl } : {}),
    price: figure(price)
  }
}

/** What was wanted and what the market takes: of an entry, or of a part to close. */
const sizeFacts = (at: Circumstances): ReasonFacts => {
  const { alert, context, state } = at
  const { act, side } = meaningOf(alert.type)
  const slot = slotOf(at)
  const position = slot?.position
  const id = act === "close" ? slot : (marketOf(at) ?? slot)
  const market = id === undefined ? undefined : context.market(id)
  const ticker = id === undefined ? undefined : context.quote(id)
  if (market === undefined || ticker === undefined) return {}
  const minimums = { min_value: shown(market.minCost), min_quantity: shown(market.minAmount) }
  if (act === "close") {
    if (position === undefined) return minimums
    const quantity = Parts.wanted(position, alert.closePercent ?? 100)
    return { ...worthOf(quantity, closingPrice(position.side, ticker)), ...minimums }
  }
  const price = openingPrice(side, ticker)
  const buyPercentage = alert.foreign === true ? undefined : alert.buyPercentage
  const held = position?.side === side ? position : undefined
  const size = { side, price, sl: alert.sl, buyPercentage, held, growth: alert.growth }
  const wanted = Decimal.min(EntrySize.wantedOf(context, state, size), freeCash(state))
  const budget = { wanted, free: freeCash(state), price }
  const quantity = Sizing.quantity(budget, market, context.fees(market))
  return {
    value: shown(wanted),
    quantity: shown(quantity),
    cost: shown(Sizing.reserved(quantity, price, context.fees(market))),
    ...minimums
  }
}

const worthOf = (quantity: Decimal.Decimal, price: number): ReasonFacts => ({
  value: shown(Decimal.product(quantity, Decimal.fromNumber(price))),
  quantity: shown(quantity)
})

const marketOf = ({ alert, context, state }: Circumstances): MarketId | undefined => {
  const market = entryMarket(context, state, { pair: alert.pair, kind: meaningOf(alert.type).kind })
  return typeof market === "string" ? undefined : market
}

const entriesFacts = (at: Circumstances): ReasonFacts => {
  const position = slotOf(at)?.position
  return position === undefined
    ? {}
    : { entries: 1 + (position.added ?? 0), most_entries: at.context.settings.maxEntries ?? 1 }
}

const waitingFacts = (slot: Slot | undefined): ReasonFacts => {
  const alert = slot?.trailingBuy?.alert ?? slot?.turn?.alert ?? slot?.order?.alert
  return alert === undefined ? {} : { waiting_alert: alert }
}

const heldFacts = (position: Position | undefined): ReasonFacts =>
  position === undefined ? {} : { side: position.side, quantity: shown(position.quantity) }

const lossFacts = ({ context, state }: Circumstances): ReasonFacts => {
  const lost = lostToday(context, state)
  return state.live === undefined
    ? {}
    : { ...(lost === undefined ? {} : { lost: shown(lost) }), most: shown(state.live.maxDailyLoss) }
}

const shown = (value: Decimal.Decimal): number => figure(Decimal.approximate(value))
const figure = (value: number): number => Number(value.toPrecision(10))
const percent = (value: number): number => Number(value.toFixed(4))
const seconds = (ms: number): number => Math.round(ms / 1000)
const minutes = (ms: number): number => Math.ceil(ms / 60_000)
