// Kills, stops and closes the Postgres server beneath the program at random moments of alerts, and the program itself,
// and then compares everything.
import { Redacted, Schema } from "effect"
import { Client } from "pg"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { administrate, isInstalled, urlOf } from "../lib/postgres/Database.ts"
import { type Server, start, startAgain, stop } from "../lib/postgres/Server.ts"
import { ALERTS, AlertRow, answered, flawsOf, settle } from "./kill.ts"
import { type Life, Lives } from "./Lives.ts"
import { command, inFolder, type Served } from "./Program.ts"
import { Storm } from "./Storm.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"

const CALLERS = 8
/** Alerts that are answered between two faults, at most. */
const ANSWERS = 120
/** How soon alerts are answered again once the database is back. */
const BACK_MS = 1000
/** How long Postgres stays away in a short form, and in a long one. */
const AWAY_MS = { short: 400, long: 20_000 }
const SETTLE_MS = 60_000
const NAME = "storm"

const suite: Suite = ({ short }) =>
  isInstalled
    ? inFolder((folder) => new Scene(folder, short).play(short ? FAULTS.length : 200))
    : Promise.resolve([
        {
          test: "postgres: left out, because Postgres is not installed here",
          trials: 0,
          failures: 0,
          worst: "apt-get install postgresql",
          details: []
        }
      ])
export default suite

/** The kinds of faults; the machine's own, of the program's process, stands last. */
const FAULTS = ["back ends", "immediate", "away", "frozen", "connections", "read-only", "program"] as const
type Fault = (typeof FAULTS)[number]

class Scene {
  private readonly folder: string
  private readonly short: boolean
  private readonly seed = Number(process.env["SIGNALBOX_SEED"] ?? Math.floor(Math.random() * 2 ** 31))
  private readonly dice = new SeededRandom(this.seed)
  private readonly back = new Tally()
  private slowest = 0

  constructor(folder: string, short: boolean) {
    this.folder = folder
    this.short = short
  }

  async play(count: number): Promise<ReadonlyArray<Row>> {
    let server = await start({ durable: true })
    // Limits and read-only modes do not hold for an administrator.
    await administrate(server, "CREATE ROLE app LOGIN PASSWORD 'app'")
    await administrate(server, `CREATE DATABASE ${NAME} OWNER app`)
    const lives = new Lives(this.folder, `postgres://app:app@127.0.0.1:${server.port}/${NAME}`)
    const keys = await settle(lives)
    const weather = new Storm(this.dice, keys, true)
    const callers = weather.rage(CALLERS)
    let life = lives.begin()
    await this.listening(life, weather)
    const counts = new Map<Fault, number>()
    for (let index = 0; index < count; index++) {
      // Each once, and then at random.
      const fault = FAULTS[index] ?? this.dice.pick(FAULTS)
      counts.set(fault, (counts.get(fault) ?? 0) + 1)
      await answered(weather, this.dice.between(20, this.short ? ANSWERS / 3 : ANSWERS))
      if (fault === "program") {
        weather.base = undefined
        await lives.kill(life)
        life = lives.begin()
        await this.listening(life, weather)
      } else {
        server = await this.strike(server, fault)
        await this.recovered(weather, fault)
      }
      if (life.child.exitCode !== null) break
    }
    weather.end()
    await callers
    const tally = await this.judged(await life.listening, server, weather)
    const faults = [...counts].map(([fault, count]) => `${count} ${fault}`).join(", ")
    return [
      tally.row(
        "postgres: no alert lost, none twice, books balance",
        `${weather.answers} answers, ${weather.postponed} times 503; ${faults}; seed ${this.seed}`
      ),
      this.back.row(
        "postgres: alerts are answered again once it is back",
        `${this.slowest.toFixed(0)} ms (under ${BACK_MS} ms)`
      )
    ]
  }

  private async listening(life: Life, weather: Storm): Promise<void> {
    const served = await life.listening
    await served.ready(life.began)
    weather.base = served.url("")
  }

