// One, two and three servers of a cluster on this machine: how much work an alert is for all of them and for Postgres, what
// memory partitions and bots take, and how soon an alert with 40,000 followers in all partitions is judged. Two cores cannot
// show how fast three machines are, but they show what each more costs.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { PARTITIONS } from "../../src/domain/Partition.ts"
import { administrate, isInstalled, urlOf } from "../lib/postgres/Database.ts"
import * as Postgres from "../lib/postgres/Server.ts"
import * as Processes from "./clusterProcesses.ts"
import { Rows } from "./clusterRows.ts"
import { type Line, NOT_INSTALLED } from "./line.ts"
import { createSignal, createStrategy, isBuilt, serve, token } from "./served.ts"

const NODES = [1, 2, 3] as const
/** Signals with one follower each, so that an alert concerns one bot of one server. */
const SIGNALS = 60
/** Alerts a second, from everybody to any server, and for how long (s). */
const PER_SECOND = 60
const SECONDS = 10
const WARM_SECONDS = 10
const REST_SECONDS = 5
/** The followers of one signal, and how soon all have judged an alert (ms), but for the first, which makes a row for each. */
const FOLLOWERS = 40_000
const MOST_MS = 5_000
const ALERTS = 6
/** How many alerts are judged before the work for a decision is counted. */
const FIRST_ALERTS = 3
/** The most that three servers may work for an alert, beside what one does. */
const MOST_WORK = 1.5
const PATIENCE_MS = 60_000

interface Place {
  readonly url: string
  readonly postgres: number
  readonly rows: Rows
  readonly keys: { readonly alerts: string; readonly signals: ReadonlyArray<number>; readonly wide: number }
}

export default async (): Promise<ReadonlyArray<Line>> => {
  if (!isBuilt()) throw new Error("dist/signalbox is missing: bun run build")
  if (!isInstalled) return [{ name: "cluster", text: NOT_INSTALLED, ok: true }]
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
  const server = await Postgres.start({ durable: true, connections: 120 })
  try {
    await administrate(server, "CREATE DATABASE bench")
    const url = Redacted.value(urlOf(server, "bench"))
    const rows = new Rows(url)
    const place = { url, postgres: server.pid, rows, keys: await people(url, rows) }
    const costs: Array<Cost> = []
    for (const count of NODES) costs.push(await among(place, folder, count, cost))
    await rows.follow([place.keys.wide], FOLLOWERS)
    const count = NODES.at(-1) ?? 1
    const alone = costs.at(-1)?.megabytes ?? 0
    const lines = [
      ...worked(costs),
      await among(place, folder, count, (place, nodes) => wide(place, nodes, alone))
    ]
    await rows.end()
    return lines
  } finally {
    await Postgres.stop(server)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes the sender with its signals by one server alone, and their followers. */
const people = async (url: string, rows: Rows): Promise<Place["keys"]> => {
  const where = ["--database", url]
  const [alerts, full] = [await token(where, "alerts"), await token(where, "full")]
  const { port, stop } = await serve(where)
  const signals: Array<number> = []
  for (let count = 0; count <= SIGNALS; count++) signals.push(await createSignal(port, full, true))
  const [wide = 0, ...others] = signals
  // The strategy that all others are copies of.
  await createStrategy(port, full, wide)
  await stop()
  await rows.people()
  await rows.follow(others, SIGNALS)
  return { alerts, signals: others, wide }
}

/** What so many servers did for an alert, at rest, and what memory they took. */
interface Cost {
  readonly nodes: number
  /** Of one processor for one alert (ms), by all servers and by Postgres. */
  readonly alert: { readonly nodes: number; readonly postgres: number }
  /** Of one processor in a second of rest (ms). */
  readonly rest: { readonly nodes: number; readonly postgres: number }
  readonly megabytes: number
}

const cost = async (place: Place, nodes: Nodes): Promise<Cost> => {
  const { keys, postgres, rows } = place
  const count = nodes.length
  const spent = () => ({
    nodes: nodes.reduce((sum, { pid }) => sum + Processes.spent(pid), 0),
    postgres: Processes.spent(postgres)
  })
  const during = async (work: () => Promise<unknown>) => {
    const before = spent()
    await work()
    const after = spent()
    return { nodes: after.nodes - before.nodes, postgres: after.postgres - before.postgres }
  }
  const judged = async (alerts: number) => {
    const before = await rows.outcomes()
    await send(nodes, keys, keys.signals, alerts)
    await until(async () => (await rows.outcomes()) >= before + alerts, "the alerts are judged")
  }
  await judged(PER_SECOND * WARM_SECONDS)
  await Bun.sleep(REST_SECONDS * 1000)
  const rested = await during(() => Bun.sleep(REST_SECONDS * 1000))
  const rest = { nodes: rested.nodes / REST_SECONDS, postgres: rested.postgres / REST_SECONDS }
  const alerts = PER_SECOND * SECONDS
  const from = performance.now()
  const worked = await during(() => judged(alerts))
  const seconds = (performance.now() - from) / 1000
  const megabytes = nodes.reduce((sum, { pid }) => sum + Processes.megabytes(pid), 0) / count
  return {
    nodes: count,
    alert: {
      nodes: (worked.nodes - rest.nodes * seconds) / alerts,
      postgres: (worked.postgres - rest.postgres * seconds) / alerts
    },
    rest,
    megabytes
  }
}

type Nodes = ReadonlyArray<Awaited<ReturnType<typeof serve>>>

/** Starts servers one after the other, until all partitions have one; they end with the work. */
const among = async <A>(
  place: Place,
  folder: string,
  count: number,
  work: (place: Place, nodes: Nodes) => Promise<A>
): Promise<A> => {
  const { rows, url } = place
  const nodes: Array<Nodes[number]> = []
  try {
    for (let number = 0; number < count; number++)
      nodes.push(
        await serve(["--database", url, "--cluster", "--node-port", "0"], {
          SIGNALBOX_MASTER_KEY: "5a".repeat(32),
          HOME: join(folder, `node-${number}`)
        })
      )
    await until(async () => (await rows.held(count)) === PARTITIONS, "every partition has a server")
    return await work(place, nodes)
  } finally {
    await Promise.all(nodes.map(({ stop }) => stop()))
  }
}

const until = async (is: () => Promise<boolean>, what: string): Promise<void> => {
  const from = performance.now()
  while (!(await is())) {
    if (performance.now() - from > PATIENCE_MS) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`)
    await Bun.sleep(50)
  }
}

/**
 * Sends alerts at a steady pace to the servers in turn. They sell what nobody holds, which each bot says at once, and needs
 * no price for.
 */
const send = async (
  nodes: Nodes,
  { alerts }: Place["keys"],
  signals: ReadonlyArray<number>,
  count: number
) => {
  const from = performance.now()
  const answers = []
  for (let number = 0; number < count; number++) {
    await Bun.sleep(Math.max(0, from + (number * 1000) / PER_SECOND - performance.now()))
    const node = nodes[number % nodes.length]
    const body = {
      ...{ signal_id: signals[number % signals.length], coin: "BTC", quote_currency: "USDT", type: "sell" },
      id: crypto.randomUUID()
    }
    answers.push(
      fetch(`http://127.0.0.1:${node?.port}/v1/signals/charting?key=${alerts}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body)
      }).then(async (response) => {
        const text = await response.text()
        if (response.status !== 200) throw new Error(`an alert was answered ${response.status}: ${text}`)
      })
    )
  }
  await Promise.all(answers)
}

