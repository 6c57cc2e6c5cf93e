// Which price decides: buys pay the ask, sells get the bid, and invalid or wild prices decide nothing.
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { ExitReason } from "../../../src/domain/Order.ts"
import type { Trade } from "../../../src/domain/Trade.ts"
import type { Quote } from "../../exchanges/Protocol.ts"
import { Bot, FEES } from "./Bot.ts"
import { each } from "./Case.ts"
import { AT_MOST_MS, AT_ONCE_MS, unfair } from "./fair.ts"
import { must, until } from "./until.ts"
import type { Venue } from "./Venue.ts"
import type { World } from "./World.ts"

const SETTINGS = { sell_minprofitpercent: 1, stop_loss: true, stop_loss_percentage: 2 }
/** How long bots may take to act on a price that the server has. */
const HEARD_MS = 700
/** How long a price may be on its way to the server. */
const ARRIVED_MS = 15_000
const CLOSE_MS = 5000

/** Buys pay the ask and sells get the bid; neither `last` nor the other side decides. */
export const decides = each(async (venue, world) => {
  await longs(venue, world)
  await shorts(venue, world)
  return undefined
})

const longs = async (venue: Venue, world: World) => {
  const slot = venue.spot("BTC")
  const bot = await Bot.make(world, venue, slot, SETTINGS)
  await shaped(venue, bot, { bid: 99.8, ask: 100.2, last: 99 })
  await bot.open()
  await shaped(venue, bot, { bid: 101.2, ask: 101.9, last: 103 })
  must(bot.trades.length === 0, "a long took profit that its bid did not make")
  await shaped(venue, bot, { bid: 101.7, ask: 102, last: 101 })
  checked(await bot.closed(1, CLOSE_MS), "take_profit")
  await shaped(venue, bot, { bid: 99.8, ask: 100.2, last: 101 })
  await bot.open()
  await shaped(venue, bot, { bid: 98.6, ask: 99, last: 97 })
  must(bot.trades.length === 1, "a long was stopped above its stop")
  await shaped(venue, bot, { bid: 98, ask: 98.4, last: 99 })
  checked(await bot.closed(2, CLOSE_MS), "stop_loss")
  await settled(venue, world, bot)
  venue.move(slot, 100)
}

const shorts = async (venue: Venue, world: World) => {
  if (!venue.hasSwaps) return
  const slot = venue.swap("BTC")
  const bot = await Bot.make(world, venue, slot, SETTINGS)
  await shaped(venue, bot, { bid: 99.8, ask: 100.2, last: 101 })
  await bot.open("short")
  await shaped(venue, bot, { bid: 98, ask: 98.7, last: 97 })
  must(bot.trades.length === 0, "a short took profit that its ask did not make")
  await shaped(venue, bot, { bid: 98, ask: 98.3, last: 99 })
  checked(await bot.closed(1, CLOSE_MS), "take_profit")
  await shaped(venue, bot, { bid: 99.8, ask: 100.2, last: 101 })
  await bot.open("short")
  await shaped(venue, bot, { bid: 101.9, ask: 102.1, last: 101 })
  checked(await bot.closed(2, CLOSE_MS), "stop_loss")
  await settled(venue, world, bot)
  venue.move(slot, 100)
}

/** Quotes this from now on, waits until the server has such a quote, and a while longer for wrong reactions. */
const shaped = async (venue: Venue, bot: Bot, quote: Quote) => {
  venue.shape(bot.slot, quote)
  const since = Date.now()
  const isThere = async () => {
    const middle = await bot.middle()
    return middle !== undefined && venue.saidSince(bot.slot, middle, since)
  }
  await until("new price in the chart", isThere, ARRIVED_MS)
  await Bun.sleep(HEARD_MS)
}

/** The same sums computed from the fills' prices alone. */
export const checked = (trade: Trade, reason: ExitReason): void => {
  must(trade.exitReason === reason, `closed as ${trade.exitReason}, not as ${reason}`)
  const quantity = number(trade.quantity)
  const [entry, exit] = [quantity * trade.entryPrice, quantity * trade.exitPrice]
  const fees = (entry * FEES.taker + exit * (reason === "take_profit" ? FEES.maker : FEES.taker)) / 100
  const won = trade.side === "long" ? exit - entry : entry - exit
  must(near(number(trade.pnl), won - fees), `a profit of ${number(trade.pnl)}, where ${won - fees} is right`)
  must(near(number(trade.fees), fees), `fees of ${number(trade.fees)}, where ${fees} is right`)
}

/** Checks that all fills were at quotes of their time, and that the profits add up to the server's sum. */
const settled = async (venue: Venue, world: World, bot: Bot) => {
  const [flaw] = unfair(venue, bot.fills, AT_ONCE_MS)
  must(flaw === undefined, flaw ?? "")
  const sum = bot.trades.reduce((total, { pnl }) => total + number(pnl), 0)
  const told = await profitOf(world, bot)
  must(Math.abs(told - sum) < 1e-6, `the server tells a profit of ${told}, its trades come to ${sum}`)
}

const profitOf = async (world: World, bot: Bot): Promise<number> => {
  const answer = await world.fetch(`/v1/strategies/${bot.strategy}`)
  const { performance } = JSON.parse(await answer.text())
  return Number(performance.summary.net_pnl)
}

/** Single invalid or wild prices between good ones have no effect, and a second wild one counts. */
export const doubts = each(async (venue, world) => {
  const slot = venue.spot("SOL")
  const bot = await Bot.make(world, venue, slot, SETTINGS)
  const other = await Bot.make(world, venue, slot, SETTINGS)
  await bot.open()
  venue.hold(slot)
  for (const bad of BAD) {
    venue.say(slot, bad, false)
    await Bun.sleep(120)
    must(bot.trades.length === 0, `an exit came of ${JSON.stringify(bad)}`)
    venue.say(slot, { bid: 99.9, ask: 100.1, last: 100 })
    await Bun.sleep(80)
  }
  venue.say(slot, { bid: 69.9, ask: 70.1, last: 70 }, false)
  await Bun.sleep(300)
  must(bot.trades.length === 0, "one wild price was enough for an exit")
  await other.open()
  venue.say(slot, { bid: 70.1, ask: 70.3, last: 70.2 })
  const trade = await bot.closed(1, CLOSE_MS)
  checked(trade, "stop_loss")
  must(trade.exitPrice === 70.1, `the exit is at ${trade.exitPrice}, not at the price that confirmed`)
  checked(await other.closed(1, CLOSE_MS), "stop_loss")
  const [flaw] = unfair(venue, [...bot.fills, ...other.fills], AT_MOST_MS)
  must(flaw === undefined, flaw ?? "")
  venue.release(slot)
  return undefined
})

const BAD: ReadonlyArray<Quote> = [
  { bid: 0, ask: 0, last: 0 },
  { bid: 0, ask: 100.1, last: 100 },
  { bid: -100, ask: -99, last: -99.5 },
  { bid: 99.9, ask: 100.1, last: -1 },
  { bid: 100.2, ask: 97, last: 97 },
  { bid: Number.NaN, ask: Number.NaN, last: Number.NaN },
  { bid: 97, ask: Number.NaN, last: 97 },
  { bid: 97, ask: Number.POSITIVE_INFINITY, last: 97 },
  { bid: 130, ask: 130.2, last: 130.1 },
  { bid: 70, ask: 70.2, last: 70.1 },
  { bid: 1e-9, ask: 1e-8, last: 1e-8 },
  { bid: 1e12, ask: 1e12, last: 1e12 }
]

const number = (value: Decimal.Decimal): number => Number(Decimal.toText(value))
const near = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other))
