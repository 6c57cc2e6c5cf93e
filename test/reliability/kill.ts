// Kills the server with -9 at random moments of alerts, commits, trades and starts, and then compares everything.
import * as Schema from "effect/Schema"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import * as Books from "./Books.ts"
import { quantile, spread } from "./Figures.ts"
import { Lives } from "./Lives.ts"
import { Owner } from "./Owner.ts"
import { command, inFolder, type Served, token } from "./Program.ts"
import { leftToDo, Rows } from "./Rows.ts"
import { type Keys, type Sent, Storm } from "./Storm.ts"
import type { Row, Suite } from "./suite.ts"

const CALLERS = 12
const READY_P99_MS = 2000
/** A kill in this share of all lives falls before the server listens. */
const STILLBORN = 0.15
/** Other lives end a moment after at most so many answered alerts, however slow the machine is. */
const ANSWERS = 160
const MOMENT_MS = 20
const LIFE_MS = 4000

const suite: Suite = ({ kills = 200, short }) => inFolder((folder) => storm(folder, short ? 20 : kills))
export default suite

const storm = async (folder: string, kills: number): Promise<ReadonlyArray<Row>> => {
  const seed = Number(process.env["SIGNALBOX_SEED"] ?? Math.floor(Math.random() * 2 ** 31))
  const dice = new SeededRandom(seed)
  const lives = new Lives(folder)
  const keys = await settle(lives)
  const weather = new Storm(dice, keys)
  const callers = weather.rage(CALLERS)
  const ready: Array<number> = []
  for (let kill = 0; kill < kills; kill++) {
    const life = lives.begin()
    if (dice.chance(STILLBORN)) {
      await Bun.sleep(dice.between(0, 200))
    } else {
      const server = await life.listening
      ready.push(await server.ready(life.began))
      weather.base = server.url("")
      await answered(weather, dice.between(0, ANSWERS))
      await Bun.sleep(dice.between(0, MOMENT_MS))
    }
    weather.base = undefined
    await lives.kill(life)
  }
  const last = lives.begin()
  const server = await last.listening
  ready.push(await server.ready(last.began))
  // Begun alerts are sent until they are answered.
  weather.end()
  weather.base = server.url("")
  await callers
  const flaws = await compare(server, lives.db, weather, keys)
  const { books, counts } = await audit(server, lives.db)
  const p99 = quantile(ready, 0.99)
  const acknowledged = weather.sent.filter(({ answered }) => answered.length > 0).length
  const alerts = { test: "kill: no alert lost, none twice", trials: acknowledged, failures: flaws.length }
  return [
    { ...alerts, worst: `${kills} kills of ${CALLERS} callers, ${counts}`, details: told(flaws, seed) },
    {
      test: "kill: books balance, nothing ordered twice",
      trials: kills,
      failures: books.length,
      worst: `seed ${seed}`,
      details: told(books, seed)
    },
    {
      test: "kill: ready again",
      trials: ready.length,
      failures: p99 > READY_P99_MS ? 1 : 0,
      late: p99 > READY_P99_MS,
      worst: `${spread(ready)} (p99 under ${READY_P99_MS} ms)`,
      details: []
    }
  ]
}

/** Waits for so many answers, or for the end of a life. */
export const answered = async (weather: Storm, count: number): Promise<void> => {
  const [until, deadline] = [weather.answers + count, performance.now() + LIFE_MS]
  while (weather.answers < until && performance.now() < deadline) await Bun.sleep(1)
}

const told = (flaws: ReadonlyArray<string>, seed: number): ReadonlyArray<string> =>
  flaws.length === 0 ? [] : [...flaws.slice(0, 10), `seed ${seed}`]

