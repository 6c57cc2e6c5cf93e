// Several servers over one database, of which some are killed, frozen beyond their lease and stopped in order, and others
// join, at random, under alerts and requests at all of them; then everything is compared.
import * as Schema from "effect/Schema"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { administrate, isInstalled } from "../lib/postgres/Database.ts"
import { type Server, start, startAgain, stop } from "../lib/postgres/Server.ts"
import * as Books from "./Books.ts"
import { Askers } from "./cluster/Askers.ts"
import * as Cut from "./cluster/Cut.ts"
import * as Fence from "./cluster/Fence.ts"
import { type Node, Nodes } from "./cluster/Nodes.ts"
import * as Owners from "./cluster/Owners.ts"
import { Prices } from "./cluster/Prices.ts"
import { ALERTS, AlertRow, flawsOf, settle } from "./kill.ts"
import { Lives } from "./Lives.ts"
import { command, inFolder } from "./Program.ts"
import { change, leftNow, leftToDo, Rows } from "./Rows.ts"
import { Storm } from "./Storm.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"

const NODES = 3
const CALLERS = 6
/** Couples of accounts: enough that every node has bots that trade. */
const COUPLES = 5
/** How soon other nodes run what a lost node ran (ms). */
const LOST_MS = 15_000

/** How soon others run what a node ran that stops in order (ms), and how often people have 503 while one stops or joins. */
interface Bounds {
  readonly stoppedMs: number
  readonly postponed: number
}
/** What is promised, and what a short form on busy processors is content with: there it counts that nothing is lost. */
const PROMISED: Bounds = { stoppedMs: 3000, postponed: 0 }
const ROUGHLY: Bounds = { stoppedMs: LOST_MS, postponed: 12 }

/** How long a node is frozen: beyond its lease. */
const FROZEN_MS = 13_000
/** How soon all is shared out after a start (ms). */
const START_MS = 30_000
/**
 * The longest pause of a sender while nodes stop or join in order (ms), how long before, and how long it may take until people
 * are served well: on processors that are all taken, each request waits for its five seconds whoever answers it.
 */
const CALM = { pauseMs: 400, aheadMs: 2000, patienceMs: 30_000 }
/** How soon a node that is stopped ends while the database is away (ms): after its leases, and what it could not store. */
const ALONE_MS = 20_000
/** How soon a node would have noticed that its cluster is not there any more (ms). */
const NOTICED_MS = 3000
/** How long all connections between nodes are cut (ms): shorter than a person's request waits. */
const CUT_MS = 3000
/** How often all nodes are stopped, at most, until nothing is left. */
const LAST_STOPS = 3

/** When a storm is over: after so many events, or with so much time gone (ms) and so many alerts answered. */
interface Length {
  readonly events: number
  readonly ms: number
  readonly alerts: number
}
const MOST_EVENTS = 1000
const WHOLE: Length = { events: MOST_EVENTS, ms: 10 * 60_000, alerts: 100_000 }

const suite: Suite = ({ kills, older, short }) =>
  isInstalled
    ? inFolder((folder) =>
        new Scene(folder, short ? ROUGHLY : PROMISED, older).play(short ? SHORT : ALL, {
          ...WHOLE,
          ...(short ? { events: SHORT.length } : kills === undefined ? {} : { events: kills })
        })
      )
    : Promise.resolve([
        {
          test: "cluster: left out, because Postgres is not installed here",
          ...{ trials: 0, failures: 0, worst: "apt-get install postgresql", details: [] }
        }
      ])
export default suite

type Event = "kill" | "freeze" | "stop" | "join" | "connections" | "restart" | "cut" | "away"
/** In the sequence of their first times. */
const ALL: ReadonlyArray<Event> = ["kill", "freeze", "stop", "join", "connections", "restart", "cut", "away"]
/** What CI has time for. */
const SHORT: ReadonlyArray<Event> = ["join", "stop", "kill", "connections", "cut", "freeze"]

