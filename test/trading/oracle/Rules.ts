// The rules of one event, each over all places before the next; after each order the list begins anew.
import * as Decimal from "../../../src/domain/Decimal.ts"
import { fits, orderable, payable, retarget, sizeOf } from "./Alerts.ts"
import * as Levels from "./Levels.ts"
import {
  type Bot,
  better,
  closeValue,
  enter,
  exact,
  floored,
  ge,
  le,
  leave,
  leaveAll,
  marketOf,
  neat,
  type Place,
  plain,
  priceOf,
  priceOfProfit,
  taker,
  traded,
  worse
} from "./Money.ts"

/** A rule that holds: its place in the sequence of one event, and what it does. */
interface Holds {
  readonly order: number
  readonly act: () => void
}
export type BalanceRule = "sl" | "tp"

/** Equity as fixed + slope x the price of pair `n`, after the exit fees, and the price at which it is `equity`. */
const balanceLine = (bot: Bot, n: number, equity: number) => {
  let fixed = plain(bot.cash)
  let slope = 0
  for (const place of bot.places) {
    const h = place.held
    if (!h) continue
    if (place.n !== n) {
      fixed += closeValue(h, priceOf(bot, place), taker(bot))
      continue
    }
    const q = plain(h.q)
    if (h.side === "long") slope += q * (1 - taker(bot))
    else {
      fixed += 2 * plain(h.n)
      slope -= q * (1 + taker(bot))
    }
  }
  return { fixed, slope, level: slope === 0 ? Number.NaN : (equity - fixed) / slope }
}
/** The equity at which a balance rule fires, unless it is off or cools down. */
const balanceAim = (bot: Bot, rule: BalanceRule, t: number): number | undefined => {
  const settings = rule === "sl" ? bot.s.balance_stop_loss : bot.s.balance_take_profit
  if (!settings || !Decimal.isPositive(bot.baseline) || t < (rule === "sl" ? bot.slUntil : bot.tpUntil))
    return undefined
  return plain(bot.baseline) * (1 + (rule === "sl" ? -settings.trigger : settings.trigger) / 100)
}
const balanceMet = (bot: Bot, rule: BalanceRule, n: number, t: number): boolean => {
  const aim = balanceAim(bot, rule, t)
  if (aim === undefined) return false
  const { fixed, level, slope } = balanceLine(bot, n, aim)
  const p = bot.px[n] ?? Number.NaN
  if (slope === 0) return rule === "sl" ? le(fixed, aim) : ge(fixed, aim)
  return slope > 0 === (rule === "sl") ? le(p, level) : ge(p, level)
}
const fireBalance = (bot: Bot, rule: BalanceRule, t: number): void => {
  for (const place of bot.places) place.armed = undefined
  for (const place of bot.places)
    leaveAll(bot, place, priceOf(bot, place), t, rule === "sl" ? "balance_stop_loss" : "balance_take_profit")
  bot.baseline = bot.cash
  if (rule === "sl") bot.slUntil = t + (bot.s.balance_stop_loss?.cooldown ?? 0) * 60_000
  else bot.tpUntil = t + (bot.s.balance_take_profit?.cooldown ?? 0) * 60_000
}
const isLost = (bot: Bot, place: Place) => {
  const level = place.held && Levels.liquidationOf(place, place.held)
  return level !== undefined && ge(priceOf(bot, place), level)
}
const balanceHolds = (bot: Bot, n: number, t: number): ReadonlyArray<Holds> =>
  (["sl", "tp"] as const).flatMap((rule) => {
    if (!balanceMet(bot, rule, n, t)) return []
    const act = () => {
      // Liquidation comes before it over all places; then the rule is asked again.
      const lost = bot.places.find((place) => isLost(bot, place))
      if (lost) leaveAll(bot, lost, priceOf(bot, lost), t, "liquidation")
      else fireBalance(bot, rule, t)
    }
    return [{ order: rule === "sl" ? 1 : 3, act }]
  })