/** Creates couples of accounts, each with four signals and nine strategies that use all rules. */
export const settle = async (lives: Lives, couples = 1): Promise<ReadonlyArray<Keys>> => {
  const keysOf = async (account: string) => ({
    api: await token(lives.db, account, "full"),
    hook: await token(lives.db, account, "alerts")
  })
  const all: Array<readonly [hers: Omit<Keys, "signals">, his: Omit<Keys, "signals">]> = []
  for (let couple = 1; couple <= couples; couple++)
    all.push([await keysOf(`ann-${couple}`), await keysOf(`bob-${couple}`)])
  const life = lives.begin()
  const server = await life.listening
  const settled: Array<Keys> = []
  for (const couple of all) settled.push(...(await moveIn(server, couple)))
  await lives.kill(life)
  return settled
}

/** Creates the signals and the strategies of two accounts. */
const moveIn = async (
  server: Served,
  [ann, bob]: readonly [Omit<Keys, "signals">, Omit<Keys, "signals">]
): Promise<ReadonlyArray<Keys>> => {
  const [hers, his] = [new Owner(server, ann.api), new Owner(server, bob.api)]
  const signals = [await hers.signal("one", true), await hers.signal("two"), await hers.signal("three")]
  const [one = 0, two = 0, three = 0] = signals
  const four = await his.signal("four")
  const all = ["BTC/USDT", "ETH/USDT", "SOL/USDT"]
  const trailing = { trailing_sell: true, trailing_sell_arm: 0.8, trailing_sell_percentage: 0.4 }
  const averaging = {
    strategy_dca_switch: true,
    ...{ dca_aftertime: 0, dca_maxretries: 3, dca_percentagetrigger: 0.5, dca_ordersize: 50 }
  }
  await hers.strategy(one, all)
  await hers.strategy(one, all, { sell_minprofitpercent: 0.5, stop_loss: true, stop_loss_percentage: 1 })
  await hers.strategy(two, all.slice(0, 2), { ...averaging, sell_minprofitpercent: 0.6 })
  await hers.strategy(two, all.slice(1), { strategy_trailing_buy_switch: true, trailing_buy_percentage: 0.2 })
  const following = {
    ...{ max_entries: 4, break_even_after: 1, stop_loss: true, stop_loss_percentage: 3 },
    take_profit_steps: [
      { profit_percent: 0.4, close_percent: 40 },
      { profit_percent: 1, close_percent: 30 }
    ]
  }
  await hers.strategy(two, all, { ...following, on_opposite: "reverse" })
  await hers.strategy(three, all, { max_entries: 20, buy_percentage: 4 })
  await hers.strategy(three, all, { ...trailing, stop_loss: true, stop_loss_percentage: 2 })
  await his.strategy(one, all, { buy_percentage: 30, sell_minprofitpercent: 0.3 })
  await his.strategy(four, all.slice(0, 1), {
    auto_close_position_enabled: true,
    auto_close_position_value: 1
  })
  return [
    { ...ann, signals },
    { ...bob, signals: [four] }
  ]
}

/** An alert as it is stored. */
export const AlertRow = Schema.Struct({
  id: Schema.Int,
  signal: Schema.Int,
  coin: Schema.String,
  type: Schema.String,
  mark: Schema.Number,
  repeats: Schema.Int,
  token: Schema.Int
})

/** The query for all alerts. */
export const ALERTS =
  "SELECT id, signal_id AS signal, coin, type, coalesce(tp, sl) AS mark, repeats, token FROM alerts"

/** Compares what the callers remember with the server's answers and the rows on disk. */
const compare = async (
  server: Served,
  db: string,
  { refused, sent }: Storm,
  accounts: ReadonlyArray<Keys>
): Promise<ReadonlyArray<string>> => {
  const rows = new Rows(db)
  const stored = rows.all(AlertRow, ALERTS)
  rows.close()
  const byMark = Map.groupBy(stored, ({ mark }) => mark)
  const flaws = sent.flatMap((it) => flawsOf(it, byMark.get(it.mark) ?? []))
  const readable = await Promise.all(
    accounts.flatMap(({ api, signals }) =>
      shares(
        sent.filter((it) => it.answered.length > 0 && signals.includes(it.signal)),
        4
      ).map((share) => readAll(server, api, share))
    )
  )
  return [...refused, ...flaws, ...readable.flat()]
}

