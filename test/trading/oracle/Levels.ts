// The price levels at which a position's own rules act: stops, break even, targets, ladders and steps, trail, averaging.
import * as Decimal from "../../../src/domain/Decimal.ts"
import {
  average,
  type Bot,
  better,
  costOf,
  exact,
  floored,
  type Held,
  isUnder,
  le,
  type Money,
  maker,
  marketOf,
  neat,
  type Place,
  priceOfProfit,
  rest,
  taker,
  zero
} from "./Money.ts"

/** The next target: its level, what it closes, and how many steps it counts for (0: none, the whole position). */
export interface Target {
  readonly level: number
  readonly amount: Money
  readonly steps: number
  readonly reason: "tp" | "take_profit"
  /** What it is sold at, where the price has to go through that. */
  readonly limit?: number
}

interface Stair {
  readonly percent: number
  readonly level: number
}

/** The first step that is not left out. A step under the minimum passes its percent on to the next. */
const firstStep = (
  bot: Bot,
  place: Place,
  h: Held,
  stairs: ReadonlyArray<Stair>,
  done: number,
  base: Money
) => {
  const whole = Decimal.equals(Decimal.sum(stairs.map(({ percent }) => exact(percent))), Decimal.hundred)
  let percent = zero
  for (let i = done; i < stairs.length; i++) {
    const stair = stairs[i]
    if (stair === undefined || !(stair.level > 0)) return undefined
    percent = Decimal.add(percent, exact(stair.percent))
    const found = { level: stair.level, steps: i - done + 1 }
    if (whole && i === stairs.length - 1) return { ...found, amount: h.q }
    const wanted = floored(
      bot,
      Decimal.percentOf(base, percent),
      Decimal.one,
      marketOf(bot, place).amount_step
    )
    const amount = Decimal.min(wanted, h.q)
    if (isUnder(bot, place, amount, stair.level)) continue
    return {
      ...found,
      amount: isUnder(bot, place, Decimal.subtract(h.q, amount), stair.level) ? h.q : amount
    }
  }
  return undefined
}

/** Whether a target of an alert is held: it replaces the strategy's own exits in profit, and the gate. */
export const hasTarget = (h: Held) => h.tp !== undefined || h.ladder !== undefined

export const targetOf = (bot: Bot, place: Place, h: Held): Target | undefined => {
  const target = touched(bot, place, h)
  if (target === undefined || bot.fills.limits !== "through") return target
  const { price_step } = marketOf(bot, place)
  const limit = target.level
  return { ...target, limit, level: neat(h.side === "long" ? limit + price_step : limit - price_step) }
}

const touched = (bot: Bot, place: Place, h: Held): Target | undefined => {
  const step = marketOf(bot, place).price_step
  if (h.tp !== undefined) return { level: rest(h.tp, h.side, step), amount: h.q, steps: 0, reason: "tp" }
  if (h.ladder) {
    const stairs = h.ladder.rungs.map(({ percent, price }) => ({ percent, level: rest(price, h.side, step) }))
    const found = firstStep(bot, place, h, stairs, h.ladder.done, h.ladder.base)
    return found && { ...found, reason: "tp" }
  }
  const levelOf = (percent: number) => rest(priceOfProfit(h, percent, maker(bot)), h.side, step)
  if (bot.s.take_profit_steps) {
    const stairs = bot.s.take_profit_steps.map(({ close_percent, profit_percent }) => ({
      percent: close_percent,
      level: levelOf(profit_percent)
    }))
    const found = firstStep(bot, place, h, stairs, h.steps, h.allQ)
    return found && { ...found, reason: "take_profit" }
  }
  if (bot.s.sell_minprofitpercent === undefined || bot.s.trailing_sell) return undefined
  const level = levelOf(bot.s.sell_minprofitpercent)
  return level > 0 ? { level, amount: h.q, steps: 0, reason: "take_profit" } : undefined
}

