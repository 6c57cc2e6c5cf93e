// Random faults at all exchanges while bots trade.
import * as Schema from "effect/Schema"
import { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { isCaughtUp } from "../Rows.ts"
import type { Row } from "../suite.ts"
import { Bot } from "./Bot.ts"
import { type Result, result, rowOf } from "./Case.ts"
import { REST_FAULTS } from "./silence.ts"
import { until } from "./until.ts"
import type { Venue } from "./Venue.ts"
import type { World } from "./World.ts"

/** Something that goes wrong at an exchange for a while. */
interface Fault {
  readonly title: string
  /** How long it may take until prices arrive again, by stream or by request (ms). */
  readonly allowedMs: number
  /** How long it lasts (ms), from and to. */
  readonly lasts: readonly [number, number]
  readonly begin: (venue: Venue, dice: SeededRandom) => void | Promise<void>
  /** Whether the time counts from the fault's beginning, because it has no end. */
  readonly isEndless?: boolean
}

/** After many failures in a row, streams are opened anew and requests are sent again after half a minute. */
const MOST_PAUSE_MS = 32_000
/** How long it takes to find dead streams, and longer if streams were dead just before. */
const DOUBT_MS = 32_000
const ASKED_MS = 12_000

const FAULTS: ReadonlyArray<Fault> = [
  { title: "cut", allowedMs: ASKED_MS, lasts: [0, 0], begin: (venue) => venue.stub.cut() },
  { title: "silent", allowedMs: ASKED_MS, lasts: [2000, 20_000], begin: (venue) => quiet(venue) },
  {
    title: "half-open",
    allowedMs: ASKED_MS,
    lasts: [0, 0],
    begin: (venue) => venue.stub.freeze(),
    isEndless: true
  },
  {
    title: "no stream can be opened",
    allowedMs: ASKED_MS,
    lasts: [2000, 15_000],
    begin: (venue) => {
      venue.stub.faults.refuse = true
      venue.stub.cut()
    }
  },
  {
    title: "connections refused",
    allowedMs: MOST_PAUSE_MS,
    lasts: [1000, 15_000],
    begin: (venue) => venue.down()
  },
  {
    title: "streams silent, requests fail",
    allowedMs: MOST_PAUSE_MS,
    lasts: [5000, 25_000],
    begin: (venue, dice) => {
      quiet(venue)
      Object.assign(venue.stub.faults, dice.pick(REST_FAULTS))
    }
  },
  {
    title: "streams cut, requests fail",
    allowedMs: MOST_PAUSE_MS,
    lasts: [1000, 15_000],
    begin: (venue, dice) => {
      Object.assign(venue.stub.faults, dice.pick(REST_FAULTS))
      venue.stub.cut()
    }
  },
  {
    title: "frames of nonsense",
    allowedMs: ASKED_MS,
    lasts: [0, 0],
    begin: (venue) => {
      for (const text of ["{nonsense", "[]", "null", '{"e":"24hrTicker"}', "<html>"]) venue.stub.babble(text)
    }
  },
  { title: "bad ticks", allowedMs: ASKED_MS, lasts: [0, 0], begin: (venue, dice) => badTick(venue, dice) }
]

const quiet = (venue: Venue): void => {
  venue.stub.faults.silent = true
}

const badTick = (venue: Venue, dice: SeededRandom): void => {
  const price = dice.pick([0, -100, 55, 180, 1e-9, 1e12, Number.NaN])
  for (const market of venue.markets) venue.say(market, { bid: price, ask: price, last: price }, false)
}

/** A fault with its times (ms): its beginning and the recovery. */
interface Happened {
  readonly fault: Fault
  readonly venue: Venue
  readonly from: number
  readonly to: number
  /** The times until prices arrived again, and until they streamed. */
  readonly prices: Result
  readonly streams: Result
}

const WAIT_MS = 120_000
const COINS = ["BTC", "ETH", "SOL"] as const
const SETTINGS = {
  sell_minprofitpercent: 0.5,
  stop_loss: true,
  stop_loss_percentage: 0.7,
  buy_percentage: 20
}

/** Faults at random at all exchanges, each with its own, while bots trade. */
export const storm = async (world: World, number: number, millis: number): Promise<ReadonlyArray<Row>> => {
  const seed = Number(process.env["SIGNALBOX_SEED"] ?? Math.floor(Math.random() * 2 ** 31))
  const dice = new SeededRandom(seed)
  const bots = new Map<Venue, ReadonlyArray<Bot>>()
  for (const venue of world.venues)
    bots.set(
      venue,
      await Promise.all(COINS.map((coin) => Bot.make(world, venue, venue.swap(coin), SETTINGS)))
    )
  await Promise.all(world.venues.map((venue) => world.well(venue, Date.now(), WAIT_MS)))
  const end = Date.now() + millis
  const waves = setInterval(() => roll(world.venues), 250)
  const happened = (
    await Promise.all(
      world.venues.map(async (venue) => {
        const own = new SeededRandom(dice.below(2 ** 31))
        const [all] = await Promise.all([
          faults(venue, world, own, end),
          alerts(bots.get(venue) ?? [], own, end)
        ])
        return all
      })
    )
  ).flat()
  clearInterval(waves)
  await until("end of all waiting", () => world.rows(isCaughtUp), WAIT_MS)
  const rows = FAULTS.map((fault) => rowsOf(fault, number, happened))
  return [...rows, refusals(world, number, bots, happened, seed)]
}

const rowsOf = (fault: Fault, number: number, happened: ReadonlyArray<Happened>): Row => {
  const own = happened.filter((one) => one.fault === fault)
  const row = (allowedMs: number, of: (one: Happened) => Result) =>
    rowOf({ number, title: `storm, ${fault.title}`, allowedMs }, own.map(of))
  const prices = row(fault.allowedMs, (one) => one.prices)
  const streams = row(
    fault.isEndless === true ? DOUBT_MS + MOST_PAUSE_MS : MOST_PAUSE_MS,
    (one) => one.streams
  )
  return {
    ...prices,
    failures: prices.failures + streams.failures,
    worst: `prices ${prices.worst}; streams ${streams.worst}`,
    details: [...prices.details, ...streams.details]
  }
}

const faults = async (
  venue: Venue,
  world: World,
  dice: SeededRandom,
  end: number
): Promise<ReadonlyArray<Happened>> => {
  const all: Array<Happened> = []
  while (Date.now() < end) {
    await Bun.sleep(dice.whole(2000, 10_000))
    const fault = dice.pick(FAULTS)
    const from = Date.now()
    await fault.begin(venue, dice)
    await Bun.sleep(dice.whole(...fault.lasts))
    if (fault.isEndless !== true) await venue.heal()
    const since = fault.isEndless === true ? from : Date.now()
    const name = `${venue.name} ${new Date(from).toISOString().slice(11, 19)}`
    const [prices, streams] = await Promise.all([
      result(name, () => world.priced(venue, since, WAIT_MS)),
      result(name, () => world.well(venue, since, WAIT_MS))
    ])
    await venue.heal()
    all.push({ fault, venue, from, to: Date.now(), prices, streams })
  }
  return all
}

const alerts = async (bots: ReadonlyArray<Bot>, dice: SeededRandom, end: number): Promise<void> => {
  while (Date.now() < end) {
    const bot = dice.pick(bots)
    const types =
      bot.slot.kind === "spot" ? ["buy", "buy", "sell"] : ["long", "short", "close_long", "close_short"]
    await bot.alert(dice.pick(types))
    await Bun.sleep(dice.whole(500, 3000))
  }
}

/** Moves each market's price up and down by a few percent a minute. */
const roll = (venues: ReadonlyArray<Venue>): void => {
  venues.forEach((venue, place) => {
    venue.markets.forEach((market, index) => {
      const turn = Date.now() / (4000 + 700 * index) + place
      venue.move(market, 100 * (1 + 0.02 * Math.sin(turn) + 0.01 * Math.sin(turn / 5)))
    })
  })
}

/** Checks that entries lack a price only during a fault and its detection. */
const refusals = (
  world: World,
  number: number,
  bots: ReadonlyMap<Venue, ReadonlyArray<Bot>>,
  happened: ReadonlyArray<Happened>,
  seed: number
): Row => {
  const outcomes = world.rows((rows) =>
    rows.all(OutcomeRow, "SELECT strategy_id AS strategy, reason, at FROM outcomes")
  )
  const trades = world.rows((rows) => rows.count("SELECT count(*) FROM trades"))
  const flaws = [...bots].flatMap(([venue, own]) => {
    const strategies = own.map(({ strategy }) => strategy)
    const faulty = happened.filter((one) => one.venue === venue)
    return outcomes
      .filter(({ reason, strategy }) => reason === "no_price" && strategies.includes(strategy))
      .filter(({ at }) => !faulty.some(({ from, to }) => at >= from && at <= to + 1000))
      .map(({ at }) => `${venue.name}: no price at ${new Date(at).toISOString()}, when nothing was wrong`)
  })
  const unpriced = outcomes.filter(({ reason }) => reason === "no_price").length
  return {
    test: `prices ${number}: storm, alerts judged`,
    trials: outcomes.length,
    failures: flaws.length,
    worst: `${trades} trades, ${happened.length} faults, ${unpriced} without a price; seed ${seed}`,
    details: flaws.slice(0, 5)
  }
}

const OutcomeRow = Schema.Struct({ strategy: Schema.Int, reason: Schema.String, at: Schema.Int })
