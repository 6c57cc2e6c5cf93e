// Prices jump or the server dies while an exchange is unreachable.
import * as Decimal from "../../../src/domain/Decimal.ts"
import { slotKey } from "../../exchanges/Protocol.ts"
import { Bot } from "./Bot.ts"
import { type Case, each, result } from "./Case.ts"
import { checked } from "./decisions.ts"
import { AT_ONCE_MS, unfair } from "./fair.ts"
import { must, until } from "./until.ts"

const STOP = { stop_loss: true, stop_loss_percentage: 2 }

/** Prices jump over a stop while the connection is down: the exit is at the first good price afterwards. */
export const gap = each(async (venue, world) => {
  const slot = venue.spot("BTC")
  venue.move(slot, 100)
  const bot = await Bot.make(world, venue, slot, STOP)
  await bot.open()
  await venue.down()
  venue.move(slot, 90)
  await Bun.sleep(3000)
  must(bot.trades.length === 0, "an exit was made while the line was down")
  const since = Date.now()
  await venue.up()
  const trade = await bot.closed(1, 60_000)
  const took = Date.now() - since
  checked(trade, "stop_loss")
  const isOfNow = venue.quoted(slotKey(slot), "bid", trade.exitPrice, since, trade.closedAt + 50)
  must(isOfNow && trade.exitPrice < 90.1, `the exit is at ${trade.exitPrice}`)
  await world.well(venue, since, 60_000)
  return took
})

/** Kills the server while no exchange can be reached: after the start bots continue with their positions. */
export const restarted: Case["run"] = async (world) => {
  const stood = await Promise.all(
    world.venues.map(async (venue) => {
      const bot = await Bot.make(world, venue, venue.swap("ETH"))
      return { venue, bot, before: await bot.open() }
    })
  )
  await Promise.all(world.venues.map((venue) => venue.down()))
  await Bun.sleep(1000)
  await world.kill()
  await world.restart()
  const ready = await world.fetch("/readyz")
  await Bun.sleep(2000)
  const alone = await Promise.all(
    stood.map(({ bot, before, venue }) =>
      result(venue.name, async () => {
        must(ready.status === 200, "it is not ready without exchanges")
        const feed = async () => (await world.feed(venue.name))?.state === "unreachable"
        await until("word of it in /healthz", feed, 8000)
        const { position } = bot
        must(
          position !== undefined && Decimal.equals(position.quantity, before.quantity),
          "the position is another than before"
        )
        return undefined
      })
    )
  )
  await Promise.all(world.venues.map((venue) => venue.up()))
  const since = Date.now()
  const back = await Promise.all(
    stood.map(({ bot, venue }) =>
      result(venue.name, async () => {
        const took = await world.well(venue, since, 60_000)
        await bot.told(bot.slot.kind === "spot" ? "sell" : "close_long", 5000)
        checked(await bot.closed(1, 5000), "signal")
        const [flaw] = unfair(venue, bot.fills, AT_ONCE_MS)
        must(flaw === undefined, flaw ?? "")
        return took
      })
    )
  )
  return back.map((one, index) => {
    const flaw = alone[index]?.flaw ?? one.flaw
    return flaw === undefined ? one : { ...one, flaw }
  })
}
