// Trades by alerts and by rules, compared to the last digit with the exchange.
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { ExitReason } from "../../../src/domain/Order.ts"
import { must, until } from "../prices/until.ts"
import { eachAndPaper, eachWithSwapsAndPaper } from "./Case.ts"
import { equal } from "./compare.ts"
import { SOON_MS, Trader } from "./Trader.ts"
import type { Coin } from "./Venue.ts"
import type { Owned, World } from "./World.ts"

const near = (one: number, other: number) => Math.abs(one - other) < 1e-6

/** Enters and exits by alerts; every view equals the exchange's books to the last digit. */
export const trades = eachAndPaper(async (owner, world, coin) => {
  const trader = await Trader.make(world, owner, coin)
  await world.streams(owner.venue)
  for (const [count, level] of [103, 96].entries()) {
    await trader.moved(100)
    await trader.open()
    await trader.moved(level)
    await trader.close()
    must(trader.trades.length === count + 1, `${trader.trades.length} trades were made`)
  }
  await equal(trader)
  if (!trader.isLive) return undefined
  const pnl = Decimal.toNumber(Decimal.sum(trader.trades.map((trade) => trade.pnl)))
  const fees = Decimal.toNumber(Decimal.sum(trader.trades.map((trade) => trade.fees)))
  const summary = await trader.summary()
  must(near(summary.net_pnl, pnl), `the summary has ${summary.net_pnl}, the trades ${pnl}`)
  must(near(summary.fees_paid, fees), `the summary has fees of ${summary.fees_paid}, the trades ${fees}`)
  const views = await trader.orderViewsByCommand()
  must(views.length === 4 && views.every(({ live }) => live), `strategy orders has ${views.length} orders`)
  for (const theirs of trader.theirs) {
    const view = views.find(({ client_id }) => client_id === theirs.ticket.clientId)
    const [fill] = view?.fills ?? []
    must(
      view?.status === "filled" && fill?.fee_asset === theirs.feeAsset,
      `strategy orders has ${view?.status} with a fee in ${fill?.fee_asset}, the exchange ${theirs.feeAsset}`
    )
    must(
      near(fill?.fee_amount ?? 0, Decimal.toNumber(theirs.fee)),
      `a fee of ${fill?.fee_amount}, the exchange's is ${theirs.fee}`
    )
  }
  await trader.disarm()
  return undefined
})

const AVERAGING = {
  ...{ strategy_dca_switch: true, dca_aftertime: 0, dca_maxretries: 2 },
  ...{ dca_percentagetrigger: 3, dca_ordersize: 50 }
}

/** Prices with their expected effects; the last one ends the trade. */
type Leg = readonly [price: number, seen?: (trader: Trader) => boolean]

/** Every rule that closes a position, and DCA before it. */
export const rules = eachAndPaper(async (owner, world, coin) => {
  const exit = async (
    settings: object,
    path: ReadonlyArray<Leg>,
    reason: ExitReason,
    targets: object = {}
  ) => {
    const trader = await Trader.make(world, owner, coin, { settings })
    await world.streams(owner.venue)
    await trader.moved(100)
    await trader.expect("buy", "opened", targets)
    await until("position", () => trader.position !== undefined && trader.isIdle, 20_000)
    for (const [price, seen] of path) {
      trader.move(price)
      if (seen === undefined) continue
      await trader.explained(until(`what ${price} makes`, () => seen(trader) && trader.isIdle, SOON_MS))
    }
    const trade = await trader.closed(1)
    must(trade.exitReason === reason, `closed by ${trade.exitReason}, not by ${reason}`)
    await equal(trader)
    if (trader.isLive) await trader.disarm()
    return trade
  }
  const averaged = await exit(
    { ...AVERAGING, sell_minprofitpercent: 2 },
    [[96.5, ({ position }) => position?.entries === 2], [103]],
    "take_profit"
  )
  must(averaged.entries === 2, `${averaged.entries} entries, not 2`)
  await exit(
    { trailing_sell: true, trailing_sell_arm: 2, trailing_sell_percentage: 1 },
    [[104, ({ position }) => position?.peak !== undefined], [102.5]],
    "trailing_sell"
  )
  await exit({ stop_loss: true, stop_loss_percentage: 2 }, [[97.5]], "stop_loss")
  await exit({}, [[104]], "tp", { tp: 103, sl: 90 })
  await exit({}, [[97]], "sl", { tp: 120, sl: 98 })
  return undefined
})

