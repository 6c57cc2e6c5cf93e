// The books of one bot: exact decimals for money, doubles for price levels, and what an entry and an exit do to them.
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { Case, CaseFills, CaseMarket, ExitRow, Kind, Rung, Side, TradeRow, Wishes } from "./Case.ts"
import { tradeOf } from "./Rows.ts"

export type Money = Decimal.Decimal
export const exact = Decimal.fromNumber
export const plain = Decimal.toNumber
export const { zero } = Decimal

const T = 1e-12
/** Two prices within one part in 10^12 are equal. */
export const ge = (a: number, b: number) => a >= b - Math.abs(b) * T
export const le = (a: number, b: number) => a <= b + Math.abs(b) * T
export const better = (side: Side, p: number, level: number) =>
  side === "long" ? ge(p, level) : le(p, level)
export const worse = (side: Side, p: number, level: number) => (side === "long" ? le(p, level) : ge(p, level))

/** A ladder of targets: how many of its rungs are done, and the quantity that their percents are of. */
export interface Ladder {
  readonly rungs: ReadonlyArray<Rung>
  done: number
  base: Money
}

/** What is left of a position (`q`, `n`, `fees`), what was ever entered (`all`), and what came back. */
export interface Held {
  readonly side: Side
  q: Money
  n: Money
  fees: Money
  allQ: Money
  allN: Money
  allFees: Money
  back: Money
  exitFees: Money
  readonly exits: Array<ExitRow>
  readonly first: number
  last: number
  entries: number
  byAlert: number
  retries: number
  tp: number | undefined
  sl: number | undefined
  ladder: Ladder | undefined
  peak: number | undefined
  skip: Money | undefined
  owed: Money
  /** Steps of the strategy that are done, and steps of both sorts. */
  steps: number
  done: number
  /** Whether the price was beyond break even since the step that matters and since the last entry. */
  beyond: boolean
}

export interface Targets {
  readonly tp?: number | undefined
  readonly sl?: number | undefined
  readonly tps?: ReadonlyArray<Rung> | undefined
}

export interface Armed extends Targets {
  readonly side: Side
  best: number
  readonly buy_percentage?: number | undefined
}

export interface Place {
  readonly n: number
  readonly kind: Kind
  held: Held | undefined
  armed: Armed | undefined
}

export interface Bot {
  readonly s: Wishes
  readonly fills: CaseFills
  readonly pairs: ReadonlyArray<string>
  readonly markets: ReadonlyArray<CaseMarket>
  readonly places: ReadonlyArray<Place>
  /** The last point seen of each pair. */
  readonly px: Array<number>
  readonly trades: Array<TradeRow>
  cash: Money
  baseline: Money
  tpUntil: number
  slUntil: number
  /** Some amount lay within a hair of a step or a minimum, where levels in doubles may round to the other side. */
  isFragile: boolean
}

export const botOf = (one: Case): Bot => {
  const { pairs } = one.strategy
  const series = [...one.series].sort((x, y) => pairs.indexOf(x.pair) - pairs.indexOf(y.pair))
  return {
    s: one.strategy,
    fills: one.fills ?? {},
    pairs: series.map(({ pair }) => pair),
    markets: series.map(({ market }) => market),
    places: series.flatMap(
      (_, n): ReadonlyArray<Place> => [
        { n, kind: "spot", held: undefined, armed: undefined },
        { n, kind: "swap", held: undefined, armed: undefined }
      ]
    ),
    px: series.map(() => Number.NaN),
    trades: [],
    cash: exact(one.balance),
    baseline: exact(one.balance),
    tpUntil: 0,
    slUntil: 0,
    isFragile: false
  }
}

