// What charts do beyond opening and closing: parts by alert, steps, and turns, with orders that end in every way.
import * as Decimal from "../../../src/domain/Decimal.ts"
import { must, until } from "../prices/until.ts"
import { type Act, type Case, each, eachWithSwaps } from "./Case.ts"
import { equal } from "./compare.ts"
import { ENDED_MS, ENDS, type End, endedSo, offered } from "./ends.ts"
import { rested, resting } from "./stops.ts"
import { SOON_MS, Trader } from "./Trader.ts"
import { COINS, type Coin } from "./Venue.ts"
import type { Owned, World } from "./World.ts"

const STOP = { stop_loss: true, stop_loss_percentage: 10 }

/** A case with one end of an order, on a market of its own. */
export type Ending = (owner: Owned, world: World, coin: Coin, end: End) => Promise<void>

/** All ends at each exchange, each on its own coin; in the short form one at each, so that every end has its turn. */
export const endings =
  (isShort: boolean, ending: Ending): Act =>
  async (owner, world, coin) => {
    const first = COINS.indexOf(coin)
    const place = world.traders.indexOf(owner)
    const ends = isShort ? [ENDS[place % (ENDS.length - 1)] ?? ENDS[0]] : ENDS
    const came = await Promise.all(
      ends.flatMap((end, nth) => {
        const own = COINS[(first + nth) % COINS.length]
        if (end === undefined || own === undefined) return []
        return [
          ending(owner, world, own, end).then(
            () => undefined,
            (error) => `${end.title}: ${error instanceof Error ? error.message : error}`
          )
        ]
      })
    )
    const flaws = came.filter((flaw) => flaw !== undefined)
    must(flaws.length === 0, flaws.join("; "))
    return `${ends.length} ends each`
  }

export const held = (trader: Trader): Decimal.Decimal => trader.position?.quantity ?? Decimal.zero

/** Fails unless the position is what is left of an amount, but for one amount step. */
export const leaves = (trader: Trader, before: Decimal.Decimal, share: number): void => {
  const step = Decimal.unsafeFromText(trader.venue.market(trader.slot).amountStep)
  const part = Decimal.floorToStep(Decimal.multiply(before, Decimal.fromNumber(1 - share)), step)
  must(
    Decimal.equals(held(trader), Decimal.subtract(before, part)),
    `${Decimal.toText(held(trader))} are left of ${Decimal.toText(before)}, not all but ${Decimal.toText(part)}`
  )
}

/** 40 percent of the position is sold by an alert; the stop makes way before, and follows what is left. */
const part: Ending = async (owner, world, coin, end) => {
  const trader = await Trader.make(world, owner, coin, { settings: STOP, terms: { isProtected: true } })
  await world.streams(owner.venue)
  await trader.open(ENDED_MS)
  await rested(trader, 90)
  const before = held(trader)
  end.plan(trader, 1)
  await trader.expect("sell", "reduced", { close_percent: 40 })
  await offered(end, trader)
  await until("smaller stop", () => trader.isIdle && isFollowed(trader, before), ENDED_MS)
  leaves(trader, before, 0.6)
  endedSo(end, trader)
  must(trader.trades.length === 0, "a part was taken for the whole")
  const trade = await trader.close(ENDED_MS)
  must((trade.exits ?? 1) >= 2, `the trade has ${trade.exits} exits`)
  must(resting(trader).length === 0, "a stop rests on, though there is no position")
  await equal(trader)
  await trader.disarm()
}

/** Whether one stop rests for what is left of a position that has become smaller. */
export const isFollowed = (trader: Trader, before: Decimal.Decimal): boolean =>
  Decimal.lessThan(held(trader), before) && isCovered(trader)

/** Whether one stop rests for the whole position, in whole amount steps. */
export const isCovered = (trader: Trader): boolean => {
  const [stop, ...more] = resting(trader)
  if (stop === undefined || more.length > 0 || trader.stop === undefined) return false
  const step = Decimal.unsafeFromText(trader.venue.market(trader.slot).amountStep)
  return Decimal.equals(stop.amount, Decimal.floorToStep(held(trader), step))
}

const STEPS = {
  ...STOP,
  take_profit_steps: [
    { profit_percent: 2, close_percent: 50 },
    { profit_percent: 20, close_percent: 50 }
  ],
  break_even_after: 1
}

