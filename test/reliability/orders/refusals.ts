// Rejections by the exchange, too many requests, and wrong clocks.
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { Flaw } from "../../exchanges/private/Flaw.ts"
import { must, until } from "../prices/until.ts"
import { each } from "./Case.ts"
import { equal } from "./compare.ts"
import { SOON_MS, Trader } from "./Trader.ts"
import { COINS } from "./Venue.ts"

const FLAWS: ReadonlyArray<Flaw> = ["insufficient", "min_cost", "closed_market", "no_permission"]

/** A rejection has its reason in the timeline, and is not repeated at once. */
export const refusals = (count: number) =>
  each(async (owner, world, coin) => {
    const trader = await Trader.make(world, owner, coin)
    await world.streams(owner.venue)
    const about = trader.venue.concerns(trader.slot)
    const place = world.traders.indexOf(owner)
    for (let turn = 0; turn < count; turn++) {
      const flaw = FLAWS[(place + turn) % FLAWS.length]
      if (flaw === undefined) continue
      const before = trader.count("place")
      trader.desk.troubles.plan("place", { how: "refuse", flaw }, 1, about)
      await trader.expect("buy", "opened")
      await until(`end of an order refused for ${flaw}`, () => trader.isIdle, SOON_MS)
      must(
        trader.orders.at(-1)?.status === "rejected",
        `${flaw}: the order is ${trader.orders.at(-1)?.status}`
      )
      await Bun.sleep(1500)
      const sent = trader.count("place") - before
      must(sent === 1, `${flaw}: it was sent ${sent} times`)
      const told = await trader.told()
      must(
        told.some((text) => text.startsWith("order_rejected")),
        `${flaw}: it is not told of: ${told.join(" / ")}`
      )
    }
    await trader.open()
    trader.desk.troubles.plan(
      "place",
      { how: "refuse", flaw: "closed_market" },
      Number.POSITIVE_INFINITY,
      about
    )
    const before = trader.count("place")
    await trader.expect("sell", "closed")
    await Bun.sleep(6000)
    const tries = trader.count("place") - before
    must(tries >= 1 && tries <= 4, `an exit that is turned down was sent ${tries} times in 6 s`)
    trader.desk.troubles.clear()
    // The exit is tried again, less and less often.
    await trader.closed(1, 60_000)
    await equal(trader)
    await trader.disarm()
    return undefined
  })

/** Exchanges that need a limit for a market buy lock more than it costs. */
const ASIDE: ReadonlyArray<string> = ["coinbase", "bitget"]

/** An entry uses the whole balance, or nearly all with a note if the exchange does not accept that. */
export const whole = each(async (owner, world, coin) => {
  const { funds } = owner.venue.desk.book
  const { currency } = owner.venue
  const before = funds.total(currency)
  funds.set(currency, "10000")
  const trader = await Trader.make(world, owner, coin, {
    settings: { buy_percentage: 100 },
    terms: { capital: 10_000, maxOrder: 10_000 }
  })
  await world.streams(owner.venue)
  await trader.open()
  const worth = 100 * Decimal.toNumber(trader.position?.quantity ?? Decimal.zero)
  must(worth > 9_700, `of 10000 only ${worth} were entered with`)
  const told = await trader.told()
  const isCut = told.some((text) => text.startsWith("order_cut"))
  must(isCut === ASIDE.includes(owner.venue.name), `it is told: ${told.join(" / ")}`)
  await trader.close()
  await equal(trader)
  await trader.disarm()
  funds.change(currency, Decimal.subtract(before, Decimal.unsafeFromText("10000")))
  return undefined
})

/** After too many requests the server sends none during the exchange's pause, and then exits before entries. */
export const banned = each(async (owner, world, coin) => {
  const trader = await Trader.make(world, owner, coin, {
    settings: { stop_loss: true, stop_loss_percentage: 2 }
  })
  const other = await Trader.make(world, owner, COINS[(COINS.indexOf(coin) + 3) % COINS.length] ?? "ETH")
  await world.streams(owner.venue)
  await trader.open()
  const banMs = 8000
  trader.desk.ban(banMs)
  const [before, since] = [trader.desk.calls.length, Date.now()]
  const read = await other.alert("buy")
  await Bun.sleep(300)
  trader.move(97)
  await Bun.sleep(banMs - 1000 - (Date.now() - since))
  const asked = trader.desk.calls.length - before
  must(asked <= 8, `it was asked ${asked} times while it banned us`)
  must(trader.trades.length === 0, "there is a trade while nothing could be sent")
  await trader.closed(1, 120_000)
  await until("end of the entry", async () => (await read()) !== undefined && other.isIdle, 150_000)
  const [exit] = trader.theirs.filter(({ ticket }) => ticket.side === "sell")
  const [entry] = other.theirs
  must(
    entry === undefined || (exit !== undefined && exit.number < entry.number),
    "the entry was sent before the exit"
  )
  const told = await other.told()
  must(
    entry !== undefined || told.some((text) => /rejected|refused|missing/.test(text)),
    `the entry came to nothing, and nobody is told: ${told.join(" / ")}`
  )
  await equal(trader)
  if (other.position !== undefined) await other.close()
  await equal(other)
  await trader.disarm()
  await other.disarm()
  return undefined
})

/** A clock that is half a minute off is allowed for, and one that jumps costs no order. */
export const skewed = each(async (owner, world, coin) => {
  owner.venue.desk.skewMs = 30_000
  const trader = await Trader.make(world, owner, coin)
  await world.streams(owner.venue)
  await trader.open(40_000)
  await trader.close(40_000)
  await equal(trader)
  trader.desk.skewMs = -30_000
  await trader.open(40_000)
  await trader.close(40_000)
  await equal(trader)
  await trader.disarm()
  return undefined
})