export const marketOf = (bot: Bot, place: Place): CaseMarket => {
  const market = bot.markets[place.n]
  if (market === undefined) throw new RangeError("a place without a market")
  return market
}
export const priceOf = (bot: Bot, place: Place) => bot.px[place.n] ?? Number.NaN
export const taker = (bot: Bot) => bot.s.taker_fee / 100
export const maker = (bot: Bot) => bot.s.maker_fee / 100
export const costOf = (h: Held) => Decimal.add(h.n, h.fees)
export const average = (h: Held) => plain(h.n) / plain(h.q)

/** What closing all that is left would give back at a price. */
export const closeValue = (h: Held, p: number, fee: number) => {
  const gross = plain(h.q) * p
  return (h.side === "long" ? gross : 2 * plain(h.n) - gross) - gross * fee
}
/** The price at which closing what is left nets so many percent of its cost. */
export const priceOfProfit = (h: Held, percent: number, fee: number) => {
  const want = plain(costOf(h)) * (1 + percent / 100)
  const q = plain(h.q)
  return h.side === "long" ? want / (q * (1 - fee)) : (2 * plain(h.n) - want) / (q * (1 + fee))
}
/** Where a limit order at this price rests: on the price step, away from the market. */
export const rest = (p: number, side: Side, step: number) => {
  const k = p / step
  const nearest = Math.round(k)
  const whole =
    Math.abs(k - nearest) <= Math.abs(k) * T ? nearest : side === "long" ? Math.ceil(k) : Math.floor(k)
  return plain(Decimal.multiply(exact(whole), exact(step)))
}
/**
 * What an order at a price really gets: a buyer pays half the spread and then the slippage on top, a seller loses them.
 * Nobody sells below one price step.
 */
export const traded = (bot: Bot, place: Place, does: "buys" | "sells", p: number): number => {
  const { slippage_percent = 0, slippage_ticks = 0, spread_percent = 0 } = bot.fills
  const step = marketOf(bot, place).price_step
  const half = (p * spread_percent) / 200
  if (does === "buys") {
    const ask = p + half
    return ask + (ask * slippage_percent) / 100 + slippage_ticks * step
  }
  const bid = p - half
  return Math.max(Math.min(p, step), bid - (bid * slippage_percent) / 100 - slippage_ticks * step)
}
const opens = (side: Side) => (side === "long" ? "buys" : "sells")
const closes = (side: Side) => (side === "long" ? "sells" : "buys")

/** Cash and positions at market. */
export const equityOf = (bot: Bot): Money =>
  bot.places.reduce((sum, place) => {
    const h = place.held
    if (!h) return sum
    const gross = Decimal.multiply(h.q, exact(priceOf(bot, place)))
    const worth = h.side === "long" ? gross : Decimal.subtract(Decimal.add(h.n, h.n), gross)
    return Decimal.add(sum, worth)
  }, bot.cash)

const isClose = (x: number, y: number) => x !== y && Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(y))

/** Rounded down to the amount step: `units / unit` of it. */
export const floored = (bot: Bot, units: Money, unit: Money, step: number): Money => {
  if (!Decimal.isPositive(units)) return zero
  const per = Decimal.product(unit, exact(step))
  const whole = Decimal.wholeSteps(units, per)
  const off = plain(Decimal.subtract(units, Decimal.product(exact(Number(whole)), per))) / plain(per)
  if (off !== 0 && (off < 1e-9 || off > 1 - 1e-9)) bot.isFragile = true
  return Decimal.product(exact(Number(whole)), exact(step))
}
/** Whether an order of this amount is under one of the market's minimums at this price. */
export const isUnder = (bot: Bot, place: Place, q: Money, p: number): boolean => {
  if (!Decimal.isPositive(q)) return true
  const market = marketOf(bot, place)
  const worth = Decimal.product(q, exact(p))
  if (isClose(plain(worth), market.min_cost)) bot.isFragile = true
  return Decimal.lessThan(q, exact(market.min_amount)) || Decimal.lessThan(worth, exact(market.min_cost))
}

/** Without the noise of doubles in the last digits. */
export const neat = (p: number) => Number(p.toPrecision(15))