/** Half is sold by a step; the stop follows, smaller and at break even, and ends the trade. */
const step: Ending = async (owner, world, coin, end) => {
  const trader = await Trader.make(world, owner, coin, { settings: STEPS, terms: { isProtected: true } })
  await world.streams(owner.venue)
  await trader.open(ENDED_MS)
  await rested(trader, 90)
  const before = held(trader)
  end.plan(trader, 1)
  trader.move(103)
  await offered(end, trader)
  await until("smaller stop", () => trader.isIdle && isFollowed(trader, before), ENDED_MS)
  // A step that fills in part is done with that; what it left goes with the later ones.
  if (end.title !== "in part") leaves(trader, before, 0.5)
  endedSo(end, trader)
  await rested(trader, 100.22)
  must(trader.trades.length === 0, "a step was taken for the whole")
  trader.move(99)
  const trade = await trader.closed(1, ENDED_MS)
  must(trade.exitReason === "break_even", `closed by ${trade.exitReason}`)
  must(resting(trader).length === 0, "a stop rests on, though there is no position")
  await equal(trader)
  await trader.disarm()
}

/** A long is turned by an alert. The end is that of the closing order. */
const turn: Ending = async (owner, world, coin, end) => {
  const trader = await reversible(world, owner, coin)
  if (trader === undefined) return
  end.plan(trader, 1)
  await trader.expect("short", "turned", { reverse: true })
  await offered(end, trader)
  await until("other side", () => trader.position?.side === "short" && trader.isIdle, ENDED_MS)
  endedSo(end, trader)
  await once(trader)
  await ended(trader)
}

/** The end is that of the entry: where it does not open, the timeline says why, and it is not sent again. */
const entry: Ending = async (owner, world, coin, end) => {
  const trader = await reversible(world, owner, coin)
  if (trader === undefined) return
  // Only the closing order comes before.
  end.plan(trader, 2)
  await trader.expect("short", "turned", { reverse: true })
  const isMade = end.status === undefined && end.isSlow !== true
  // Some exchanges turn a perpetual's order down in words that leave it in doubt: it is searched for then.
  const why = end.isSlow === true ? /^order_missing/ : /^order_(rejected|missing)/
  if (isMade) await until("other side", () => trader.position?.side === "short" && trader.isIdle, ENDED_MS)
  else {
    const isTold = async () => (await trader.told()).some((text) => why.test(text))
    await until("why it did not open on the timeline", isTold, ENDED_MS, 500)
    must(trader.position === undefined && trader.isIdle, "there is a position")
  }
  trader.desk.book.supply(trader.slot, undefined)
  await once(trader)
  await ended(trader)
}

/** A long on the perpetual; undefined where the exchange has none of this coin. */
const reversible = async (world: World, owner: Owned, coin: Coin): Promise<Trader | undefined> => {
  const slot = owner.venue.slot(coin, "swap")
  if (!owner.venue.markets.some(({ kind, pair }) => kind === "swap" && pair === slot.pair)) return undefined
  const trader = await Trader.make(world, owner, coin, { kind: "swap" })
  await world.streams(owner.venue)
  await trader.open(ENDED_MS, "long")
  return trader
}

/** Fails if there was more than one opening of the other side, or the account does not hold what the books do. */
const once = async (trader: Trader): Promise<void> => {
  const entries = trader.orders.filter(
    ({ fills, order }) => order.purpose === "entry" && order.position === "short" && fills.length > 0
  )
  must(entries.length <= 1, `${entries.length} openings of the other side`)
  const there = () => trader.desk.book.positions.of(trader.venue.market(trader.slot)).amount
  const isSame = () => {
    const amount = there()
    return Decimal.equals(Decimal.isNegative(amount) ? Decimal.negate(amount) : amount, held(trader))
  }
  await until("the same at the exchange", isSame, SOON_MS)
}

const ended = async (trader: Trader): Promise<void> => {
  if (trader.position !== undefined) await trader.close(ENDED_MS, "close_short")
  await equal(trader)
  await trader.disarm()
}

/** Parts by alert. */
export const partsByAlert = (isShort: boolean): Case["run"] => each(endings(isShort, part))
/** Steps of the strategy. */
export const steps = (isShort: boolean): Case["run"] => each(endings(isShort, step))
/** Turns whose closing order ends in every way. */
export const turns = (isShort: boolean): Case["run"] => eachWithSwaps(endings(isShort, turn))
/** Turns whose entry ends in every way. */
export const turnEntries = (isShort: boolean): Case["run"] => eachWithSwaps(endings(isShort, entry))
