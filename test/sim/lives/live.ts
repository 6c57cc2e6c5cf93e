// Lets lives of orders go on through the real engine and the real adapter, at stubs of all seven exchanges, with
// everything going wrong that can, in time that goes by ten times as fast; then compares all books.
import { Effect, Exit, Scope } from "effect"
import { EXCHANGE_NAMES } from "../../../src/domain/Market.ts"
import { StreamingFeed } from "../../../src/services/feeds/StreamingFeed.ts"
import { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { Venue } from "../../reliability/orders/Venue.ts"
import { hurry, passes } from "./haste.ts"
import type { Life } from "./Life.ts"
import * as MemoryRows from "./MemoryRows.ts"
import { Server } from "./Server.ts"
import { begun } from "./setUp.ts"
import { weather } from "./Trouble.ts"
import { Watch } from "./Watch.ts"

const QUOTE_MS = 1_000
/** How often the engine ends without being in the middle of a request (ms). */
const RESTART_MS = [60_000, 200_000] as const
const isVerbose = process.env["SIGNALBOX_VERBOSE"] !== undefined

/** What was tried, and what was found. */
export interface Lived {
  readonly flaws: ReadonlyArray<string>
  /** Orders that have ended, and those that the exchanges have taken. */
  readonly orders: number
  readonly taken: number
  readonly requests: number
  readonly restarts: number
  /** What its storage went through. */
  readonly suffered: string | undefined
  /** Outcomes of alerts, by reason. */
  readonly outcomes: ReadonlyMap<string, number>
}

/** Lives until so many orders have ended. */
export const live = async (orders: number, seed: number, isOnPostgres = false): Promise<Lived> => {
  hurry()
  const scope = await Effect.runPromise(Scope.make())
  const storage = await Effect.runPromise(
    Scope.extend(isOnPostgres ? (await import("./PostgresRows.ts")).open : MemoryRows.open, scope)
  )
  const dice = new SeededRandom(seed)
  const venues = await Promise.all(EXCHANGE_NAMES.map((name) => Venue.start(name)))
  const server = await Server.make(venues, storage)
  await server.begin()
  const all = await begun(server, venues, dice)
  // Bots come to be at a start: they are put there armed.
  await server.end()
  await server.begin()
  let isOver = false
  let isQuiet = false
  const over = () => isOver
  const watch = new Watch(server, all, venues, new SeededRandom(dice.below(2 ** 31)))
  const quoting = quote(server, all, () => isQuiet)
  const skies = venues.map((venue) => weather(venue, new SeededRandom(dice.below(2 ** 31)), over))
  const unrest = storage.unrest?.(new SeededRandom(dice.below(2 ** 31)), over)
  const lives = all.map((life) => life.goOn(over))
  const count = () => all.reduce((sum, { lived }) => sum + lived, 0)
  const restarts = await storm(server, watch, dice, () => count() >= orders)
  isOver = true
  for (const { desk } of venues) desk.troubles.clear()
  const telling = setInterval(() => tell(all), 5_000)
  const suffered = await unrest
  await Promise.all([...skies, ...lives])
  for (const { desk } of venues) desk.troubles.clear()
  await Promise.all(all.map((life) => life.end()))
  clearInterval(telling)
  await passes(5_000)
  const flaws = [
    ...watch.flaws,
    ...all.flatMap((life) =>
      life.flaws().map((flaw) => `${life.venue.name} ${life.market.kind} ${life.market.pair}: ${flaw}`)
    ),
    ...venues.flatMap((venue) => twice(venue).map((id) => `${venue.name} has order ${id} twice`))
  ]
  const outcomes = outcomesOf(all)
  const lived = count()
  isQuiet = true
  await quoting
  await server.end()
  flaws.push(...(await storage.flaws()))
  await Effect.runPromise(Scope.close(scope, Exit.void))
  const taken = venues.reduce((sum, { desk }) => sum + desk.book.orders.length, 0)
  const requests = venues.reduce((sum, { desk }) => sum + desk.calls.length, 0)
  await Promise.all(venues.map((venue) => venue.stop()))
  return { flaws, orders: lived, taken, requests, restarts, suffered, outcomes }
}

/** Ends the engine again and again, in the middle of a request or at any time; how often. */
const storm = async (
  server: Server,
  watch: Watch,
  dice: SeededRandom,
  isEnough: () => boolean
): Promise<number> => {
  for (let restarts = 0; ; restarts++) {
    const until = Date.now() + dice.whole(...RESTART_MS)
    await passes(dice.whole(2_000, 20_000))
    const isDue = () => isEnough() || Date.now() >= until
    await Promise.race([watch.next(), due(isDue)])
    watch.rest()
    if (isEnough()) return restarts
    await server.end()
    await passes(dice.whole(100, 3_000))
    await server.begin()
  }
}

const due = async (isDue: () => boolean): Promise<void> => {
  while (!isDue()) await passes(1_000)
}

const tell = (all: ReadonlyArray<Life>): void => {
  const busy = all.filter(({ isIdle }) => !isIdle)
  if (isVerbose) for (const life of busy.slice(0, 3)) console.error(life.doubt())
}

const outcomesOf = (all: ReadonlyArray<Life>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { reason } of all.flatMap(({ outcomes }) => outcomes))
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return counts
}

const quote = async (server: Server, all: ReadonlyArray<Life>, isOver: () => boolean): Promise<void> => {
  const quotes = () =>
    all.map(({ market, venue }) => {
      const { ask, bid, last } = venue.quoteOf(market)
      return { market, ticker: { ask, bid, last, at: Date.now() } }
    })
  while (!isOver()) {
    if (server.isUp)
      await server.ask(Effect.map(StreamingFeed, ({ publish }) => publish(quotes()))).catch(() => {})
    await passes(QUOTE_MS)
  }
}

const twice = ({ desk }: Venue): ReadonlyArray<string> => {
  const ids = desk.book.orders.map(({ ticket }) => ticket.clientId ?? "none")
  return ids.filter((id, place) => ids.indexOf(id) !== place)
}
