// Streams: opened only when needed, shared, reopened after a cut, and replaced by polling.
import * as Schema from "effect/Schema"
import { slotKey } from "../../exchanges/Protocol.ts"
import { Bot } from "./Bot.ts"
import { type Case, each, result } from "./Case.ts"
import { AT_ONCE_MS, unfair } from "./fair.ts"
import { must, until } from "./until.ts"
import type { Coin, Venue } from "./Venue.ts"
import type { World } from "./World.ts"

const SUBSCRIBE_MS = 10_000

/** No exchange is asked before a bot needs it, and each needed market is subscribed once for all bots. */
export const frugal = each(async (venue, world) => {
  const { stub } = venue
  must(stub.requests.length === 0 && stub.connections === 0, "it was contacted before any bot needed it")
  const coins: ReadonlyArray<Coin> = ["BTC", "BTC", "BTC", "ETH"]
  for (const coin of coins) await Bot.make(world, venue, venue.spot(coin))
  const kinds = venue.hasSwaps ? (["spot", "swap"] as const) : (["spot"] as const)
  const needed = [...new Set(coins)].flatMap((coin) =>
    kinds.map((kind) => slotKey({ ...venue.spot(coin), kind }))
  )
  await until("stream", () => stub.subscriptions().size >= needed.length, SUBSCRIBE_MS)
  await world.well(venue, Date.now(), SUBSCRIBE_MS)
  const held = [...stub.subscriptions().keys()].sort()
  must(Bun.deepEquals(held, needed.toSorted()), `subscribed to ${held}, not to ${needed}`)
  const twice = [...venue.subscribed()].filter(([, lines]) => lines !== 1)
  must(twice.length === 0, `subscribed more than once: ${twice}`)
  const others = stub.requests.filter(({ query, path }) => /XRP|SOL/.test(`${path}${query}`))
  must(others.length === 0, `asked for others: ${others[0]?.path}`)
  return undefined
})

/** A market that no bot needs any more is unsubscribed, and the others stream on. */
export const leaves = each(async (venue, world) => {
  const keys = () => [...venue.stub.subscriptions().keys()].filter((key) => key.startsWith("XRP/"))
  const bot = await Bot.make(world, venue, venue.spot("XRP"))
  await until("stream", () => keys().length > 0, SUBSCRIBE_MS)
  await bot.end()
  const took = await until("end of a stream", () => keys().length === 0, 60_000)
  await world.well(venue, Date.now(), SUBSCRIBE_MS)
  return took
})

/** Without a bot an exchange has no connection, no request, and no place in health. */
export const leavesAll: Case["run"] = async (world) => {
  const list = await world.fetch("/v1/strategies")
  const { data } = decodeList(await list.text())
  const gone = await Promise.all(
    data.map(async ({ strategy_id }) => {
      const { status } = await world.fetch(`/v1/strategies/${strategy_id}`, { method: "DELETE" })
      return status
    })
  )
  // The exchange is needed until its last bot is gone.
  const since = Date.now()
  return Promise.all(
    world.venues.map((venue) =>
      result(venue.name, async () => {
        must(
          gone.every((status) => status === 200),
          `strategies were not deleted: ${gone.filter((status) => status !== 200).join(", ")}`
        )
        await until("end of all streams", () => venue.stub.lines === 0, 10_000)
        // The last connection ends a moment before health shows it.
        await until("end of its watch", async () => (await world.feed(venue.name)) === undefined, 10_000)
        const took = Date.now() - since
        const before = venue.stub.requests.length
        await Bun.sleep(5000)
        must(venue.stub.requests.length === before && venue.stub.lines === 0, "it is still asked")
        return took
      })
    )
  )
}

const decodeList = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Struct({ data: Schema.Array(Schema.Struct({ strategy_id: Schema.Int })) }))
)

/** Connections that end without a close frame. */
export const cut = (times: number) =>
  each(async (venue, world) => {
    let slowest = 0
    for (let time = 0; time < times; time++) {
      const since = Date.now()
      venue.stub.cut()
      slowest = Math.max(slowest, await world.well(venue, since, 30_000))
      await trades(venue, world)
    }
    return slowest
  })

/** Dead connections are replaced, and streams go on over new ones. */
export const halfOpen = each(async (venue, world) => {
  const since = Date.now()
  venue.stub.freeze()
  await until("other streams", () => venue.stub.lines > 0, 60_000)
  const took = await world.well(venue, since, 60_000)
  await trades(venue, world)
  return took
})

/** While no stream can be opened, polling replaces it. */
export const refused = (ms: number) =>
  each(async (venue, world) => {
    venue.stub.faults.refuse = true
    venue.stub.cut()
    await until("word of polling", async () => (await world.feed(venue.name))?.state === "polling", 10_000)
    const bot = await Bot.make(world, venue, venue.spot("ETH"))
    await bot.open()
    const [flaw] = unfair(venue, bot.fills, AT_ONCE_MS + POLLED_MS)
    must(flaw === undefined, flaw ?? "")
    await Bun.sleep(ms)
    venue.stub.faults.refuse = false
    return world.well(venue, Date.now(), 60_000)
  })

/** The greatest age of a polled price. */
const POLLED_MS = 4000

/** Meaningless frames change nothing. */
export const babble = each(async (venue, world) => {
  const before = await world.feed(venue.name)
  const { connections } = venue.stub
  for (const text of NONSENSE) venue.stub.babble(text)
  await Bun.sleep(500)
  for (const text of NONSENSE) venue.stub.babble(text)
  const took = await world.well(venue, Date.now(), 5000)
  const after = await world.feed(venue.name)
  must(after?.state === "streaming", `it is ${after?.state} afterwards`)
  must(
    after?.reconnects === before?.reconnects && venue.stub.connections === connections,
    "streams were opened anew"
  )
  await trades(venue, world)
  return took
})

const NONSENSE = [
  "{nonsense",
  "",
  "null",
  "42",
  '"text"',
  "[]",
  "[1,2,3]",
  "{}",
  '{"e":"24hrTicker"}',
  '{"e":"24hrTicker","s":7,"b":[],"a":{}}',
  '{"topic":"tickers.NOPE","data":{}}',
  '{"channel":"ticker","data":[{}]}',
  '{"arg":{"channel":"ticker","instId":"NOPE"},"data":[null]}',
  "<!DOCTYPE html><html></html>",
  `"${"x".repeat(65_536)}"`,
  "\u0000\uffff"
]

/** Checks that a bot still gets a fresh price. */
const trades = async (venue: Venue, world: World): Promise<void> => {
  const bot = await Bot.make(world, venue, venue.spot("BTC"))
  await bot.open()
  const [flaw] = unfair(venue, bot.fills, AT_ONCE_MS)
  must(flaw === undefined, flaw ?? "")
}
