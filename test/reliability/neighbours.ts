// The adversary: an account that uses up all it is allowed to, beside one whose stop loss is hit. An account must cost
// only itself.
import { Owner } from "./Owner.ts"
import { inFolder, token } from "./Program.ts"
import { Bot } from "./prices/Bot.ts"
import { until } from "./prices/until.ts"
import type { Venue } from "./prices/Venue.ts"
import { World } from "./prices/World.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"

/** By how much later another's stop loss may act, and its requests be answered, than without the neighbour (ms). */
const LATER_MS = 250
/** What the limits allow one account. */
const STRATEGIES = 1_000
const ALERTS_A_SECOND = 30
const STREAMS = 50
const BODY_BYTES = 65_536
/** Stops that are hit without the neighbour and beside it. */
const TRIALS = { short: 8, long: 30 }
/** Requests between two stops. */
const REQUESTS = 30

const suite: Suite = ({ short }) =>
  inFolder(async (folder) => {
    const world = await World.start(folder, "neighbours")
    try {
      return await beside(world, short)
    } finally {
      await world.stop()
    }
  })
export default suite

const beside = async (world: World, short: boolean): Promise<ReadonlyArray<Row>> => {
  const [venue] = world.venues
  if (venue === undefined) throw new Error("there is no exchange")
  const trials = short ? TRIALS.short : TRIALS.long
  const alone = await measured(world, venue, trials)
  const neighbour = await Neighbour.move(world, venue)
  try {
    await neighbour.atFull()
    const crowded = await measured(world, venue, trials)
    return [
      row("neighbours: another's stop loss", alone.stops, crowded.stops),
      row("neighbours: another's requests", alone.requests, crowded.requests),
      neighbour.row()
    ]
  } finally {
    await neighbour.leave()
  }
}

/** Milliseconds, of each trial. */
interface Times {
  readonly stops: ReadonlyArray<number>
  readonly requests: ReadonlyArray<number>
}

/** Positions that are opened and stopped out, and requests meanwhile. */
const measured = async (world: World, venue: Venue, trials: number): Promise<Times> => {
  const slot = venue.spot("ETH")
  const bot = await Bot.make(world, venue, slot, { stop_loss: true, stop_loss_percentage: 1 })
  const requests: Array<number> = []
  const stops: Array<number> = []
  for (let trial = 1; trial <= trials; trial++) {
    venue.release(slot)
    venue.move(slot, 100)
    await until("the price", async () => Math.abs(((await bot.middle()) ?? 0) - 100) < 0.5, 30_000)
    await bot.open("buy")
    for (let request = 0; request < REQUESTS; request++) {
      const from = performance.now()
      await (await world.fetch("/v1/strategies?limit=1")).arrayBuffer()
      requests.push(performance.now() - from)
    }
    venue.hold(slot)
    const said = Date.now()
    // Not so far that it would be taken for a wild price.
    venue.say(slot, { bid: 98.5, ask: 98.6, last: 98.5 })
    const { closedAt } = await bot.closed(trial, 60_000)
    stops.push(closedAt - said)
  }
  await bot.end()
  return { stops, requests }
}

const row = (test: string, alone: ReadonlyArray<number>, crowded: ReadonlyArray<number>): Row => {
  const later = p99(crowded) - p99(alone)
  const tally = new Tally()
  tally.check(later <= LATER_MS, () => `${later.toFixed(0)} ms later, ${LATER_MS} ms allowed`)
  const times = `p99 ${p99(crowded).toFixed(0)} ms, ${p99(alone).toFixed(0)} ms without a neighbour`
  return { ...tally.row(test, times), trials: crowded.length }
}

const p99 = (times: ReadonlyArray<number>): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? 0

/** Somebody who keeps to every limit, and uses each of them up. */
class Neighbour {
  readonly #world: World
  readonly #key: string
  readonly #signal: number
  readonly #ending = new AbortController()
  readonly #busy: Array<Promise<void>> = []
  #alerts = 0
  #refused = 0

  private constructor(world: World, key: string, signal: number) {
    this.#world = world
    this.#key = key
    this.#signal = signal
  }

  static async move(world: World, venue: Venue): Promise<Neighbour> {
    const key = await token(world.db, "neighbour", "full")
    const owner = new Owner(world.server, key)
    const signal = await owner.signal("storm")
    const settings = {
      default_exchange_name: venue.name,
      exchanges: [{ exchange_name: venue.name, coin_pairs: [`BTC/${venue.currency}`] }],
      buy_percentage: 1,
      trailing_sell: true,
      trailing_sell_arm: 0.1,
      trailing_sell_percentage: 0.05
    }
    for (let made = 0; made < STRATEGIES; made++) await owner.strategy(signal, [], settings)
    return new Neighbour(world, key, signal)
  }

  /** Begins with everything, and ends when the backlog has had time to grow. */
  async atFull(): Promise<void> {
    const { signal } = this.#ending
    const again = (everyMs: number, act: (count: number) => Promise<unknown>) =>
      this.#busy.push(
        (async () => {
          for (let count = 0; !signal.aborted; count++) {
            const next = Bun.sleep(everyMs)
            await act(count).catch(() => this.#refused++)
            await next
          }
        })()
      )
    for (let lane = 0; lane < 3; lane++)
      again(3_000 / ALERTS_A_SECOND, async (count) => {
        await this.#post("/v1/signals/alert", {
          signal_id: this.#signal,
          coin: "BTC",
          quote_currency: "USDT",
          type: count % 2 === 0 ? "buy" : "sell"
        })
        this.#alerts++
      })
    again(500, (count) => this.#post("/v1/strategies", { name: "x", exchanges: huge(count) }))
    again(500, () => this.#post("/v1/signals/charting", "-eyJ".repeat(BODY_BYTES / 4 - 10)))
    for (let stream = 0; stream < STREAMS; stream++)
      this.#busy.push(
        this.#world.server
          .fetch("/v1/events", { headers: this.#headers, signal })
          .then(() => {})
          .catch(() => {})
      )
    await Bun.sleep(10_000)
  }

  async leave(): Promise<void> {
    this.#ending.abort()
    await Promise.allSettled(this.#busy)
  }

  row(): Row {
    const tally = new Tally()
    tally.check(this.#alerts > 0, () => "none of its alerts was taken")
    return tally.row(
      "neighbours: what the neighbour did",
      `${this.#alerts} alerts for ${STRATEGIES} strategies each, ${this.#refused} requests failed`
    )
  }

  get #headers() {
    return { authorization: `Bearer ${this.#key}`, "content-type": "application/json" }
  }

  async #post(path: string, body: object | string): Promise<void> {
    const answer = await this.#world.server.fetch(path, {
      method: "POST",
      headers: this.#headers,
      body: typeof body === "string" ? body : JSON.stringify(body)
    })
    await answer.arrayBuffer()
  }
}

/** As many flaws as a body of the most bytes has room for. */
const huge = (count: number): unknown =>
  count % 2 === 0
    ? [{ exchange_name: "binance", coin_pairs: Array.from({ length: BODY_BYTES / 2 - 200 }, () => 1) }]
    : Array.from({ length: BODY_BYTES / 3 - 200 }, () => ({}))
