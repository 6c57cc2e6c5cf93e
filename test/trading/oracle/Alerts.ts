// What an alert does: opens, adds, turns, closes whole positions and parts. A text is why it was ignored; none: it acted.
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { CaseAlert, Side } from "./Case.ts"
import { gateOf, hasTarget, isCooling } from "./Levels.ts"
import {
  type Bot,
  better,
  enter,
  equityOf,
  exact,
  floored,
  ge,
  type Held,
  isUnder,
  le,
  leave,
  leaveAll,
  type Money,
  marketOf,
  neat,
  type Place,
  type Targets,
  traded,
  zero
} from "./Money.ts"

/** Why an alert was ignored; the empty text if it acted. */
export type Told = string
const ACTED = ""

/** The moment of a decision. */
export interface Now {
  readonly p: number
  readonly t: number
}

/** A target beyond the price, and a stop before it. Of a ladder the first rung counts. */
export const fits = (side: Side, p: number, { sl, tp, tps }: Targets) => {
  const first = tp ?? tps?.[0]?.price
  return side === "long"
    ? (first === undefined || !le(first, p)) && (sl === undefined || !ge(sl, p))
    : (first === undefined || !ge(first, p)) && (sl === undefined || !le(sl, p))
}

export interface Wanted extends Targets {
  readonly side: Side
  readonly buy_percentage?: number | undefined
  readonly growth?: number | undefined
}

/** The stop that an entry's risk is counted to. */
const stopFor = (bot: Bot, held: Held | undefined, { side, sl }: Wanted, p: number): Money | undefined => {
  const own = sl ?? held?.sl
  if (own !== undefined) return exact(own)
  const percent = bot.s.stop_loss_percentage
  if (percent === undefined) return undefined
  const away = Decimal.percentOf(exact(p), exact(percent))
  return side === "long" ? Decimal.subtract(exact(p), away) : Decimal.add(exact(p), away)
}

/** The most that free cash pays for, the fee included. */
export const payable = (bot: Bot): Money =>
  Decimal.divide(
    Decimal.multiply(bot.cash, Decimal.hundred),
    Decimal.add(Decimal.hundred, exact(bot.s.taker_fee))
  )

/** A quantity that the market takes, or none. */
export const orderable = (bot: Bot, place: Place, q: Money, p: number): Money =>
  isUnder(bot, place, q, p) ? zero : q

/** The quantity of an entry; zero if it is under the market's minimum. */
export const sizeOf = (bot: Bot, place: Place, wanted: Wanted, p: number): Money => {
  const step = marketOf(bot, place).amount_step
  const price = exact(p)
  const byCash = floored(bot, payable(bot), exact(neat(traded(bot, place, "buys", p))), step)
  const { held } = place
  if (held && wanted.growth !== undefined) {
    const grown = floored(bot, Decimal.multiply(held.q, exact(wanted.growth)), Decimal.one, step)
    return orderable(bot, place, Decimal.min(grown, byCash), p)
  }
  const equity = equityOf(bot)
  const percent = exact(wanted.buy_percentage ?? bot.s.buy_percentage)
  const byPercent = floored(bot, Decimal.percentOf(equity, percent), price, step)
  const most = Decimal.min(byPercent, byCash)
  const stop = bot.s.risk_percent === undefined ? undefined : stopFor(bot, held, wanted, p)
  if (bot.s.risk_percent === undefined || stop === undefined) return orderable(bot, place, most, p)
  const apart = Decimal.subtract(price, stop)
  const loss = Decimal.isNegative(apart) ? Decimal.negate(apart) : apart
  if (Decimal.isZero(loss)) return zero
  const byRisk = floored(bot, Decimal.percentOf(equity, exact(bot.s.risk_percent)), loss, step)
  return orderable(bot, place, Decimal.min(most, byRisk), p)
}

/** The first reason against an entry, or its quantity. */
const judge = (
  bot: Bot,
  place: Place,
  wanted: Wanted,
  { p, t }: Now
): { readonly told: Told; readonly q: Money } => {
  const no = (told: Told) => ({ told, q: zero })
  if (marketOf(bot, place).buy_enabled === false) return no("market_closed_for_buying")
  if (isCooling(bot, t)) return no("cooldown")
  if (bot.s.buy_percentage === 0 || wanted.buy_percentage === 0) return no("zero_buy_percentage")
  if (!fits(wanted.side, p, wanted)) return no("bad_target")
  if (bot.s.risk_percent !== undefined && stopFor(bot, place.held, wanted, p) === undefined)
    return no("no_stop")
  if (!Decimal.isPositive(bot.cash)) return no("insufficient_balance")
  const q = sizeOf(bot, place, wanted, p)
  return Decimal.isZero(q) ? no("below_min_notional") : { told: ACTED, q }
}