/** Long and short, with exits by alert, profit and stop; nothing is borrowed, and no position is left. */
export const perpetuals = eachWithSwapsAndPaper(async (owner, world, coin) => {
  await perpetual(owner, world, coin, { stop_loss: true, stop_loss_percentage: 2 }, [
    ["long", undefined, "signal"],
    ["short", undefined, "signal"],
    ["long", 97, "stop_loss"],
    ["short", 103, "stop_loss"]
  ])
  await perpetual(
    owner,
    world,
    coin,
    { sell_minprofitpercent: 3, stop_loss: true, stop_loss_percentage: 2 },
    [
      ["long", 104, "take_profit"],
      ["short", 96, "take_profit"]
    ]
  )
  return undefined
})

type End = readonly [type: "long" | "short", level: number | undefined, reason: ExitReason]

const perpetual = async (
  owner: Owned,
  world: World,
  coin: Coin,
  settings: object,
  ends: ReadonlyArray<End>
): Promise<void> => {
  const trader = await Trader.make(world, owner, coin, {
    ...{ kind: "swap", settings },
    terms: { isProtected: true }
  })
  const { book } = trader.desk
  const market = owner.venue.market(trader.slot)
  await world.streams(owner.venue)
  for (const [place, [type, level, reason]] of ends.entries()) {
    await trader.moved(100)
    await trader.open(SOON_MS, type)
    if (trader.isLive) {
      must(
        book.positions.setting(market).leverage === 1,
        `leverage ${book.positions.setting(market).leverage}`
      )
      must(
        Decimal.isNegative(book.positions.of(market).amount) === (type === "short"),
        `${type} is the other way round at the exchange`
      )
      await until("stop at rest", () => trader.stop !== undefined && trader.isIdle, SOON_MS)
    }
    if (level === undefined) await trader.close(SOON_MS, `close_${type}`)
    else trader.move(level)
    const trade = await trader.closed(place + 1, 40_000)
    must(trade.exitReason === reason, `${type} was closed by ${trade.exitReason}, not by ${reason}`)
    must(
      !trader.isLive || Decimal.isZero(book.positions.of(market).amount),
      `${type}: the exchange has ${Decimal.toText(book.positions.of(market).amount)} left`
    )
  }
  await equal(trader)
  if (trader.isLive) await trader.disarm()
}

/** The market has too little liquidity: the filled part is the position, and an exit is repeated until all is sold. */
export const parts = eachAndPaper(async (owner, world, coin) => {
  const trader = await Trader.make(world, owner, coin, { settings: { sell_minprofitpercent: 2 } })
  const { book } = trader.desk
  const supply = (amount: string | undefined) => {
    if (trader.isLive) book.supply(trader.slot, amount)
  }
  await world.streams(owner.venue)
  supply("4")
  await trader.open()
  await Bun.sleep(1500)
  const held = Decimal.toNumber(trader.position?.quantity ?? Decimal.zero)
  must(!trader.isLive || (held > 3.9 && held <= 4), `of 4 that were there ${held} are held`)
  supply("1")
  trader.move(103)
  const left = () => Decimal.toNumber(trader.position?.quantity ?? Decimal.zero)
  if (trader.isLive) {
    await until("part of the exit", () => left() < held - 0.9, 20_000)
    must(trader.trades.length === 0, "a part was taken for the whole")
    supply("2")
    await until("more of the exit", () => left() < held - 2.9, 70_000)
  }
  supply(undefined)
  await trader.closed(1, 70_000)
  await equal(trader)
  if (trader.isLive) await trader.disarm()
  return undefined
})