/** What happens to, and who asks meanwhile. */
interface World {
  readonly nodes: Nodes
  readonly url: string
  /** The database's server, another one after a restart. */
  server: Server
  /** Where the nodes listen for each other. */
  readonly ports: ReadonlyArray<number>
  readonly weather: Storm
  readonly askers: Askers
}

class Scene {
  private readonly folder: string
  private readonly seed = Number(process.env["SIGNALBOX_SEED"] ?? Math.floor(Math.random() * 2 ** 31))
  private readonly dice = new SeededRandom(this.seed)
  private readonly takeovers = new Tally()
  private readonly stops = new Tally()
  private readonly joins = new Tally()
  private readonly asked = new Tally()
  private readonly slowest = { lost: 0, stopped: 0, joined: 0 }
  /** How often people had 503 while a node stopped or joined in order. */
  private postponedInOrder = 0
  private readonly struck: Array<Event> = []
  private readonly bounds: Bounds
  private readonly older: string | undefined

  constructor(folder: string, bounds: Bounds, older: string | undefined) {
    this.folder = folder
    this.bounds = bounds
    this.older = older
  }

  async play(events: ReadonlyArray<Event>, length: Length): Promise<ReadonlyArray<Row>> {
    const server = await start({ durable: true, connections: 120 })
    await administrate(server, "CREATE DATABASE cluster")
    const url = `postgres://signalbox@127.0.0.1:${server.port}/cluster`
    const ports = Array.from({ length: NODES + 1 }, () => 20_000 + this.dice.below(12_000))
    const prices = await Prices.start(this.dice)
    const nodes = new Nodes(this.folder, { url, ports, exchanges: prices.urls, older: this.older })
    const possible = events.filter((event) => event !== "cut" || Cut.isPossible)
    const world = { nodes, url, server, ports }
    try {
      return await this.storm(world, possible, length)
    } finally {
      await nodes.end()
      await prices.stop()
      await stop(world.server)
    }
  }

  private async storm(
    place: Omit<World, "weather" | "askers">,
    events: ReadonlyArray<Event>,
    length: Length
  ): Promise<ReadonlyArray<Row>> {
    const { nodes, url } = place
    const keys = await settle(new Lives(this.folder, url), COUPLES)
    Fence.watch(url)
    await nodes.begin(NODES)
    await Owners.within(url, nodes.but(), START_MS)
    const weather = new Storm(this.dice, keys, true)
    const rows = new Rows(url)
    const askers = new Askers(rows, keys)
    rows.close()
    const callers = [weather.rage(CALLERS), askers.ask(), askers.ask()]
    // The same object as `place`: its server is another one after a restart, and whoever began it stops that.
    const world: World = Object.assign(place, { weather, askers })
    balance(world, nodes.but())
    const began = performance.now()
    const isOver = () =>
      this.struck.length >= length.events ||
      (performance.now() - began >= length.ms && weather.answers >= length.alerts)
    while (!isOver()) {
      await Bun.sleep(this.dice.between(500, 2000))
      // Each once, and then at random.
      const event = events[this.struck.length] ?? this.dice.pick(events)
      this.struck.push(event)
      await this.strike(event, world)
    }
    const minutes = ((performance.now() - began) / 60_000).toFixed(1)
    weather.end()
    askers.end()
    await Promise.all(callers)
    const tally = await this.judged(world)
    const refusals = nodes.ever.reduce((sum, { printed }) => sum + Fence.refusals(printed), 0)
    return [
      tally.row(
        "cluster: no alert lost, none twice, books balance",
        `${weather.answers} answers of ${NODES} nodes in ${minutes} min, ${weather.postponed} times 503; ${this.told(events)}; seed ${this.seed}`
      ),
      this.asked.row(
        "cluster: people are answered by any node",
        `${askers.answers} answers, ${askers.postponed} times 503, ${this.postponedInOrder} of them while a node stopped or joined in order (at most ${this.bounds.postponed} each)${askers.excuse}`
      ),
      this.takeovers.row(
        "cluster: lost nodes are replaced, and store nothing more",
        `after ${this.slowest.lost.toFixed(0)} ms (under ${LOST_MS} ms), ${refusals} times refused`
      ),
      this.stops.row(
        "cluster: nodes that stop in order are replaced",
        `after ${this.slowest.stopped.toFixed(0)} ms (under ${this.bounds.stoppedMs} ms)`
      ),
      this.joins.row(
        "cluster: nodes that join get a fair share",
        `after ${this.slowest.joined.toFixed(0)} ms`
      )
    ]
  }

