// Alerts a second through the webhook of the compiled program, each on disk before its answer.
import { Database } from "bun:sqlite"
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Line } from "./line.ts"
import * as Load from "./load.ts"
import { createSignal, isBuilt, serve, start, token } from "./served.ts"

const CONNECTIONS = 64
const SECONDS = 3
const ROUNDS = 3
const FLOOR = 0.35
const GOAL = 0.7
const P99_MS = 10
const TMPFS = 0x01021994

export default async (): Promise<ReadonlyArray<Line>> => {
  if (!isBuilt()) throw new Error("dist/signalbox is missing: bun run build")
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
  try {
    if (statfsSync(folder).type === TMPFS) {
      throw new Error(`${folder} is in memory: name a folder on a disk in SIGNALBOX_BENCH_DIR`)
    }
    return await measure(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const measure = async (folder: string): Promise<ReadonlyArray<Line>> => {
  const fsyncMs = medianFsync(join(folder, "fsync"))
  const db = join(folder, "signalbox.db")
  const key = await token(["--db", db], "alerts")
  const full = await token(["--db", db], "full")
  const bare = await start([process.execPath, join(import.meta.dir, "bare.ts")], (line) => Number(line))
  const ours = await serve(["--db", db])
  try {
    const signal = await createSignal(ours.port, full)
    const body = JSON.stringify({ signal_id: signal, coin: "BTC", quote_currency: "USDT", type: "buy" })
    const headers = { "content-type": "application/json" }
    const request = Load.request(`/v1/signals/charting?key=${key}`, headers, body)
    const alone = { port: bare.port, request }
    const target = { port: ours.port, request }
    await Load.run(alone, CONNECTIONS, 0.5)
    const warm = await Load.run(target, CONNECTIONS, 1)
    const rounds: Array<{ bare: Load.Load; ours: Load.Load }> = []
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({
        bare: await Load.run(alone, CONNECTIONS, SECONDS),
        ours: await Load.run(target, CONNECTIONS, SECONDS)
      })
    }
    const answered = rounds.reduce((sum, { ours }) => sum + ours.answered, warm.answered)
    return [verdict(rounds, fsyncMs, answered, stored(db), fileSystem(folder))]
  } finally {
    await Promise.all([bare.stop(), ours.stop()])
  }
}

type Rounds = ReadonlyArray<{ readonly bare: Load.Load; readonly ours: Load.Load }>

const verdict = (rounds: Rounds, fsyncMs: number, answered: number, onDisk: number, disk: string): Line => {
  const middle = [...rounds].sort((one, other) => ratioOf(one) - ratioOf(other))[
    Math.floor(rounds.length / 2)
  ]
  if (middle === undefined) throw new Error("no round was run")
  const { bare, ours } = middle
  const ratio = ratioOf(middle)
  const diskFloor = (0.8 * CONNECTIONS) / (fsyncMs / 1000)
  const fastEnough = ratio >= FLOOR || ours.perSecond >= diskFloor
  const lost = answered - onDisk
  return {
    name: "ingest",
    text:
      `${ours.perSecond.toFixed(0)} alerts/s, each on disk before its answer, ${ratio.toFixed(2)} of ` +
      `${bare.perSecond.toFixed(0)}/s of a bare Bun.serve (floor ${FLOOR}, goal ${GOAL}); ` +
      `p50 ${ours.p50Ms.toFixed(1)} ms, p99 ${ours.p99Ms.toFixed(1)} ms (at most ${P99_MS}); ${CONNECTIONS} connections; ` +
      `one fdatasync ${fsyncMs.toFixed(2)} ms on ${disk}, so a slow disk's floor would be ${diskFloor.toFixed(0)}/s; ` +
      `${answered} answered, ${onDisk} on disk`,
    ok: fastEnough && lost === 0 && ours.p99Ms <= P99_MS && ours.refused === 0,
    ratio
  }
}

const ratioOf = ({ bare, ours }: Rounds[number]): number => ours.perSecond / bare.perSecond

const medianFsync = (path: string): number => {
  const file = openSync(path, "w")
  const block = Buffer.alloc(4096, 1)
  const times = Array.from({ length: 200 }, () => {
    writeSync(file, block)
    const started = performance.now()
    fdatasyncSync(file)
    return performance.now() - started
  })
  closeSync(file)
  return times.sort((one, other) => one - other)[100] ?? 0
}

const fileSystem = (folder: string): string => {
  const { stdout } = Bun.spawnSync(["stat", "-f", "-c", "%T", folder])
  return stdout.toString().trim() || "an unknown file system"
}

const stored = (db: string): number => {
  const database = new Database(db, { readonly: true })
  const row: unknown = database.query("SELECT count(*) AS count FROM alerts").get()
  database.close()
  return typeof row === "object" && row !== null && "count" in row ? Number(row.count) : -1
}