  /** Lets one fault come and go. */
  private async strike(server: Server, fault: Exclude<Fault, "program">): Promise<Server> {
    const pause = () => Bun.sleep(this.short ? AWAY_MS.short : this.dice.between(0, AWAY_MS.long))
    switch (fault) {
      case "back ends":
        await terminate(server)
        return server
      case "immediate":
        await stop(server)
        return startAgain(server)
      case "away":
        await stop(server)
        await pause()
        return startAgain(server)
      case "frozen":
        for (const pid of processes(server)) process.kill(pid, "SIGSTOP")
        await pause()
        for (const pid of processes(server)) process.kill(pid, "SIGCONT")
        return server
      case "connections":
        await administrate(server, `ALTER DATABASE ${NAME} CONNECTION LIMIT 0`)
        await terminate(server)
        await pause()
        await administrate(server, `ALTER DATABASE ${NAME} CONNECTION LIMIT -1`)
        return server
      case "read-only":
        await administrate(server, `ALTER DATABASE ${NAME} SET default_transaction_read_only = on`)
        await terminate(server)
        await pause()
        await administrate(server, `ALTER DATABASE ${NAME} RESET default_transaction_read_only`)
        await terminate(server)
        return server
    }
  }

  /** Waits for the next answers, and notes how long that took since Postgres was back. */
  private async recovered(weather: Storm, fault: Fault): Promise<void> {
    const [began, before] = [performance.now(), weather.answers]
    while (weather.answers === before && performance.now() - began < 20 * BACK_MS) await Bun.sleep(5)
    const took = performance.now() - began
    this.slowest = Math.max(this.slowest, took)
    this.back.within(took, BACK_MS, () => `after ${fault}: ${took.toFixed(0)} ms`)
  }

  private async judged(served: Served, server: Server, weather: Storm): Promise<Tally> {
    const tally = new Tally()
    const client = new Client({ connectionString: Redacted.value(urlOf(server, NAME)) })
    await client.connect()
    const count = async (sql: string) => Number((await client.query(sql)).rows[0]?.n ?? -1)
    const deadline = performance.now() + SETTLE_MS
    while ((await count(BEHIND)) > 0 && performance.now() < deadline) await Bun.sleep(50)
    const behind = await count(BEHIND)
    tally.check(behind === 0, () => `${behind} alerts are without an outcome a minute after the storm`)
    const code = await served.stop("SIGTERM")
    tally.check(code === 0, () => `after SIGTERM it exits with ${code}: ${served.printed.slice(-500)}`)
    const { rows } = await client.query(ALERTS)
    await client.end()
    const numbers = rows.map((row) => ({ ...row, id: Number(row.id), signal: Number(row.signal) }))
    const stored = Schema.decodeUnknownSync(Schema.Array(AlertRow))(
      numbers.map((row) => ({ ...row, repeats: Number(row.repeats), token: Number(row.token) }))
    )
    const byMark = Map.groupBy(stored, ({ mark }) => mark)
    for (const sent of weather.sent) {
      const flaws = flawsOf(sent, byMark.get(sent.mark) ?? [])
      tally.check(flaws.length === 0, () => flaws.join("; "))
    }
    tally.check(weather.refused.length === 0, () => [...new Set(weather.refused)].join("; "))
    const verified = await command(["verify", "--db", `postgres://app:app@127.0.0.1:${server.port}/${NAME}`])
    tally.check(verified.exitCode === 0, () => `verify: ${verified.stdout.slice(0, 300)}${verified.stderr}`)
    tally.check(!served.printed.includes("app:app"), () => "the log holds the password")
    return tally
  }
}

const BEHIND = `SELECT (SELECT count(*) FROM waiting)
  + (SELECT count(*) FROM alerts JOIN strategies ON strategies.signal_id = alerts.signal_id
    LEFT JOIN outcomes ON outcomes.alert_id = alerts.id AND outcomes.strategy_id = strategies.id
    WHERE outcomes.alert_id IS NULL) AS n`

/** Ends all connections of the program. */
const terminate = (server: Server) =>
  administrate(
    server,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${NAME}' AND usename = 'app'`
  )

/** The processes of a server. */
const processes = ({ pid }: Server): ReadonlyArray<number> => [
  pid,
  ...Bun.spawnSync(["ps", "-o", "pid=", "--ppid", `${pid}`])
    .stdout.toString()
    .split("\n")
    .map(Number)
    .filter((it) => it > 0)
]
