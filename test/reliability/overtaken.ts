// Messages of a chart overtake each other, and the server is killed with -9 while one waits on disk for the message that
// belongs before it. Each is acted on exactly once, and the bot ends where its chart does.

import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import * as Books from "./Books.ts"
import { Lives } from "./Lives.ts"
import { Owner } from "./Owner.ts"
import { Follower } from "./overtaken/Follower.ts"
import { command, inFolder, token } from "./Program.ts"
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
  const lives = new Lives(folder)
  const api = await token(lives.db, "ann", "full")
  const hook = await token(lives.db, "ann", "alerts")
  const charts = await settled(lives, { api, hook }, dice)
  const ends = new Tally()
  const sums = { waiting: 0, late: 0 }
  for (let kill = 0; kill < kills; kill++) {
    const { flaws, late, waiting } = await round(lives, charts, dice)
    sums.waiting += waiting
    sums.late += late
    for (const flaw of flaws) ends.check(flaw === undefined, () => `${flaw} (seed ${seed}, kill ${kill})`)
  }
  const { counts, flaws } = await audit(lives, charts)
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
}

const settled = async (
  lives: Lives,
  { api, hook }: { readonly api: string; readonly hook: string },
  dice: SeededRandom
): Promise<ReadonlyArray<Follower>> => {
  const life = lives.begin()
  const server = await life.listening
  await server.ready()
  const owner = new Owner(server, api)
  const charts: Array<Follower> = []
  for (let count = 0; count < CHARTS; count++) {
    const coin = COINS[count % COINS.length] ?? "ETH"
    const signal = await owner.signal(`chart ${count}`)
    const strategy = await owner.strategy(signal, [`${coin}/USDT`], { max_entries: 50, buy_percentage: 10 })
    charts.push(new Follower(hook, coin, { signal, strategy }, new SeededRandom(dice.below(2 ** 31))))
  }
  await lives.kill(life)
  return charts
}

/** One message of each chart comes too early; the server is killed at some moment of its wait, and starts again. */
const round = async (lives: Lives, charts: ReadonlyArray<Follower>, dice: SeededRandom) => {
  const before = lives.begin()
  const server = await before.listening
  await server.ready()
  const rows = new Rows(lives.db)
  let base: string | undefined = server.url("")
  const where = () => base
  const judged = async () => {
    await until("outcome of every message", () => isCaughtUp(rows), JUDGED_MS)
  }
  await Promise.all(charts.map((chart) => chart.settle(where, rows, judged)))
  for (const chart of charts) chart.draw()
  await Promise.all(charts.map((chart) => chart.overtake(where)))
  const later = charts.map(async (chart) => {
    await Bun.sleep(dice.whole(0, LATER_MS))
    await chart.follow(where)
  })
  await Bun.sleep(dice.whole(0, KILLED_MS))
  base = undefined
  await lives.kill(before)
  const waiting = rows.count("SELECT count(*) FROM waiting")
  const after = lives.begin()
  const next = await after.listening
  base = next.url("")
  await Promise.all(later)
  await next.ready()
  await judged()
  const inTime = charts.filter((chart) => chart.isInTime(rows))
  const flaws = inTime.map((chart) => chart.flaw(rows))
  rows.close()
  await lives.kill(after)
  return { flaws, waiting, late: charts.length - inTime.length }
}

/** Each message has one alert and one outcome, and every sum of the books is right. */
const audit = async (lives: Lives, charts: ReadonlyArray<Follower>) => {
  const rows = new Rows(lives.db)
  const sent = charts.flatMap(({ locations }) => locations)
  const alerts = rows.count("SELECT count(*) FROM alerts")
  const outcomes = rows.count("SELECT count(*) FROM outcomes")
  const { flaws, orders, trades } = Books.audit(rows)
  rows.close()
  const verified = await command(["verify", "--db", lives.db])
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
