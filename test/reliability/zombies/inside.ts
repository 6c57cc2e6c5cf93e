// A server that is frozen while its orders are still inside it: in the queue of the exchange's request limit, and in the
// middle of the commit that records them. None of them is sent once it goes on.
import { SQL } from "bun"
import { equal, flaws } from "../orders/compare.ts"
import { Trader } from "../orders/Trader.ts"
import type { Coin } from "../orders/Venue.ts"
import type { Owned, World } from "../orders/World.ts"
import { must, until } from "../prices/until.ts"
import type { Rows } from "../Rows.ts"
import type { Row } from "../suite.ts"
import { Tally } from "../Tally.ts"
import type { Pair } from "./Pair.ts"

/** How long the exchanges' pause lasts (s): longer than any order waits for its turn. */
const PAUSE_SECONDS = 20
/** How soon all orders are recorded, and how soon one waits for its commit (ms): sooner than an order leaves the queue. */
const SOON_MS = 4000
/** How long until an order is known to have never arrived (ms), and all is settled. */
const SETTLED_MS = 150_000
const LOOK_MS = 250
/** How long a commit has been let go before the other server starts (ms). */
const STORED_MS = 200

/** What each owner's strategies trade. */
const COINS: Readonly<Record<"opener" | "queued" | "committing", Coin>> = {
  ...{ opener: "DOT", queued: "UNI", committing: "SUI" }
}

interface Traders {
  readonly owner: Owned
  readonly opener: Trader
  readonly queued: Trader
  readonly committing: Trader
}

const TERMS = { capital: 6000, maxOrder: 3000, maxDailyLoss: 3000 }

/** Freezes the server with orders in its queues and in its commits. */
export const inside = async (pair: Pair): Promise<ReadonlyArray<Row>> => {
  const { world } = pair
  const [queues, commits] = [new Tally(), new Tally()]
  const all = await Promise.all(world.traders.map((owner) => tradersOf(world, owner)))
  for (const { venue } of world.traders) await world.streams(venue)
  await paused(all)
  await Promise.all(all.map(({ queued }) => queued.alert("buy")))
  await until("orders in the queues", () => isRecorded(world, all), SOON_MS, LOOK_MS)
  const before = all.map(({ queued }) => queued.count("place"))
  const frozen = world.server
  await midCommit(pair, async () => {
    await Promise.all(all.map(({ committing }) => committing.alert("buy")))
    return () => frozen.child.kill("SIGSTOP")
  })
  for (const { venue } of world.traders) venue.heal()
  await pair.takenOver()
  await pair.thawed(frozen)
  await Promise.all(
    all.map(async ({ committing, owner, queued }, place) => {
      const tell = (flaw: string | undefined) => () => `${owner.name}: ${flaw}`
      const isSent = queued.count("place") !== before[place]
      queues.check(!isSent, tell("an order was sent that was in the queue of a server without a lease"))
      const queue = await verdict(queued)
      queues.check(queue === undefined, tell(queue))
      const commit = await verdict(committing)
      commits.check(commit === undefined, tell(commit))
    })
  )
  return [
    queues.row("zombies: frozen with orders in the queue", `${all.length} exchanges`),
    commits.row("zombies: frozen in the middle of a commit", `${all.length} exchanges`)
  ]
}

const tradersOf = async (world: World, owner: Owned): Promise<Traders> => {
  const made = (coin: Coin) => Trader.make(world, owner, coin, { isShared: true, terms: TERMS })
  const opener = await made(COINS.opener)
  const queued = await made(COINS.queued)
  return { owner, opener, queued, committing: await made(COINS.committing) }
}

/** Each exchange refuses an order and asks for a pause, in which nothing is sent to it. */
const paused = async (all: ReadonlyArray<Traders>): Promise<void> => {
  for (const { owner } of all)
    owner.venue.desk.troubles.plan("place", { how: "refuse", flaw: "limited", retryAfter: PAUSE_SECONDS })
  const before = all.map(({ opener }) => opener.count("place"))
  await Promise.all(all.map(({ opener }) => opener.alert("buy")))
  await until(
    "pause of each exchange",
    () => all.every(({ opener }, place) => opener.count("place") > (before[place] ?? 0)),
    SETTLED_MS,
    LOOK_MS
  )
}

/** Whether the orders in the queues are on disk: then they wait for their turn. */
const isRecorded = (world: World, all: ReadonlyArray<Traders>): boolean => {
  const strategies = all.map(({ queued }) => queued.strategy).join()
  const sql = `SELECT count(*) FROM orders WHERE strategy_id IN (${strategies})`
  return world.rows((rows: Rows) => rows.count(sql)) === all.length
}

/**
 * Has the engine wait in the middle of a commit: `act` makes it commit, and what it returns is done while the commit waits.
 * Postgres then ends the commit, whoever waits for it.
 */
const midCommit = async ({ url }: Pair, act: () => Promise<() => void>): Promise<void> => {
  const sql = new SQL(url, { max: 2 })
  const holder = await sql.reserve()
  try {
    await holder`BEGIN`
    await holder`SELECT id FROM partitions ORDER BY id FOR UPDATE`
    const then = await act()
    const waits = async () => {
      const [row] = await sql`SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND query ILIKE '%signalbox_%'`
      return Number(row?.waiting ?? 0) > 0
    }
    await until("commit that waits", waits, SOON_MS)
    then()
    await holder`ROLLBACK`
  } finally {
    holder.release()
    await sql.end()
  }
  await Bun.sleep(STORED_MS)
}

/** What is wrong with a trader once all is settled; it must go on trading. */
const verdict = async (trader: Trader): Promise<string | undefined> => {
  try {
    await trader.explained(until("rest", () => trader.isSettled, SETTLED_MS, LOOK_MS))
    const entries = trader.orders.filter(({ order }) => order.purpose === "entry")
    must(entries.length <= 1, `one alert made ${entries.length} entries`)
    if (trader.position === undefined) await trader.open(SETTLED_MS)
    await trader.close(SETTLED_MS)
    await equal(trader)
    await trader.disarm()
    return flaws(trader)[0]
  } catch (error) {
    return error instanceof Error ? error.message : `${error}`
  }
}
