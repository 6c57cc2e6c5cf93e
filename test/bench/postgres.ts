// The compiled program on a database of Postgres beside the same on a file, in the same run: alerts, reads, starts and
// memory. Outcomes are in `outcomes.ts`.
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { administrate, isInstalled, urlOf } from "../lib/postgres/Database.ts"
import * as Postgres from "../lib/postgres/Server.ts"
import { median } from "./compare.ts"
import { type Line, NOT_INSTALLED } from "./line.ts"
import * as Load from "./load.ts"
import { binary, createSignal, createStrategy, isBuilt, serve, token } from "./served.ts"

const CONNECTIONS = 64
const SECONDS = 2
const ROUNDS = 8
/** How long each is under load before it counts, while the runtime compiles what runs often. */
const WARM_SECONDS = 5
const STARTS = 7
/** Requests of a read, in sequence over one connection. */
const READS = 300
/** The least of SQLite's that is enough. */
const FLOORS = { ingest: 0.6, read: 0.5, summary: 0.5 }
/** How many times as long as on a file a start may take. */
const MOST_START = 2.5
/** What the memory at rest may be more than on a file (MB), and the size of the program (MiB). */
const MORE_MB = 60
const MOST_MIB = 160
/** How long a server rests before its memory is read (ms). */
const REST_MS = 3_000

/** One of the two: how the program is told of its database. */
type Where = ReadonlyArray<string>
interface Both<A> {
  readonly file: A
  readonly postgres: A
}

export default async (): Promise<ReadonlyArray<Line>> => {
  if (!isBuilt()) throw new Error("dist/signalbox is missing: bun run build")
  if (!isInstalled) return [{ name: "postgres", text: NOT_INSTALLED, ok: true }]
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
  try {
    const server = await Postgres.start({ durable: true })
    await administrate(server, "CREATE DATABASE bench")
    const address = Redacted.value(urlOf(server, "bench"))
    const both = { file: ["--db", join(folder, "signalbox.db")], postgres: ["--database", address] }
    return [...(await loaded(both)), ...(await atRest(both))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A server with a signal, and what is sent to it. */
const target = async (where: Where) => {
  const [key, full] = [await token(where, "alerts"), await token(where, "full")]
  const { port, stop } = await serve(where)
  const signal = await createSignal(port, full)
  const body = JSON.stringify({ signal_id: signal, coin: "BTC", quote_currency: "USDT", type: "buy" })
  const headers = { "content-type": "application/json" }
  const request = Load.request(`/v1/signals/charting?key=${key}`, headers, body)
  // It follows another signal: alerts without prices would be given up later, in the other server's turn.
  const strategy = await createStrategy(port, full, await createSignal(port, full))
  const readsOf = (path: string) => async () => {
    const from = performance.now()
    for (let count = 0; count < READS; count++)
      await (
        await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${full}` } })
      ).text()
    return (READS * 1000) / (performance.now() - from)
  }
  const load = (seconds: number) => Load.run({ port, request }, CONNECTIONS, seconds)
  return {
    load,
    reads: readsOf(`/v1/signals/${signal}`),
    summaries: readsOf(`/v1/strategies/${strategy}`),
    stop
  }
}

const loaded = async (both: Both<Where>): Promise<ReadonlyArray<Line>> => {
  const [file, postgres] = [await target(both.file), await target(both.postgres)]
  try {
    for (const it of [file, postgres]) {
      await it.load(WARM_SECONDS)
      await it.reads()
      await it.summaries()
    }
    const rates: Array<Both<number>> = []
    const reads: Array<Both<number>> = []
    const summaries: Array<Both<number>> = []
    let refused = 0
    for (let round = 0; round < ROUNDS; round++) {
      // Each goes first by turns: the work that alerts leave behind falls on the other one.
      const first = round % 2 === 0 ? await file.load(SECONDS) : undefined
      const there = await postgres.load(SECONDS)
      const here = first ?? (await file.load(SECONDS))
      refused += here.refused + there.refused
      rates.push({ file: here.perSecond, postgres: there.perSecond })
      reads.push({ file: await file.reads(), postgres: await postgres.reads() })
      summaries.push({ file: await file.summaries(), postgres: await postgres.summaries() })
    }
    return [
      beside(
        "ingest on Postgres",
        `alerts/s of ${CONNECTIONS} connections, ${refused} refused`,
        rates,
        FLOORS.ingest
      ),
      beside("reads on Postgres", "reads/s of a signal over one connection", reads, FLOORS.read),
      beside(
        "summary on Postgres",
        "reads/s of a strategy with its summary over one connection",
        summaries,
        FLOORS.summary
      )
    ].map((line) => (refused === 0 ? line : { ...line, ok: false }))
  } finally {
    await Promise.all([file.stop(), postgres.stop()])
  }
}

const beside = (name: string, what: string, rates: ReadonlyArray<Both<number>>, floor: number): Line => {
  const ratio = median(rates.map(({ file, postgres }) => postgres / file))
  const [here, there] = [median(rates.map((it) => it.file)), median(rates.map((it) => it.postgres))]
  return {
    name,
    text: `${there.toFixed(0)} ${what}, ${ratio.toFixed(2)} of ${here.toFixed(0)} on SQLite (floor ${floor})`,
    ok: ratio >= floor
  }
}

/** Starts on what the load has left, and the memory of a server that does nothing. */
const atRest = async (both: Both<Where>): Promise<ReadonlyArray<Line>> => {
  const times: Array<Both<number>> = []
  for (let count = 0; count < STARTS; count++)
    times.push({ file: await started(both.file), postgres: await started(both.postgres) })
  const [here, there] = [median(times.map((it) => it.file)), median(times.map((it) => it.postgres))]
  const ratio = median(times.map(({ file, postgres }) => postgres / file))
  const [file, postgres] = [await memory(both.file), await memory(both.postgres)]
  const size = statSync(binary).size / 2 ** 20
  return [
    {
      name: "start on Postgres",
      text: `${there.toFixed(0)} ms until it listens, ${ratio.toFixed(2)} of ${here.toFixed(0)} ms on SQLite (at most ${MOST_START})`,
      ok: ratio <= MOST_START
    },
    {
      name: "footprint",
      text: `${postgres.toFixed(0)} MB at rest on Postgres, ${file.toFixed(0)} MB on SQLite (at most ${MORE_MB} MB more); the program is ${size.toFixed(0)} MiB (at most ${MOST_MIB})`,
      ok: postgres - file <= MORE_MB && size <= MOST_MIB
    }
  ]
}

const started = async (where: Where): Promise<number> => {
  const from = performance.now()
  const { stop } = await serve(where)
  const took = performance.now() - from
  await stop()
  return took
}

const memory = async (where: Where): Promise<number> => {
  const { pid, stop } = await serve(where)
  await Bun.sleep(REST_MS)
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  await stop()
  return Number(kilobytes) / 1024
}