const exitOf = (bot: Bot, place: Place, p: number, t: number): Holds | undefined => {
  const h = place.held
  if (!h) return undefined
  const all = (order: number, reason: string): Holds => ({
    order,
    act: () => leaveAll(bot, place, p, t, reason)
  })
  if (isLost(bot, place)) return all(0, "liquidation")
  const stop = Levels.stopOf(bot, h)
  if (stop && worse(h.side, p, stop.level)) return all(2, stop.reason)
  const target = Levels.targetOf(bot, place, h)
  const isMet = target !== undefined && better(h.side, p, target.level)
  const reach = (order: number): Holds => ({
    order,
    act: () => {
      if (!target) return
      const best = h.side === "long" ? Math.max(p, target.level) : Math.min(p, target.level)
      leave(bot, place, { q: target.amount, p: target.limit ?? best, t, reason: target.reason })
      Levels.stepped(h, target)
    }
  })
  if (isMet && target.reason === "tp") return reach(4)
  const minutes = bot.s.auto_close_position_value
  if (minutes !== undefined && t >= h.first + minutes * 60_000) return all(5, "auto_close")
  const sell = bot.s.trailing_sell
  if (sell && !Levels.hasTarget(h)) {
    const trail = Levels.trailOf(bot, h)
    const gate = Levels.gateOf(bot, h)
    if (trail === undefined && better(h.side, p, priceOfProfit(h, sell.arm, taker(bot))))
      return {
        order: 6,
        act: () => {
          h.peak = p
        }
      }
    if (trail !== undefined && worse(h.side, p, trail) && (gate === undefined || better(h.side, p, gate)))
      return all(6, "trailing_sell")
  }
  return isMet && target.reason === "take_profit" ? reach(7) : undefined
}

const entryOf = (bot: Bot, place: Place, p: number, t: number): Holds | undefined => {
  const { armed, held } = place
  if (held) {
    const level = Levels.dcaLevel(bot, held, t)
    if (level === undefined || !worse(held.side, p, level)) return undefined
    const act = () => {
      const step = marketOf(bot, place).amount_step
      const wanted = floored(bot, Levels.dcaNotional(bot, held), exact(p), step)
      const most = floored(bot, payable(bot), exact(neat(traded(bot, place, "buys", p))), step)
      const q = orderable(bot, place, Decimal.min(wanted, most), p)
      if (Decimal.isZero(q)) held.skip = bot.cash
      else enter(bot, place, { side: held.side, q, p, t, by: "dca" })
    }
    return { order: 9, act }
  }
  if (!armed || !better(armed.side, p, Levels.turnLevel(bot, armed.side, armed.best))) return undefined
  const act = () => {
    place.armed = undefined
    const q = fits(armed.side, p, armed) ? sizeOf(bot, place, armed, p) : Decimal.zero
    if (Decimal.isPositive(q)) retarget(enter(bot, place, { side: armed.side, q, p, t, by: "alert" }), armed)
  }
  return { order: 10, act }
}

/** Trails follow the price. */
const follow = (place: Place, p: number) => {
  const { armed, held } = place
  if (held?.peak !== undefined)
    held.peak = held.side === "long" ? Math.max(held.peak, p) : Math.min(held.peak, p)
  if (armed) armed.best = armed.side === "long" ? Math.min(armed.best, p) : Math.max(armed.best, p)
}

export interface Moment {
  readonly n: number
  readonly p: number
  readonly t: number
  /** Whether averaging and trailing buys are looked at too. */
  readonly isAll: boolean
}

/** All that the rules do at a price to these places of pair `n`. */
export const settle = (bot: Bot, places: ReadonlyArray<Place>, { isAll, n, p, t }: Moment): void => {
  bot.px[n] = p
  for (const place of places) follow(place, p)
  for (;;) {
    for (const { held } of places) if (held) Levels.look(bot, held, p)
    const holding = places.flatMap((place) => {
      const first = exitOf(bot, place, p, t) ?? (isAll ? entryOf(bot, place, p, t) : undefined)
      return first ? [first] : []
    })
    const [first] = [...holding, ...balanceHolds(bot, n, t)].sort((x, y) => x.order - y.order)
    if (!first) return
    first.act()
  }
}

/** The prices at which the rules would act on this place, as it is now. */
export const levelsOf = (bot: Bot, place: Place, p: number, t: number): ReadonlyArray<number> => {
  const out: Array<number | undefined> = []
  for (const rule of ["sl", "tp"] as const) {
    const aim = balanceAim(bot, rule, t)
    if (aim !== undefined) out.push(balanceLine(bot, place.n, aim).level)
  }
  const { armed, held: h } = place
  if (armed) out.push(Levels.turnLevel(bot, armed.side, armed.best))
  if (h) {
    out.push(Levels.liquidationOf(place, h), Levels.stopOf(bot, h)?.level)
    out.push(Levels.targetOf(bot, place, h)?.level, Levels.dcaLevel(bot, h, t))
    if (bot.s.trailing_sell && !Levels.hasTarget(h)) out.push(...trailLevels(bot, h, p))
  }
  return out.filter((level): level is number => level !== undefined && Number.isFinite(level))
}

const trailLevels = (bot: Bot, h: NonNullable<Place["held"]>, p: number): ReadonlyArray<number> => {
  const trail = Levels.trailOf(bot, h)
  if (trail === undefined) return [priceOfProfit(h, bot.s.trailing_sell?.arm ?? 0, taker(bot))]
  const gate = Levels.gateOf(bot, h)
  if (gate === undefined) return [trail]
  if (!better(h.side, trail, gate)) return []
  return better(h.side, p, gate) ? [trail] : [trail, gate]
}
