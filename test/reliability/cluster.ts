// Several servers over one database, of which some are killed, frozen beyond their lease and stopped in order, at random,
// under alerts at all of them; then everything is compared.
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { administrate, isInstalled } from "../lib/postgres/Database.ts"
import { type Server, start, startAgain, stop } from "../lib/postgres/Server.ts"
import * as Books from "./Books.ts"
import { Nodes } from "./cluster/Nodes.ts"
import { ALERTS, AlertRow, flawsOf, settle } from "./kill.ts"
import { Lives } from "./Lives.ts"
import { command, inFolder } from "./Program.ts"
import { change, isAtRest, Rows } from "./Rows.ts"
import { Storm } from "./Storm.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"

const NODES = 3
const CALLERS = 12
/** How soon other nodes run what a lost node ran, and one that was told to stop (ms). */
const LOST_MS = 15_000
const STOPPED_MS = 3000
/** How long a node is frozen: beyond its lease. */
const FROZEN_MS = 13_000
/** How soon all is shared out after a start (ms), and how long everything may take to be judged at the end. */
const START_MS = 30_000
const SETTLE_MS = 90_000
const EVENTS = 24

const suite: Suite = ({ kills = EVENTS, short }) =>
  isInstalled
    ? inFolder((folder) => new Scene(folder).play(short ? SHORT : undefined, kills))
    : Promise.resolve([
        {
          test: "cluster: left out, because Postgres is not installed here",
          ...{ trials: 0, failures: 0, worst: "apt-get install postgresql", details: [] }
        }
      ])
export default suite

type Event = "kill" | "freeze" | "stop" | "connections" | "restart"
const ALL: ReadonlyArray<Event> = ["kill", "freeze", "stop", "connections", "restart"]
/** What CI has time for. */
const SHORT: ReadonlyArray<Event> = ["stop", "kill", "connections", "freeze"]

class Scene {
  private readonly folder: string
  private readonly seed = Number(process.env["SIGNALBOX_SEED"] ?? Math.floor(Math.random() * 2 ** 31))
  private readonly dice = new SeededRandom(this.seed)
  private readonly takeovers = new Tally()
  private readonly stops = new Tally()
  private readonly slowest = { lost: 0, stopped: 0 }

  constructor(folder: string) {
    this.folder = folder
  }

  async play(events: ReadonlyArray<Event> | undefined, count: number): Promise<ReadonlyArray<Row>> {
    const server = await start({ durable: true, connections: 120 })
    await administrate(server, "CREATE DATABASE cluster")
    const url = `postgres://signalbox@127.0.0.1:${server.port}/cluster`
    const ports = Array.from({ length: NODES }, () => 20_000 + this.dice.below(12_000))
    const nodes = new Nodes(this.folder, url, ports)
    try {
      return await this.storm(nodes, url, server, events ?? this.drawn(count))
    } finally {
      await nodes.end()
      await stop(server)
    }
  }

  /** Each once, and then at random. */
  private drawn(count: number): ReadonlyArray<Event> {
    return Array.from({ length: count }, (_, index) => ALL[index] ?? this.dice.pick(ALL))
  }

  private async storm(
    nodes: Nodes,
    url: string,
    server: Server,
    events: ReadonlyArray<Event>
  ): Promise<ReadonlyArray<Row>> {
    const keys = await settle(new Lives(this.folder, url))
    for (let number = 0; number < NODES; number++) await nodes.start(number)
    await this.shared(nodes, url, START_MS)
    const weather = new Storm(this.dice, keys, true)
    const callers = weather.rage(CALLERS)
    weather.bases = nodes.but().map(({ base }) => base)
    for (const event of events) {
      await Bun.sleep(this.dice.between(500, 2000))
      await this.strike(event, { nodes, url, server, weather })
    }
    weather.end()
    await callers
    const tally = await this.judged(nodes, url, weather)
    return [
      tally.row(
        "cluster: no alert lost, none twice, books balance",
        `${weather.answers} answers of ${NODES} nodes, ${weather.postponed} times 503; ${events.join(", ")}; seed ${this.seed}`
      ),
      this.takeovers.row(
        "cluster: lost nodes are replaced",
        `after ${this.slowest.lost.toFixed(0)} ms (under ${LOST_MS} ms)`
      ),
      this.stops.row(
        "cluster: nodes that stop in order are replaced",
        `after ${this.slowest.stopped.toFixed(0)} ms (under ${STOPPED_MS} ms)`
      )
    ]
  }