/** After a step: it and those left out before it are done; a ladder that is done is held no longer. */
export const stepped = (h: Held, target: Target): void => {
  if (target.steps === 0) return
  h.done += target.steps
  if (target.reason === "take_profit") h.steps += target.steps
  else if (h.ladder) {
    h.ladder.done += target.steps
    if (h.ladder.done === h.ladder.rungs.length) h.ladder = undefined
  }
}

const breakEvenOf = (bot: Bot, h: Held) => {
  const after = bot.s.break_even_after
  return after === undefined || h.done < after ? undefined : priceOfProfit(h, 0, taker(bot))
}
/** Notes that the price is beyond break even. */
export const look = (bot: Bot, h: Held, p: number): void => {
  const level = breakEvenOf(bot, h)
  if (level !== undefined && !(h.side === "long" ? le(p, level) : p >= level - Math.abs(level) * 1e-12))
    h.beyond = true
}

export interface Stop {
  readonly level: number
  readonly reason: "sl" | "stop_loss" | "break_even"
}
/** The stop that holds: the nearer of the position's own and break even. */
export const stopOf = (bot: Bot, h: Held): Stop | undefined => {
  const percent = bot.s.stop_loss_percentage
  const own: Stop | undefined =
    h.sl !== undefined
      ? { level: h.sl, reason: "sl" }
      : percent !== undefined
        ? { level: average(h) * (1 + ((h.side === "long" ? -1 : 1) * percent) / 100), reason: "stop_loss" }
        : undefined
  const even = h.beyond ? breakEvenOf(bot, h) : undefined
  if (even === undefined) return own
  return own !== undefined && !better(h.side, even, own.level) ? own : { level: even, reason: "break_even" }
}

export const trailOf = (bot: Bot, h: Held) =>
  h.peak === undefined || !bot.s.trailing_sell
    ? undefined
    : h.peak * (1 + ((h.side === "long" ? -1 : 1) * bot.s.trailing_sell.percent) / 100)
export const gateOf = (bot: Bot, h: Held) =>
  bot.s.sell_minprofitpercent === undefined
    ? undefined
    : priceOfProfit(h, bot.s.sell_minprofitpercent, taker(bot))
export const liquidationOf = (place: Place, h: Held) =>
  place.kind === "swap" && h.side === "short" ? 2 * average(h) : undefined

export const isCooling = (bot: Bot, t: number) => t < Math.max(bot.tpUntil, bot.slUntil)

export const dcaLevel = (bot: Bot, h: Held, t: number) => {
  const d = bot.s.dca
  if (!d || bot.s.active === false || isCooling(bot, t) || h.retries >= d.retries) return undefined
  if (t <= h.last || t < h.last + d.after * 60_000) return undefined
  if (h.skip !== undefined && !Decimal.greaterThan(bot.cash, h.skip)) return undefined
  return average(h) * (1 + ((h.side === "long" ? -1 : 1) * d.trigger) / 100)
}
export const dcaNotional = (bot: Bot, h: Held) => Decimal.percentOf(costOf(h), exact(bot.s.dca?.size ?? 0))

export const turnLevel = (bot: Bot, side: "long" | "short", best: number) =>
  best * (1 + ((side === "long" ? 1 : -1) * (bot.s.trailing_buy_percentage ?? 0)) / 100)

/** Whether both an adverse level and a favourable one lie in the range of a candle. */
export const isAmbiguous = (bot: Bot, place: Place, low: number, high: number): boolean => {
  const h = place.held
  if (!h) return false
  const within = (level: number | undefined) =>
    level !== undefined && level >= low - Math.abs(low) * 1e-12 && le(level, high)
  const trail = hasTarget(h) ? undefined : trailOf(bot, h)
  const gate = gateOf(bot, h)
  const acts = trail !== undefined && (gate === undefined || better(h.side, trail, gate))
  const adverse = [stopOf(bot, h)?.level, liquidationOf(place, h), acts ? trail : undefined]
  return adverse.some(within) && within(targetOf(bot, place, h)?.level)
}