export interface Entry {
  readonly side: Side
  readonly q: Money
  readonly p: number
  readonly t: number
  readonly by: "alert" | "dca"
}

const opened = (side: Side, t: number): Held => ({
  side,
  q: zero,
  n: zero,
  fees: zero,
  allQ: zero,
  allN: zero,
  allFees: zero,
  back: zero,
  exitFees: zero,
  exits: [],
  first: t,
  last: t,
  entries: 0,
  byAlert: 0,
  retries: 0,
  tp: undefined,
  sl: undefined,
  ladder: undefined,
  peak: undefined,
  skip: undefined,
  owed: zero,
  steps: 0,
  done: 0,
  beyond: false
})

/** An entry fill: opens a position or adds to it. */
export const enter = (bot: Bot, place: Place, { by, p, q, side, t }: Entry): Held => {
  const n = Decimal.multiply(q, exact(neat(traded(bot, place, opens(side), p))))
  const fee = Decimal.percentOf(n, exact(bot.s.taker_fee))
  bot.cash = Decimal.subtract(bot.cash, Decimal.add(n, fee))
  const h = place.held ?? opened(side, t)
  place.held = h
  h.q = Decimal.add(h.q, q)
  h.n = Decimal.add(h.n, n)
  h.fees = Decimal.add(h.fees, fee)
  h.allQ = Decimal.add(h.allQ, q)
  h.allN = Decimal.add(h.allN, n)
  h.allFees = Decimal.add(h.allFees, fee)
  h.last = t
  h.entries++
  if (by === "alert") h.byAlert++
  else h.retries++
  h.skip = undefined
  h.beyond = false
  if (h.ladder) h.ladder.base = Decimal.add(h.ladder.base, q)
  if (h.peak !== undefined && bot.s.trailing_sell) {
    if (!better(h.side, p, priceOfProfit(h, bot.s.trailing_sell.arm, taker(bot)))) h.peak = undefined
  }
  return h
}

export interface Exit {
  readonly q: Money
  readonly p: number
  readonly t: number
  readonly reason: string
}

/** An exit fill: the same part of cost and entry fees goes with the quantity. The last one makes the trade. */
export const leave = (bot: Bot, place: Place, { p, q, reason, t }: Exit): void => {
  const h = place.held
  if (!h) return
  const isLast = Decimal.greaterThanOrEqualTo(q, h.q)
  const sold = isLast ? h.q : q
  const partOf = (all: Money) => (isLast ? all : Decimal.divide(Decimal.product(all, sold), h.q))
  const n = partOf(h.n)
  const fees = partOf(h.fees)
  const isMaker = reason === "tp" || reason === "take_profit"
  const isLost = reason === "liquidation"
  const price = isMaker || isLost ? p : neat(traded(bot, place, closes(h.side), p))
  const gross = Decimal.multiply(sold, exact(price))
  const fee = isLost ? zero : Decimal.percentOf(gross, exact(isMaker ? bot.s.maker_fee : bot.s.taker_fee))
  const worth = h.side === "long" ? gross : Decimal.subtract(Decimal.add(n, n), gross)
  const back = isLost ? zero : Decimal.subtract(worth, fee)
  bot.cash = Decimal.add(bot.cash, back)
  h.q = Decimal.subtract(h.q, sold)
  h.n = Decimal.subtract(h.n, n)
  h.fees = Decimal.subtract(h.fees, fees)
  h.back = Decimal.add(h.back, back)
  h.exitFees = Decimal.add(h.exitFees, fee)
  h.exits.push({ at: t, price, quantity: plain(sold), reason })
  if (!isLast) return
  place.held = undefined
  bot.trades.push(tradeOf(bot, place, h))
}

export const leaveAll = (bot: Bot, place: Place, p: number, t: number, reason: string): void => {
  if (place.held) leave(bot, place, { q: place.held.q, p, t, reason })
}