  private async strike(
    event: Event,
    { nodes, server, url, weather }: { nodes: Nodes; server: Server; url: string; weather: Storm }
  ): Promise<void> {
    const number = this.dice.below(NODES)
    const node = nodes.all.get(number)
    if (node === undefined) return
    const others = nodes.but(number)
    const { child } = node.served
    const everybody = () => {
      weather.bases = nodes.but().map(({ base }) => base)
    }
    switch (event) {
      case "kill":
        child.kill("SIGKILL")
        await child.exited
        nodes.all.delete(number)
        everybody()
        await this.replaced(nodes, url)
        await nodes.start(number)
        break
      case "freeze":
        child.kill("SIGSTOP")
        weather.bases = others.map(({ base }) => base)
        nodes.all.delete(number)
        await Promise.all([Bun.sleep(FROZEN_MS), this.replaced(nodes, url)])
        child.kill("SIGCONT")
        nodes.all.set(number, node)
        break
      case "stop": {
        // A load balancer is told before.
        weather.bases = others.map(({ base }) => base)
        await Bun.sleep(200)
        nodes.all.delete(number)
        const code = node.served.stop("SIGTERM")
        await this.handedOver(nodes, url)
        this.stops.check((await code) === 0, () => `it ended with ${child.exitCode}: ${node.served.printed}`)
        await nodes.start(number)
        break
      }
      case "connections":
        change(
          url,
          `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = 'cluster' AND pid <> pg_backend_pid() AND random() < 0.5`
        )
        break
      case "restart":
        await stop(server)
        await Bun.sleep(this.dice.between(0, 2000))
        await startAgain(server)
        break
    }
    everybody()
    await this.shared(nodes, url, START_MS)
  }

  /** How long it takes until the nodes that run have all partitions (ms). */
  private async shared(nodes: Nodes, url: string, patience: number): Promise<number> {
    const addresses = nodes.but().map(({ address }) => `'${address}'`)
    const rows = new Rows(url)
    const began = performance.now()
    const isShared = () =>
      rows.count(`SELECT count(*) FROM partitions JOIN nodes ON nodes.node = partitions.owner
        WHERE lease > clock_timestamp() AND address IN (${addresses.join(", ")})`) === 256
    while (performance.now() - began < patience) {
      if (isShared()) break
      await Bun.sleep(50)
    }
    rows.close()
    return performance.now() - began
  }

  private async replaced(nodes: Nodes, url: string): Promise<void> {
    const took = await this.shared(nodes, url, 2 * LOST_MS)
    this.slowest.lost = Math.max(this.slowest.lost, took)
    this.takeovers.within(took, LOST_MS, () => `its bots were run again after ${took.toFixed(0)} ms`)
  }

  private async handedOver(nodes: Nodes, url: string): Promise<void> {
    const took = await this.shared(nodes, url, LOST_MS)
    this.slowest.stopped = Math.max(this.slowest.stopped, took)
    this.stops.within(took, STOPPED_MS, () => `its bots were run again after ${took.toFixed(0)} ms`)
  }

  private async judged(nodes: Nodes, url: string, weather: Storm): Promise<Tally> {
    const tally = new Tally()
    const rows = new Rows(url)
    const deadline = performance.now() + SETTLE_MS
    while (!isAtRest(rows) && performance.now() < deadline) await Bun.sleep(200)
    tally.check(isAtRest(rows), () => "alerts are without an outcome, or orders were not sent, at the end")
    const stored = rows.all(AlertRow, ALERTS)
    const byMark = Map.groupBy(stored, ({ mark }) => mark)
    for (const sent of weather.sent) {
      const flaws = flawsOf(sent, byMark.get(sent.mark) ?? [])
      tally.check(flaws.length === 0, () => flaws.join("; "))
    }
    tally.check(weather.refused.length === 0, () => [...new Set(weather.refused)].join("; "))
    const missing = rows.count(`SELECT count(*) FROM alerts
      JOIN strategies ON strategies.signal_id = alerts.signal_id
      LEFT JOIN outcomes ON outcomes.alert_id = alerts.id AND outcomes.strategy_id = strategies.id
      WHERE outcomes.alert_id IS NULL`)
    tally.check(missing === 0, () => `${missing} outcomes of followers are missing`)
    for (const [number, { served }] of nodes.all) {
      const code = await served.stop("SIGTERM")
      tally.check(code === 0, () => `node ${number} ends with ${code}: ${served.printed.slice(-500)}`)
    }
    for (const flaw of Books.audit(rows).flaws) tally.check(false, () => flaw)
    rows.close()
    const verified = await command(["verify", "--db", url])
    tally.check(verified.exitCode === 0, () => `verify: ${verified.stdout.slice(0, 500)}${verified.stderr}`)
    return tally
  }
}
