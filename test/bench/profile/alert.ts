// What an alert costs the server's thread, from the socket to the answer. The database is in memory where the system
// has a folder for that, so that nothing waits for a disk; the disk's own share of a commit is a line of its own.
import { closeSync, existsSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Server from "../../../src/Server.ts"
import { median } from "../compare.ts"
import { OPTIONS } from "../options.ts"
import { createSignal, token } from "../served.ts"
import type { Costs } from "./Costs.ts"
import { byTurns, type Rules, scaled } from "./Samples.ts"

const CONNECTIONS = 64
const SECONDS = 2
const TURNS = 4

const RULES: Rules = [
  ["digest: of a token or a body", /sha256|Sha256|Digest|RequestIds/],
  ["scrub: what must not be kept of a body", /internal\/Redaction/],
  [
    "parse: the body, its format and its fields",
    /domain\/alert\/|domain\/(?:Alert|Market|Signal)\.ts|request\/Body/
  ],
  [
    "identity: the caller, its scope and its rate",
    /Accounts\.ts|http\/access\/|RateLimits|Buckets|KeyWarning|Identity/
  ],
  ["sameness: repeats and idempotency keys", /services\/alerts\/|IdempotencyKey|JournalKeys|JournalTail/],
  ["insert: rows, statements and the queue of a commit", /src\/sqlite\/|src\/sql\/|bun:sqlite|SqliteClient/],
  [
    "answer: responses, headers and metrics",
    /LeanResponses|AlertResponses|edge\/Headers|RequestMetrics|src\/http\/(?:Problems|metrics)/
  ],
  ["accept: the listener, the address, the door", /src\/http\/|src\/sockets\/|src\/api\//],
  ["judging, after the answer", /src\/services\/|src\/trading\/|src\/domain\//],
  ["fibers of Effect", /node_modules\//]
]

export const alert = async (): Promise<Costs> => {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "signalbox-profile-"))
  try {
    return await Effect.runPromise(measured(join(folder, "signalbox.db")))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const MEMORY = "/dev/shm"

const measured = (db: string) =>
  Effect.gen(function* () {
    const { port } = yield* Server.Server
    return yield* Effect.promise(() => costsOf(db, port))
  }).pipe(
    Effect.provide(Layer.merge(Server.layer({ ...OPTIONS, db }), Layer.setTracerEnabled(false))),
    Effect.orDie
  )

const costsOf = async (db: string, port: number): Promise<Costs> => {
  const key = await token(["--db", db], "alerts")
  const signal = await createSignal(port, await token(["--db", db], "full"))
  const load = async (seconds: number): Promise<number> => {
    const words = [
      join(import.meta.dir, "sender.ts"),
      `${port}`,
      key,
      `${signal}`,
      `${CONNECTIONS}`,
      `${seconds}`
    ]
    const sender = Bun.spawn([process.execPath, ...words], { stdout: "pipe" })
    return Number(await new Response(sender.stdout).text())
  }
  await load(SECONDS)
  // The first profile compiles the functions anew.
  await byTurns(RULES, 1, () => () => load(SECONDS))
  const found = await byTurns(RULES, TURNS, () => () => load(SECONDS))
  return {
    name: "ingest",
    what:
      `one alert of ${CONNECTIONS} connections, processor time of the server's thread; ` +
      `a commit's wait for the disk, ${medianFsync().toFixed(2)} ms, is shared by all that it stores`,
    unit: "ns",
    ...scaled(found, 1e6)
  }
}

/** How long this machine's disk takes to keep a page (ms). */
const medianFsync = (): number => {
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
  const file = openSync(join(folder, "fsync"), "w")
  const block = Buffer.alloc(4096, 1)
  const times = Array.from({ length: 100 }, () => {
    writeSync(file, block)
    const started = performance.now()
    fdatasyncSync(file)
    return performance.now() - started
  })
  closeSync(file)
  rmSync(folder, { recursive: true, force: true })
  return median(times)
}
