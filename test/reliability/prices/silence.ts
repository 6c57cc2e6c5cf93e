// Silent streams and failing requests: polling takes over, and without prices nothing is decided.
import type { Faults } from "../../exchanges/Stub.ts"
import { Bot } from "./Bot.ts"
import { each } from "./Case.ts"
import { checked } from "./decisions.ts"
import { AT_MOST_MS, unfair } from "./fair.ts"
import { must, until } from "./until.ts"
import type { Venue } from "./Venue.ts"
import type { World } from "./World.ts"

const STOP = { stop_loss: true, stop_loss_percentage: 2 }
const FRESH_MS = 10_000
/** The pause that the exchange asks for. */
const LEAVE_S = 6

/** The price passes a stop while streams are silent: polling notices it. */
export const silent = each(async (venue, world) => {
  const slot = venue.spot("BTC")
  const bot = await Bot.make(world, venue, slot, STOP)
  await bot.open()
  const since = Date.now()
  venue.stub.faults.silent = true
  venue.move(slot, 97)
  const trade = await bot.closed(1, 20_000)
  const took = Date.now() - since
  checked(trade, "stop_loss")
  const [flaw] = unfair(venue, bot.fills, 4000)
  must(flaw === undefined, flaw ?? "")
  must(trade.exitPrice < 97.1, `the exit is at ${trade.exitPrice}, a price from before`)
  await until("word of polling", async () => (await world.feed(venue.name))?.state === "polling", 12_000)
  return took
})

/** Waits until the same streams or new ones send prices again. */
export const speaks = each(async (venue, world) => {
  venue.stub.faults.silent = true
  venue.move(venue.spot("BTC"), 99)
  await Bun.sleep(5000)
  venue.stub.faults.silent = false
  return world.well(venue, Date.now(), 30_000)
})

/** Requests are limited while streams deliver: a silent market has to wait, and the others are unaffected. */
export const limited = each(async (venue, world) => {
  const { stub } = venue
  const slots = venue.markets.filter(({ pair }) => pair === venue.spot("ETH").pair)
  stub.faults.rest = { status: 429, retryAfter: LEAVE_S }
  const before = stub.requests.length
  for (const slot of slots) venue.hold(slot)
  await until("request", () => stub.requests.length > before, 10_000)
  const refusedAt = stub.requests[before]?.at ?? 0
  const bot = await Bot.make(world, venue, venue.spot("BTC"))
  await bot.open()
  must((await world.feed(venue.name))?.state === "streaming", "it is not taken to stream any more")
  await Bun.sleep(Math.max(0, refusedAt + LEAVE_S * 1000 - 300 - Date.now()))
  stub.faults.rest = undefined
  const since = Date.now()
  await until("fresh prices", async () => (await world.feed(venue.name))?.stale === 0, 30_000)
  const took = Date.now() - since
  // The times of the requests count, because a late count would include permitted ones.
  await Bun.sleep(Math.max(0, refusedAt + LEAVE_S * 1000 - Date.now()))
  const early = stub.requests.slice(before + 1).filter(({ at }) => at < refusedAt + LEAVE_S * 1000 - 50)
  must(early.length === 0, `asked ${early.length} times before its time`)
  for (const slot of slots) venue.release(slot)
  return took
})

/** Faults of requests. */
export const REST_FAULTS: ReadonlyArray<Partial<Faults>> = [
  { rest: { status: 418, retryAfter: 5 } },
  { rest: { status: 500 } },
  { rest: { status: 503 } },
  { truncated: true },
  { nonsense: true },
  { hang: true },
  { rest: { status: 429, retryAfter: 5 } }
]

/** Streams are silent and requests fail: bots do nothing. `which` is the fault of each exchange. */
export const blind = (which: (index: number) => Partial<Faults>) =>
  each(async (venue, world) => {
    const slot = venue.spot("BTC")
    venue.move(slot, 99)
    const [held, idle] = [await Bot.make(world, venue, slot, STOP), await Bot.make(world, venue, slot, STOP)]
    await held.open()
    const fault = which(world.venues.indexOf(venue))
    Object.assign(venue.stub.faults, { silent: true, ...fault })
    const began = Date.now()
    venue.move(slot, 97)
    await until(
      `word of ${JSON.stringify(fault)} in /healthz`,
      async () => isTold(venue, world),
      FRESH_MS + 4000
    )
    must((await world.metric("signalbox_prices_up", venue.name)) === 0, "/metrics says that prices come in")
    await Bun.sleep(Math.max(0, began + FRESH_MS + 1000 - Date.now()))
    const asked = Date.now()
    const reason = await idle.told("buy", FRESH_MS + 4000)
    must(reason === "no_price", `an entry without a price was recorded as ${reason}`)
    must(Date.now() - asked > FRESH_MS - 1500, "an entry did not wait for a price")
    must(held.trades.length === 0, "an exit was made at a price that nobody knew")
    await venue.heal()
    const since = Date.now()
    const trade = await held.closed(1, 60_000)
    const took = Date.now() - since
    checked(trade, "stop_loss")
    must(trade.exitPrice < 97.1, `the exit is at ${trade.exitPrice}, a price from before`)
    const [flaw] = unfair(venue, held.fills, AT_MOST_MS)
    must(flaw === undefined, flaw ?? "")
    venue.move(slot, 99)
    await world.well(venue, since, 60_000)
    return took
  })

const isTold = async (venue: Venue, world: World): Promise<boolean> => {
  const feed = await world.feed(venue.name)
  return feed?.state === "unreachable" && feed.reason !== "" && feed.stale === feed.markets
}

/** The same, and in the end only requests work again, while the streams stay silent. */
export const answersAgain = each(async (venue, world) => {
  Object.assign(venue.stub.faults, { silent: true, rest: { status: 503 } })
  await until("word of it in /healthz", async () => isTold(venue, world), FRESH_MS + 4000)
  await Bun.sleep(10_000)
  venue.stub.faults.rest = undefined
  return until("prices by request", async () => (await world.feed(venue.name))?.stale === 0, 60_000)
})