  /** How often each event has happened, and what this machine could not do. */
  private told(events: ReadonlyArray<Event>): string {
    const counts = events.map((event) => {
      const count = this.struck.filter((one) => one === event).length
      return count === 1 ? event : `${count} times ${event}`
    })
    return [...counts, ...(Cut.isPossible ? [] : ["no cut, which takes root and ss"])].join(", ")
  }

  private async strike(event: Event, world: World): Promise<void> {
    const { askers, nodes, ports, url, weather } = world
    const { pauseMs } = weather
    const number = this.dice.below(NODES)
    const node = nodes.all.get(number)
    if (node === undefined) return
    const { child } = node.served
    switch (event) {
      case "kill":
        askers.excused.add(node.base)
        child.kill("SIGKILL")
        await child.exited
        nodes.all.delete(number)
        balance(world, nodes.but())
        await this.replaced(nodes, url)
        await nodes.start(number)
        break
      case "freeze":
        askers.excused.add(node.base)
        child.kill("SIGSTOP")
        balance(world, nodes.but(number))
        nodes.all.delete(number)
        await Promise.all([Bun.sleep(FROZEN_MS), this.replaced(nodes, url)])
        child.kill("SIGCONT")
        nodes.all.set(number, node)
        break
      case "stop":
        await calmed(world)
        await this.stopped(number, node, world)
        await nodes.start(number)
        break
      case "join": {
        await calmed(world)
        const before = askers.postponed
        await this.joined(await nodes.start(NODES), world)
        this.countPostponed(askers, before, "joined")
        const joiner = nodes.all.get(NODES)
        // While it still begins with its bots.
        if (joiner !== undefined) await this.stopped(NODES, joiner, world)
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
        await stop(world.server)
        await Bun.sleep(this.dice.between(0, 2000))
        world.server = await startAgain(world.server)
        break
      case "away":
        await this.withoutDatabase(number, node, world)
        break
      case "cut": {
        const before = await Owners.settled(url, START_MS)
        await Cut.during(ports, CUT_MS)
        const after = await Owners.all(url)
        this.takeovers.check(
          after === before,
          () => "partitions moved while the nodes could not reach each other"
        )
        break
      }
    }
    balance(world, nodes.but())
    await Owners.within(url, nodes.but(), START_MS)
    weather.pauseMs = pauseMs
  }

  /**
   * The database is away for longer than all leases. A node that is stopped meanwhile ends by itself, and one that starts as
   * soon as the database is back, before the others have renewed anything, ends none of them.
   */
  private async withoutDatabase(number: number, node: Node, world: World): Promise<void> {
    const { askers, nodes, url } = world
    askers.excused.add(node.base)
    nodes.all.delete(number)
    balance(world, nodes.but())
    await stop(world.server)
    const began = performance.now()
    const left = node.served.stop("SIGTERM").then((code) => ({ code, ms: performance.now() - began }))
    const [{ code, ms }] = await Promise.all([left, Bun.sleep(FROZEN_MS), killedAfter(ALONE_MS, node)])
    this.stops.check(
      code === 0 && ms < ALONE_MS,
      () => `without a database it ended with ${code} after ${ms} ms: ${node.served.printed.slice(-350)}`
    )
    const others = nodes.but().map(({ served }) => served.child)
    for (const child of others) child.kill("SIGSTOP")
    world.server = await startAgain(world.server)
    await nodes.start(number)
    for (const child of others) child.kill("SIGCONT")
    await Owners.within(url, nodes.but(), START_MS)
    await Bun.sleep(NOTICED_MS)
    for (const [other, { served }] of nodes.all)
      this.takeovers.check(
        served.child.exitCode === null,
        () => `node ${other} ended with ${served.child.exitCode}: ${served.printed.slice(-350)}`
      )
  }

  /** A new node is asked as soon as it listens. */
  private async joined(node: Node, world: World): Promise<void> {
    const { nodes, url } = world
    balance(world, nodes.but())
    const fair = Math.floor((0.75 * 256) / nodes.all.size)
    const took = await Owners.within(url, [node], START_MS, fair)
    this.slowest.joined = Math.max(this.slowest.joined, took)
    this.joins.within(took, START_MS, () => `it has not ${fair} partitions after ${took.toFixed(0)} ms`)
  }

  /** The balancer leaves a node out once it says that it is not ready. */
  private async stopped(number: number, node: Node, world: World): Promise<void> {
    const { askers, nodes, url } = world
    const before = askers.postponed
    nodes.all.delete(number)
    const code = node.served.stop("SIGTERM")
    const balanced = unready(node).then(() => balance(world, nodes.but()))
    const took = await Owners.within(url, nodes.but(), LOST_MS)
    this.slowest.stopped = Math.max(this.slowest.stopped, took)
    this.stops.within(
      took,
      this.bounds.stoppedMs,
      () => `its bots were run again after ${took.toFixed(0)} ms, ${this.lately()}`
    )
    await balanced
    const isWell = (await code) === 0
    // A row has room for the end alone.
    if (!isWell) console.error(node.served.printed)
    this.stops.check(
      isWell,
      () => `it ended with ${node.served.child.exitCode}: ${node.served.printed.slice(-350)}`
    )
    this.countPostponed(askers, before, "stopped in order")
  }

  /** What happened before the present event. */
  private lately(): string {
    return `event ${this.struck.length}, after ${this.struck.slice(-4, -1).join(", ")}`
  }

  /** Counts the requests with 503 since there were `before` of them. */
  private countPostponed({ excuse, postponed }: Askers, before: number, what: string): void {
    this.postponedInOrder += postponed - before
    this.asked.within(
      postponed - before,
      this.bounds.postponed,
      () => `${postponed - before} requests had 503 while a node ${what}, ${this.lately()}${excuse}`
    )
  }

  private async replaced(nodes: Nodes, url: string): Promise<void> {
    const took = await Owners.within(url, nodes.but(), 2 * LOST_MS)
    this.slowest.lost = Math.max(this.slowest.lost, took)
    this.takeovers.within(took, LOST_MS, () => `its bots were run again after ${took.toFixed(0)} ms`)
  }

  private async judged({ askers, nodes, url, weather }: World): Promise<Tally> {
    const tally = new Tally()
    const rows = new Rows(url)
    const left = await leftToDo(rows)
    tally.check(left === "", () => `at the end ${left}${heldBy(rows)}`)
    const stored = rows.all(AlertRow, ALERTS)
    const byMark = Map.groupBy(stored, ({ mark }) => mark)
    for (const sent of weather.sent) {
      const flaws = flawsOf(sent, byMark.get(sent.mark) ?? [])
      tally.check(flaws.length === 0, () => flaws.join("; "))
    }
    this.asked.check(askers.refused.length === 0, () => [...new Set(askers.refused)].join("; "))
    for (const line of loggedOf(askers.refused, nodes)) console.error(line)
    const traded = rows.count("SELECT count(*) FROM orders WHERE status = 'filled'")
    tally.check(traded > 0, () => "nothing was traded")
    tally.check(weather.refused.length === 0, () => [...new Set(weather.refused)].join("; "))
    const missing = rows.count(`SELECT count(*) FROM alerts
      JOIN strategies ON strategies.signal_id = alerts.signal_id
      LEFT JOIN outcomes ON outcomes.alert_id = alerts.id AND outcomes.strategy_id = strategies.id
      WHERE outcomes.alert_id IS NULL`)
    tally.check(missing === 0, () => `${missing} outcomes of followers are missing`)
    await this.ended(nodes, rows, tally)
    const strangers = Fence.strangers(url, rows)
    this.takeovers.check(strangers === 0, () => `${strangers} commits came from nodes that were no owners`)
    for (const flaw of Books.audit(rows).flaws) tally.check(false, () => flaw)
    rows.close()
    const verified = await command(["verify", "--db", url])
    tally.check(verified.exitCode === 0, () => `verify: ${verified.stdout.slice(0, 500)}${verified.stderr}`)
    return tally
  }

  /**
   * Stops all nodes in order, until nothing is left: prices go on until the stop, and an order that was decided just
   * before it is sent by the next node.
   */
  private async ended(nodes: Nodes, rows: Rows, tally: Tally): Promise<void> {
    let left = ""
    for (let time = 0; time < LAST_STOPS; time++) {
      for (const [number, { served }] of nodes.all) {
        const code = await served.stop("SIGTERM")
        tally.check(code === 0, () => `node ${number} ends with ${code}: ${served.printed.slice(-500)}`)
      }
      nodes.all.clear()
      left = leftNow(rows)
      if (left === "") return
      await nodes.start(0)
      left = await leftToDo(rows)
    }
    tally.check(left === "", () => `after ${LAST_STOPS} orderly stops: ${left}`)
  }
}

const Held = Schema.Struct({
  owner: Schema.String,
  waiting: Schema.Int,
  strategies: Schema.Int,
  oldest: Schema.Int
})

/** Which nodes hold the alerts that wait. */
const heldBy = (rows: Rows): string =>
  rows
    .all(
      Held,
      `SELECT coalesce(partitions.owner, 'nobody') AS owner, count(*) AS waiting,
        count(DISTINCT strategy_id) AS strategies, min(alert_id) AS oldest
        FROM waiting JOIN strategies ON strategies.id = strategy_id JOIN partitions ON partitions.id = strategies.account % 256
        GROUP BY 1`
    )
    .map(
      ({ oldest, owner, strategies, waiting }) =>
        `; ${owner}: ${waiting} of ${strategies} bots, from ${oldest} on`
    )
    .join("")

/** Has everybody ask these nodes. */
const balance = ({ askers, weather }: World, nodes: ReadonlyArray<Node>): void => {
  weather.bases = nodes.map(({ base }) => base)
  askers.bases = weather.bases
}

/**
 * Slows the senders down, and waits until the servers have caught up and people are served well again, as an operator does who
 * stops or adds a server in order: what a kill has left behind is no fault of the stop.
 */
const calmed = async ({ askers, weather }: World): Promise<void> => {
  weather.pauseMs = CALM.pauseMs
  await Bun.sleep(CALM.aheadMs)
  await askers.areServedWell(CALM.patienceMs)
}

/** What the nodes have logged of requests that were refused: a row has no room for a cause. */
const loggedOf = (refused: ReadonlyArray<string>, nodes: Nodes): ReadonlyArray<string> => {
  const ids = refused.flatMap((text) => /"request_id":"([^"]+)"/.exec(text)?.[1] ?? [])
  const lines = nodes.ever.flatMap(({ printed }) => printed.split("\n"))
  return lines.filter((line) => ids.some((id) => line.includes(id)))
}

/** Kills a node that has not ended by then. */
const killedAfter = async (ms: number, { served: { child } }: Node): Promise<void> => {
  await Promise.race([child.exited, Bun.sleep(ms)])
  child.kill("SIGKILL")
}

/** Waits until a node is not ready, or does not answer. */
const unready = async ({ served }: Node): Promise<void> => {
  const isReady = () =>
    served.fetch("/readyz").then(
      ({ status }) => status === 200,
      () => false
    )
  while (await isReady()) await Bun.sleep(20)
}
