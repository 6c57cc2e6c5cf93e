// Whether a busy account slows only itself: one account uses all its limits beside another whose stop loss is hit.
import * as Decimal from "../../src/domain/Decimal.ts"
import { quantile } from "./Figures.ts"
import { Neighbour } from "./neighbours/Neighbour.ts"
import { inFolder } from "./Program.ts"
import { Bot } from "./prices/Bot.ts"
import { until } from "./prices/until.ts"
import type { Venue } from "./prices/Venue.ts"
import { World } from "./prices/World.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"

/** How much later than without the neighbour a stop loss may act and a request be answered (ms). */
const LATER_MS = 250
/**
 * The share of the short form's trials that keep it, and what every one keeps (ms): CI's machine stands still for a moment
 * now and then, and one late trial of eight says nothing of the server. In the long form every trial keeps 250 ms.
 */
const NEARLY = 0.85
const MOST_LATER_MS = 1000
/** The share of the requests that keep 250 ms, in both forms. */
const P99 = 0.99
/** The number of stops without the neighbour and beside it. */
const TRIALS = { short: 8, long: 30 }
/** The number of requests between two stops. */
const REQUESTS = 30

/** What the neighbour does during the measurements. */
type Also = (neighbour: Neighbour) => void

const suiteOf =
  (name: string, also: Also): Suite =>
  ({ short }) =>
    inFolder(async (folder) => {
      const world = await World.start(folder, name)
      try {
        return await beside(world, name, short, also)
      } finally {
        await world.stop()
      }
    })

const suite = suiteOf("neighbours", () => {})
export default suite

/** The same beside a neighbour that also reads its longest lists and pages as often as it may. */
export const readers = suiteOf("readers", (neighbour) => neighbour.reads())

const beside = async (
  world: World,
  name: string,
  short: boolean,
  also: Also
): Promise<ReadonlyArray<Row>> => {
  const [venue] = world.venues
  if (venue === undefined) throw new Error("there is no exchange")
  const trials = short ? TRIALS.short : TRIALS.long
  const alone = await measured(world, venue, trials)
  const neighbour = await Neighbour.move(world, venue)
  try {
    also(neighbour)
    await neighbour.atFull()
    const before = await delays(world)
    const crowded = await measured(world, venue, trials)
    const loop = `the event loop at most ${worstOf(before, await delays(world))} ms late`
    const nearly = short ? NEARLY : 1
    return [
      row(`${name}: another's stop loss`, nearly, { alone: alone.stops, crowded: crowded.stops, loop }),
      row(`${name}: another's requests`, P99, { alone: alone.requests, crowded: crowded.requests, loop }),
      neighbour.row(name)
    ]
  } finally {
    await neighbour.leave()
  }
}

/** The milliseconds of each trial. */
interface Times {
  readonly stops: ReadonlyArray<number>
  readonly requests: ReadonlyArray<number>
}

/** Opens positions that are stopped out, and sends requests meanwhile. */
const measured = async (world: World, venue: Venue, trials: number): Promise<Times> => {
  const slot = venue.spot("ETH")
  const bot = await Bot.make(world, venue, slot, { stop_loss: true, stop_loss_percentage: 1 })
  const requests: Array<number> = []
  const stops: Array<number> = []
  for (let trial = 1; trial <= trials; trial++) {
    venue.release(slot)
    venue.move(slot, 100)
    await until("the price", async () => Math.abs(((await bot.middle()) ?? 0) - 100) < 0.5, 30_000)
    const { entryNotional, entryQuantity } = await bot.open("buy")
    for (let request = 0; request < REQUESTS; request++) {
      const from = performance.now()
      await (await world.fetch("/v1/strategies?limit=1")).arrayBuffer()
      requests.push(performance.now() - from)
    }
    venue.hold(slot)
    const said = Date.now()
    // Below the stop of what was paid: a bot that is behind may have bought at the price before. Not so far below that
    // the price counts as an outlier.
    const below = (Decimal.toNumber(entryNotional) / Decimal.toNumber(entryQuantity)) * 0.985
    venue.say(slot, { bid: below, ask: below * 1.001, last: below })
    const { closedAt } = await bot.closed(trial, 60_000).catch(async (error: unknown) => {
      const seen = `${JSON.stringify(bot.position)}, the server's price is ${await bot.middle()}`
      throw new Error(`trial ${trial}, ${below} was quoted: the bot holds ${seen}`, { cause: error })
    })
    stops.push(closedAt - said)
  }
  await bot.end()
  return { stops, requests }
}

/** The counts of the event loop's delays by bucket (s), from the server's metrics. */
const delays = async (world: World): Promise<ReadonlyMap<number, number>> => {
  const text = await (await world.fetch("/metrics")).text()
  const buckets = text.matchAll(/^signalbox_event_loop_delay_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm)
  return new Map(
    [...buckets].map(([, most, count]) => [Number(most === "+Inf" ? Infinity : most), Number(count)])
  )
}

/** The smallest bucket that holds all delays between two readings (ms). */
const worstOf = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number => {
  const grown = (most: number) => (after.get(most) ?? 0) - (before.get(most) ?? 0)
  const all = grown(Number.POSITIVE_INFINITY)
  return 1_000 * Math.min(...[...after.keys()].filter((most) => grown(most) === all))
}

/** Both sides' times (ms), and how late the event loop was. */
interface Compared {
  readonly alone: ReadonlyArray<number>
  readonly crowded: ReadonlyArray<number>
  readonly loop: string
}

/** `nearly` is the share of the trials that keep `LATER_MS`. */
const row = (test: string, nearly: number, { alone, crowded, loop }: Compared): Row => {
  const tally = new Tally()
  const within = (share: number, most: number) => {
    const later = quantile(crowded, share) - quantile(alone, share)
    tally.within(later, most, () => `${100 * share} % ${later.toFixed(0)} ms later, ${most} ms allowed`)
  }
  within(nearly, LATER_MS)
  within(1, MOST_LATER_MS)
  const told = (all: ReadonlyArray<number>) =>
    `${quantile(all, nearly).toFixed(0)} and at most ${quantile(all, 1).toFixed(0)} ms`
  const times = `${100 * nearly} % within ${told(crowded)}, ${told(alone)} without a neighbour; ${loop}`
  return { ...tally.row(test, times), trials: crowded.length }
}
