// Messages of a chart overtake each other, and the server is killed with -9 while one waits on disk for the message that
// belongs before it. Each is acted on exactly once, and the bot ends where its chart does.

import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import * as Books from "./Books.ts"
import { type Owned, World } from "./orders/World.ts"
import { Follower } from "./overtaken/Follower.ts"
import { command, inFolder } from "./Program.ts"
import { until } from "./prices/until.ts"
import { isCaughtUp, Rows } from "./Rows.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"

const CHARTS = 16
const COINS = ["ETH", "SOL"] as const
/** When the server is killed, counted from the first message (ms); the other message comes up to so much later. */
const KILLED_MS = 700
const LATER_MS = 900
/** How long it may take until every message has its outcome. */
const JUDGED_MS = 60_000

const suite: Suite = ({ short }) => inFolder((folder) => storm(folder, short ? 5 : 60))
export default suite

const storm = async (folder: string, kills: number): Promise<ReadonlyArray<Row>> => {
  const seed = Number(process.env["SIGNALBOX_SEED"] ?? Math.floor(Math.random() * 2 ** 31))
  const dice = new SeededRandom(seed)
  const world = await World.start(folder, "overtaken")
  try {
    const charts = await settled(world, dice)
    const ends = new Tally()
    const sums = { waiting: 0, late: 0 }
    for (let kill = 0; kill < kills; kill++) {
      const { flaws, late, waiting } = await round(world, charts, dice)
      sums.waiting += waiting
      sums.late += late
      for (const flaw of flaws) ends.check(flaw === undefined, () => `${flaw} (seed ${seed}, kill ${kill})`)
    }
    await world.end()
    const { counts, flaws } = await audit(world, charts)
    const once = new Tally()
    once.check(flaws.length === 0, () => flaws.slice(0, 5).join("; "))
    // What never waited while the server was killed would have shown nothing.
    once.check(sums.waiting > 0, () => "no message waited on disk when the server was killed")
    return [
      ends.row(
        "overtaken: the end position is the chart's",
        `${kills} kills of ${CHARTS} charts; ${sums.waiting} messages waited on disk, ${sums.late} came too late`
      ),
      once.row("overtaken: each message acted on once, books sound", `${counts}; seed ${seed}`)
    ]
  } finally {
    await world.stop()
  }
}

/** Charts on perpetuals of binance, whose prices stream; the strategies that follow them trade on paper. */
const settled = async (world: World, dice: SeededRandom): Promise<ReadonlyArray<Follower>> => {
  const paper = paperOf(world)
  const owner = world.ownerOf(paper)
  const charts: Array<Follower> = []
  for (let count = 0; count < CHARTS; count++) {
    const coin = COINS[count % COINS.length] ?? "ETH"
    const signal = await owner.signal(`chart ${count}`)
    const strategy = await owner.strategy(signal, [`${coin}/USDT`], { max_entries: 50, buy_percentage: 10 })
    const step = Number(paper.venue.market(paper.venue.slot(coin, "swap")).amountStep)
    charts.push(
      new Follower(paper.key, { coin, step }, { signal, strategy }, new SeededRandom(dice.below(2 ** 31)))
    )
  }
  await world.streams(paper.venue)
  return charts
}

const paperOf = ({ owners }: World): Owned => {
  const found = owners.find(({ isPaper }) => isPaper)
  if (found === undefined) throw new Error("nobody trades on paper")
  return found
}

/** One message of each chart comes too early; the server is killed at some moment of its wait, and starts again. */
const round = async (world: World, charts: ReadonlyArray<Follower>, dice: SeededRandom) => {
  let base: string | undefined = world.server.url("")
  const where = () => base
  const judged = async () => {
    const isDone = (rows: Rows) => isCaughtUp(rows) && charts.every((chart) => chart.isIdle(rows))
    await until("outcome of every message", () => world.rows(isDone), JUDGED_MS)
  }
  await Promise.all(charts.map((chart) => chart.settle(where, world, judged)))
  for (const chart of charts) chart.draw()
  await Promise.all(charts.map((chart) => chart.overtake(where)))
  const later = charts.map(async (chart) => {
    await Bun.sleep(dice.whole(0, LATER_MS))
    await chart.follow(where)
  })
  await Bun.sleep(dice.whole(0, KILLED_MS))
  base = undefined
  await world.kill()
  const waiting = world.rows((rows) => rows.count("SELECT count(*) FROM waiting"))
  await world.restart()
  base = world.server.url("")
  await Promise.all(later)
  await judged()
  const inTime = charts.filter((chart) => world.rows((rows) => chart.isInTime(rows)))
  const flaws = inTime.map((chart) => world.rows((rows) => chart.flaw(rows)))
  return { flaws, waiting, late: charts.length - inTime.length }
}

/** Each message has one alert and one outcome, and every sum of the books is right. */
const audit = async (world: World, charts: ReadonlyArray<Follower>) => {
  const rows = new Rows(world.db)
  const sent = charts.flatMap(({ locations }) => locations)
  const alerts = rows.count("SELECT count(*) FROM alerts")
  const outcomes = rows.count("SELECT count(*) FROM outcomes")
  const { flaws, orders, trades } = Books.audit(rows)
  rows.close()
  const verified = await command(["verify", "--db", world.db])
  return {
    counts: `${alerts} messages, ${orders} orders, ${trades} trades`,
    flaws: [
      ...(new Set(sent).size === sent.length ? [] : ["two messages were answered as one alert"]),
      ...(alerts === sent.length ? [] : [`${sent.length} messages are ${alerts} alerts`]),
      ...(outcomes === alerts ? [] : [`${alerts} alerts have ${outcomes} outcomes`]),
      ...flaws,
      ...(verified.exitCode === 0 ? [] : [`verify: ${verified.stdout.slice(0, 300)}`])
    ]
  }
}
