// Alerts, prices and readers for a given time: memory and the time of an alert stay flat.
import { readFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import * as Candles from "./Candles.ts"
import { Connection, request } from "./Connection.ts"
import { quantile, type Sample, slope } from "./Figures.ts"
import { Owner } from "./Owner.ts"
import { inFolder, Served, token } from "./Program.ts"
import { Rows } from "./Rows.ts"
import type { Row, Suite } from "./suite.ts"

const ALERTS_PER_SECOND = 30
const BOTS = 1000
/** The load: 30 alerts and 300 outcomes a second, with ten followers for each signal. */
const FOLLOWERS = 10
/** The limit on a disk that takes no time: an alert waits for its own commit and for one under way. */
const P99_MS = 50
const COMMITS = 4
const MB_PER_MINUTE = 1
const SAMPLE_MS = 1000
/** The warm-up, in which caches fill: a share of the time, and a minimum. */
const WARM_UP_SHARE = 0.3
const WARM_UP_MS = 5000

const suite: Suite = ({ short }) => {
  const minutes = Number(process.env["SIGNALBOX_SOAK_MINUTES"] ?? (short ? 0.3 : 10))
  return inFolder((folder) => soak(folder, minutes * 60_000, short))
}
export default suite

const soak = async (folder: string, millis: number, short: boolean): Promise<ReadonlyArray<Row>> => {
  const db = join(folder, "signalbox.db")
  const key = await token(db, "soak", "alerts")
  const full = await token(db, "soak", "full")
  const candles = Candles.write(join(folder, "candles"), {
    from: Date.UTC(2024, 0, 1),
    every: 1000,
    count: Math.ceil(millis / 1000) + 120,
    calm: 10
  })
  const replay = ["--prices", `replay:${candles}`, "--replay-speed", "1"]
  const server = await Served.start(db, [...replay, "--alert-rate", "0", "--crud-rate", "0"])
  const signals = await settle(new Owner(server, full))
  const dice = new SeededRandom(1)
  const end = performance.now() + millis
  const warm = Math.min(millis / 2, Math.max(WARM_UP_MS, millis * WARM_UP_SHARE))
  const latencies: Array<number> = []
  const wrong: Array<string> = []
  const [memory, syncs] = await Promise.all([
    watch(server, end, end - millis + warm),
    disk(join(folder, "fsync"), end),
    send(server, key, { dice, signals, end, latencies, wrong }),
    ...READS.map((path) => read(server, full, path, end, wrong))
  ])
  const exit = await server.stop("SIGTERM")
  const rows = new Rows(db)
  const trades = rows.count("SELECT count(*) FROM trades")
  rows.close()
  const p99 = quantile(latencies, 0.99)
  const sync = quantile(syncs, 0.99)
  const limit = P99_MS + COMMITS * sync
  const rise = slope(memory)
  const [first, last] = [memory[0]?.value ?? 0, memory.at(-1)?.value ?? 0]
  const scale = `${(millis / 60_000).toFixed(1)} min, ${BOTS} bots, ${trades} trades`
  return [
    {
      test: `soak: p99 of ${ALERTS_PER_SECOND} alerts/s`,
      trials: latencies.length,
      failures: wrong.length + (p99 > limit ? 1 : 0) + (exit === 0 ? 0 : 1),
      late: p99 > limit && wrong.length === 0 && exit === 0,
      worst:
        `p50 ${quantile(latencies, 0.5).toFixed(1)}, p99 ${p99.toFixed(1)} ms (under ${P99_MS} ms and ${COMMITS} times ` +
        `the p99 of fdatasync meanwhile, ${sync.toFixed(1)} ms); ${scale}`,
      details: wrong.slice(0, 5)
    },
    {
      test: "soak: memory",
      trials: memory.length,
      failures: !short && rise >= MB_PER_MINUTE ? 1 : 0,
      worst:
        `${rise.toFixed(2)} MB/min after ${(warm / 60_000).toFixed(1)} min` +
        ` (${short ? "not judged in so short a time" : `under ${MB_PER_MINUTE}`}); ` +
        `resident ${first.toFixed(0)} MB, then ${last.toFixed(0)} MB`,
      details: short ? [] : [`resident MB by the minute: ${byTheMinute(memory).join(" ")}`]
    }
  ]
}

/** Creates signals, each with its share of the bots. */
const settle = async (owner: Owner): Promise<ReadonlyArray<number>> => {
  const signals = await Promise.all(
    Array.from({ length: BOTS / FOLLOWERS }, (_, index) => owner.signal(`soak ${index}`))
  )
  const pairs = ["BTC/USDT", "ETH/USDT", "SOL/USDT"]
  for (const signal of signals) {
    await Promise.all(
      Array.from({ length: FOLLOWERS }, (_, index) =>
        owner.strategy(signal, pairs, {
          buy_percentage: 5,
          sell_minprofitpercent: 0.2 + 0.1 * index,
          stop_loss: true,
          stop_loss_percentage: 1 + 0.2 * index
        })
      )
    )
  }
  return signals
}

interface Sending {
  readonly dice: SeededRandom
  readonly signals: ReadonlyArray<number>
  readonly end: number
  readonly latencies: Array<number>
  readonly wrong: Array<string>
}

/** Sends alerts at fixed times without waiting for answers, so that a slow server gets as many. */
const send = async (server: Served, key: string, sending: Sending): Promise<void> => {
  const { end, latencies, dice, signals, wrong } = sending
  const idle: Array<Resting> = []
  const one = async () => {
    const body = JSON.stringify({
      signal_id: dice.pick(signals),
      coin: dice.pick(["BTC", "ETH", "SOL"]),
      quote_currency: "USDT",
      type: dice.pick(["buy", "sell"])
    })
    const wire = await rested(idle, server.port)
    const sent = performance.now()
    const { status } = await wire.send(request("POST", `/v1/signals/charting?key=${key}`, {}, body))
    latencies.push(performance.now() - sent)
    if (status !== 200) wrong.push(`an alert was answered ${status}`)
    idle.push({ wire, since: performance.now() })
  }
  const underWay = new Set<Promise<void>>()
  for (let next = performance.now(); next < end; next += 1000 / ALERTS_PER_SECOND) {
    await Bun.sleep(Math.max(0, next - performance.now()))
    const done = one()
      .catch((error: unknown) => void wrong.push(String(error)))
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }
  await Promise.all(underWay)
  for (const { wire } of idle) wire.close()
}

/** A connection between two requests. */
interface Resting {
  readonly wire: Connection
  readonly since: number
}

/** A caller closes an idle connection before the server does after 10 s. */
const rested = async (idle: Array<Resting>, port: number): Promise<Connection> => {
  const last = idle.pop()
  if (last !== undefined && performance.now() - last.since < 5000 && !last.wire.isOver) return last.wire
  last?.wire.close()
  return Connection.open(port)
}

const READS = ["/v1/strategies?limit=20", "/v1/alerts?limit=50", "/v1/strategies/1/timeline", "/readyz"]

const read = async (server: Served, token: string, path: string, end: number, wrong: Array<string>) => {
  while (performance.now() < end) {
    const response = await server.fetch(path, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    if (response.status !== 200) wrong.push(`${path} was answered ${response.status}`)
    await Bun.sleep(500)
  }
}

/** Resident megabytes by the minute after the warm-up. */
const watch = async (server: Served, end: number, from: number): Promise<ReadonlyArray<Sample>> => {
  const samples: Array<Sample> = []
  while (performance.now() < end) {
    const now = performance.now()
    if (now >= from) samples.push({ at: now / 60_000, value: resident(server.child.pid) })
    await Bun.sleep(SAMPLE_MS)
  }
  return samples
}

/** The disk's time for a page meanwhile (ms). */
const disk = async (path: string, end: number): Promise<ReadonlyArray<number>> => {
  const file = await open(path, "w")
  const page = Buffer.alloc(4096, 1)
  const times: Array<number> = []
  while (performance.now() < end) {
    await file.write(page, 0, page.length, 0)
    const began = performance.now()
    await file.datasync()
    times.push(performance.now() - began)
    await Bun.sleep(200)
  }
  await file.close()
  return times
}

const byTheMinute = (memory: ReadonlyArray<Sample>): ReadonlyArray<string> =>
  [...Map.groupBy(memory, ({ at }) => Math.floor(at - (memory[0]?.at ?? 0))).values()].map((samples) =>
    quantile(
      samples.map(({ value }) => value),
      0.5
    ).toFixed(0)
  )

const resident = (pid: number): number => {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) / 1024
}