/** What is wrong with the rows of an alert that was sent. */
export const flawsOf = (sent: Sent, rows: ReadonlyArray<typeof AlertRow.Type>): ReadonlyArray<string> => {
  const { answered, attempts, named } = sent
  const what = `alert ${sent.mark} (${sent.type} ${sent.coin}, name: ${named}, sent ${attempts} times)`
  const [row] = rows
  if (rows.length > 1) return [`${what} is on disk ${rows.length} times`]
  if (row === undefined) return answered.length === 0 ? [] : [`${what} was answered and is lost`]
  const isOther = row.signal !== sent.signal || row.coin !== sent.coin || row.type !== sent.type
  const wrong = answered.filter((location) => location !== `/v1/alerts/${row.id}`)
  return [
    ...(isOther ? [`${what} is on disk as another`] : []),
    ...wrong.map((location) => `${what} was answered as ${location}, and is alert ${row.id}`),
    ...(row.repeats < answered.length - 1 || row.repeats > attempts - 1
      ? [`${what} was answered ${answered.length} times, and says ${row.repeats} repeats`]
      : [])
  ]
}

const readAll = async (server: Served, token: string, sent: ReadonlyArray<Sent>) => {
  const flaws: Array<string> = []
  for (const { answered, mark } of sent) {
    const location = answered[0] ?? ""
    const response = await server.fetch(location, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    if (response.status !== 200 || !text.includes(`:${mark},`))
      flaws.push(`${location} answers ${response.status}`)
  }
  return flaws
}

/** A storm in which nothing turned, was reduced or was added has tried none of that. */
const unused = (acted: ReadonlyArray<string>): ReadonlyArray<string> =>
  acted.filter((count) => count.startsWith("0 "))

const shares = <A>(all: ReadonlyArray<A>, count: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: count }, (_, share) => all.filter((__, index) => index % count === share))

/** After every alert was judged, checks that each follower has its outcome and that the books balance. */
const audit = async (server: Served, db: string) => {
  const rows = new Rows(db)
  const left = await leftToDo(rows)
  const behind = left === "" ? [] : [`after the storm, and a minute without a change: ${left}`]
  const code = await server.stop("SIGTERM")
  const exit = code === 0 ? [] : [`after SIGTERM it exits with ${code}: ${server.printed.slice(-500)}`]
  const missing = rows.count(`SELECT count(*) FROM alerts
    JOIN strategies ON strategies.signal_id = alerts.signal_id
    LEFT JOIN outcomes ON outcomes.alert_id = alerts.id AND outcomes.strategy_id = strategies.id
    WHERE outcomes.alert_id IS NULL`)
  const strange = rows.count(`SELECT count(*) FROM outcomes
    JOIN alerts ON alerts.id = outcomes.alert_id
    LEFT JOIN strategies ON strategies.id = outcomes.strategy_id AND strategies.signal_id = alerts.signal_id
    WHERE strategies.id IS NULL`)
  const { flaws, orders, trades } = Books.audit(rows)
  const verified = await command(["verify", "--db", db])
  const unsound =
    verified.exitCode === 0 ? [] : [`verify: ${verified.stdout.slice(0, 500)}${verified.stderr}`]
  const alerts = rows.count("SELECT count(*) FROM alerts")
  const acted = ["turned", "reduced", "added"].map((reason) => {
    const count = rows.count(`SELECT count(*) FROM outcomes WHERE reason = '${reason}'`)
    return `${count} ${reason}`
  })
  rows.close()
  const outcomes = [
    ...(missing === 0 ? [] : [`${missing} outcomes of followers are missing`]),
    ...(strange === 0 ? [] : [`${strange} outcomes are of strategies that do not follow`])
  ]
  return {
    books: [...behind, ...exit, ...outcomes, ...flaws, ...unsound, ...unused(acted)],
    counts: `${alerts} alerts, ${orders} orders, ${trades} trades, ${acted.join(", ")}`
  }
}