const worked = (costs: ReadonlyArray<Cost>): ReadonlyArray<Line> => {
  const sum = ({ alert }: Cost) => alert.nodes + alert.postgres
  const [one, ...others] = costs
  const last = others.at(-1)
  if (one === undefined || last === undefined) return []
  const ratio = sum(last) / sum(one)
  const told = costs.map(
    ({ alert, megabytes, nodes, rest }) =>
      `${nodes}: ${alert.nodes.toFixed(2)} ms and Postgres ${alert.postgres.toFixed(2)} ms an alert, ` +
      `at rest ${(rest.nodes / 10).toFixed(1)} % and ${(rest.postgres / 10).toFixed(1)} % of a core, ${megabytes.toFixed(0)} MB each`
  )
  return [
    {
      name: "cluster",
      text: `work by number of servers: ${told.join("; ")}. ${last.nodes} do ${ratio.toFixed(2)} times the work of one (at most ${MOST_WORK})`,
      ok: ratio <= MOST_WORK
    }
  ]
}

/** An alert with followers in every partition. `alone` is the memory of each server without them (MB). */
const wide = async ({ keys, postgres, rows }: Place, nodes: Nodes, alone: number): Promise<Line> => {
  const count = nodes.length
  const megabytes = () => nodes.reduce((sum, { pid }) => sum + Processes.megabytes(pid), 0) / count
  const spent = () => [...nodes.map(({ pid }) => pid), postgres].map(Processes.spent)
  const times: Array<number> = []
  let [bytes, used] = [0, spent()]
  for (let round = 0; round < ALERTS; round++) {
    if (round === FIRST_ALERTS) [bytes, used] = [await rows.bytes(), spent()]
    const before = await rows.outcomes()
    const from = performance.now()
    await send(nodes, keys, [keys.wide], 1)
    await until(async () => (await rows.outcomes()) >= before + FOLLOWERS, "all followers have judged it")
    times.push(performance.now() - from)
  }
  const decisions = FOLLOWERS * (ALERTS - FIRST_ALERTS)
  const [ofPostgres = 0, ...ofNodes] = spent()
    .map((ms, index) => (ms - (used[index] ?? 0)) / decisions)
    .reverse()
  const work = ofNodes.reduce((sum, ms) => sum + ms, 0)
  const disk = ((await rows.bytes()) - bytes) / decisions
  const each = ((megabytes() - alone) * count * 1000) / FOLLOWERS
  const told = times.map((ms) => ms.toFixed(0)).join(", ")
  return {
    name: "cluster, one signal",
    text: `${FOLLOWERS} followers in ${PARTITIONS} partitions of ${count} servers have judged an alert after ${told} ms (at most ${MOST_MS} but for the first); a decision takes ${work.toFixed(3)} ms of a core and ${ofPostgres.toFixed(3)} of Postgres, and ${disk.toFixed(0)} bytes of its disk; ${each.toFixed(1)} KB a bot`,
    ok: Math.max(...times.slice(1)) <= MOST_MS
  }
}