/** tp, tps and sl each replace their own; tp and tps replace each other. */
export const retarget = (h: Held, { sl, tp, tps }: Targets): void => {
  if (sl !== undefined) h.sl = sl
  if (tp === undefined && tps === undefined) return
  h.peak = undefined
  h.tp = tp
  h.ladder = tps === undefined ? undefined : { rungs: tps, done: 0, base: h.q }
}

/** Opens, or arms the trailing buy. */
const open = (bot: Bot, place: Place, wanted: Wanted, now: Now): Told => {
  const { q, told } = judge(bot, place, wanted, now)
  if (told !== ACTED) return told
  if (bot.s.trailing_buy_percentage !== undefined) place.armed = { ...wanted, best: now.p }
  else retarget(enter(bot, place, { side: wanted.side, q, ...now, by: "alert" }), wanted)
  return ACTED
}

/** Adds an entry; where it is refused, good targets are replaced all the same. */
const add = (bot: Bot, place: Place, h: Held, wanted: Wanted, now: Now): Told => {
  const { q, told } = judge(bot, place, wanted, now)
  if (told === ACTED) {
    retarget(enter(bot, place, { side: wanted.side, q, ...now, by: "alert" }), wanted)
    return ACTED
  }
  return retargeted(h, wanted, now.p) ? ACTED : told
}

const retargeted = (h: Held, wanted: Wanted, p: number): boolean => {
  const isGiven = wanted.tp !== undefined || wanted.tps !== undefined || wanted.sl !== undefined
  if (!isGiven || !fits(wanted.side, p, wanted)) return false
  retarget(h, wanted)
  return true
}

/** A part of the position, with what is owed; all of it where the rest would be too small to sell. */
const part = (bot: Bot, place: Place, h: Held, percent: number, { p, t }: Now): Told => {
  const wanted = Decimal.add(Decimal.percentOf(h.q, exact(percent)), h.owed)
  const q = floored(bot, wanted, Decimal.one, marketOf(bot, place).amount_step)
  if (isUnder(bot, place, q, p)) {
    h.owed = wanted
    return "below_min_notional"
  }
  if (isUnder(bot, place, Decimal.subtract(h.q, q), p)) leaveAll(bot, place, p, t, "signal")
  else {
    h.owed = zero
    leave(bot, place, { q, p, t, reason: "signal" })
  }
  return ACTED
}

/** Whether the profit gate lets a closing alert through. */
const isFree = (bot: Bot, h: Held, p: number) => {
  const gate = gateOf(bot, h)
  return (
    hasTarget(h) ||
    bot.s.signal_ignores_sell_min_profit_percent === true ||
    gate === undefined ||
    better(h.side, p, gate)
  )
}

const close = (bot: Bot, place: Place, side: Side, percent: number, now: Now): Told => {
  if (place.armed?.side === side) {
    if (percent < 100) return "pending_entry"
    place.armed = undefined
    return ACTED
  }
  const h = place.held
  if (h?.side !== side) return "no_position"
  if (!isFree(bot, h, now.p)) return "below_min_profit"
  if (percent < 100) return part(bot, place, h, percent, now)
  leaveAll(bot, place, now.p, now.t, "signal")
  return ACTED
}

/** An entry alert where the other side is held or waits. */
const oppose = (bot: Bot, place: Place, wanted: Wanted, reverse: boolean | undefined, now: Now): Told => {
  const wish = reverse === undefined ? (bot.s.on_opposite ?? "ignore") : reverse ? "reverse" : "ignore"
  if (wish === "ignore") return "opposite_position"
  if (place.held && !isFree(bot, place.held, now.p)) return "below_min_profit"
  place.armed = undefined
  leaveAll(bot, place, now.p, now.t, "signal")
  if (wish === "reverse" && bot.s.active !== false) open(bot, place, wanted, now)
  return ACTED
}

export const onAlert = (bot: Bot, place: Place, alert: CaseAlert, now: Now): Told => {
  const side: Side = alert.type === "short" || alert.type === "close_short" ? "short" : "long"
  const other = place.held?.side ?? place.armed?.side
  if (alert.type === "sell" || alert.type === "close_long" || alert.type === "close_short") {
    const closed = alert.either_side === true ? (other ?? side) : side
    return close(bot, place, closed, alert.close_percent ?? 100, now)
  }
  const { buy_percentage, growth, sl, tp, tps } = alert
  const wanted: Wanted = { side, tp, sl, tps, buy_percentage, growth }
  if (bot.s.active === false) return "strategy_inactive"
  if (other !== undefined && other !== side) return oppose(bot, place, wanted, alert.reverse, now)
  if (place.armed) return "pending_entry"
  const h = place.held
  if (!h) return open(bot, place, wanted, now)
  if (h.byAlert < (bot.s.max_entries ?? 1)) return add(bot, place, h, wanted, now)
  if (!fits(side, now.p, wanted)) return "bad_target"
  return retargeted(h, wanted, now.p) ? ACTED : "already_open"
}
