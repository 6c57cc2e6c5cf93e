// Lost responses, lost requests, hidden orders and repeated fills: no order is ever sent twice.
import type { Trouble } from "../../exchanges/private/Trouble.ts"
import { must, until } from "../prices/until.ts"
import { type Case, each } from "./Case.ts"
import { equal } from "./compare.ts"
import { Trader } from "./Trader.ts"

/** How long an order may stay unknown if its answer hangs or the exchange is slow. */
const DOUBT_MS = 60_000
/** After this time an order that is not found counts as never sent. */
const MISSING_MS = 60_000

const LOST: ReadonlyArray<Trouble> = [
  { how: "cut", when: "after" },
  { how: "status", when: "after", status: 502 },
  { how: "truncated", when: "after" },
  { how: "nonsense", when: "after" },
  { how: "empty", when: "after" },
  { how: "status", when: "after", status: 504 },
  { how: "hang", when: "after" }
]

const nameOf = (trouble: Trouble) => `${trouble.how}${trouble.how === "status" ? ` ${trouble.status}` : ""}`

/** The exchange accepts the order and its answer is lost: the order is looked up, and never sent again. */
export const answersLost = (turns: number): Case["run"] =>
  each(async (owner, world, coin) => {
    const trader = await Trader.make(world, owner, coin)
    await world.streams(owner.venue)
    const place = world.traders.indexOf(owner)
    for (let turn = 0; turn < turns; turn++) {
      const trouble = LOST[(place + turn) % LOST.length]
      if (trouble === undefined) continue
      const what = nameOf(trouble)
      const about = trader.venue.concerns(trader.slot)
      const before = trader.theirs.length
      trader.desk.troubles.plan("place", trouble, 1, about)
      await trader.open(DOUBT_MS)
      must(
        trader.theirs.length === before + 1,
        `${what}: the entry was sent ${trader.theirs.length - before} times`
      )
      trader.desk.troubles.plan("place", trouble, 1, about)
      await trader.close(DOUBT_MS)
      must(
        trader.theirs.length === before + 2,
        `${what}: the exit was sent ${trader.theirs.length - before - 1} times`
      )
      await equal(trader)
    }
    await trader.disarm()
    return undefined
  })

/** The request never arrives: the server finds that out, reports it, and the strategy goes on. */
export const requestsLost = each(async (owner, world, coin) => {
  const trader = await Trader.make(world, owner, coin)
  await world.streams(owner.venue)
  const place = world.traders.indexOf(owner)
  const lost: ReadonlyArray<Trouble> = [
    { how: "cut", when: "before" },
    { how: "status", when: "before", status: 503 },
    { how: "empty", when: "before" }
  ]
  const trouble = lost[place % lost.length]
  if (trouble === undefined) return undefined
  trader.desk.troubles.plan("place", trouble, 1, trader.venue.concerns(trader.slot))
  await trader.expect("buy", "opened")
  await until("end of the doubt", () => trader.orders.length > 0 && trader.isIdle, MISSING_MS + 30_000)
  must(trader.count("place") === 1, `it was sent ${trader.count("place")} times`)
  must(trader.theirs.length === 0 && trader.position === undefined, "there is a position")
  const told = await trader.told()
  must(
    told.some((text) => text.startsWith("order_missing")),
    `it is not told of: ${told.join(" / ")}`
  )
  await trader.open()
  await trader.close()
  await equal(trader)
  await trader.disarm()
  return undefined
})

/** An order is accepted and hidden for ten seconds: it does not count as never sent. */
export const hidden = each(async (owner, world, coin) => {
  const trader = await Trader.make(world, owner, coin)
  await world.streams(owner.venue)
  const about = trader.venue.concerns(trader.slot)
  trader.desk.book.hideMs = 10_000
  trader.desk.troubles.plan("place", { how: "cut", when: "after" }, 1, about)
  await trader.expect("buy", "opened")
  await Bun.sleep(1000)
  must(trader.position === undefined, "there is a position already")
  await until("position", () => trader.position !== undefined && trader.isIdle, DOUBT_MS)
  must(trader.theirs.length === 1, `it was sent ${trader.theirs.length} times`)
  trader.desk.troubles.plan("place", { how: "cut", when: "after" }, 1, about)
  await trader.close(DOUBT_MS)
  must(trader.theirs.length === 2, `the exit was sent ${trader.theirs.length - 1} times`)
  trader.desk.book.hideMs = 0
  await equal(trader)
  await trader.disarm()
  return undefined
})

/** Exchanges that accept an id again after its order is filled would buy twice. */
export const againTaken = each(async (owner, world, coin) => {
  const trader = await Trader.make(world, owner, coin)
  await world.streams(owner.venue)
  const about = trader.venue.concerns(trader.slot)
  trader.desk.book.ids = "open"
  for (const kind of ["order", "open", "closed", "trades"] as const)
    trader.desk.troubles.plan(kind, { how: "cut", when: "after" }, 2)
  trader.desk.troubles.plan("place", { how: "status", when: "after", status: 502 }, 1, about)
  await trader.open(DOUBT_MS)
  must(trader.count("place") === 1, `it was sent ${trader.count("place")} times`)
  trader.desk.troubles.clear()
  trader.desk.troubles.plan("place", { how: "truncated", when: "after" }, 1, about)
  await trader.close(DOUBT_MS)
  must(trader.count("place") === 2, `the exit was sent ${trader.count("place") - 1} times`)
  await equal(trader)
  await trader.disarm()
  return undefined
})

/** Repeated fills count once, and late fills are waited for. */
export const strayFills = each(async (owner, world, coin) => {
  const trader = await Trader.make(world, owner, coin)
  await world.streams(owner.venue)
  trader.desk.book.doubleFills = true
  await trader.open()
  await trader.close()
  await equal(trader)
  trader.desk.book.doubleFills = false
  trader.desk.book.lateFillsMs = 4000
  await trader.open(DOUBT_MS)
  await trader.close(DOUBT_MS)
  await equal(trader)
  await trader.disarm()
  return undefined
})
