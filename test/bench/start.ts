// The time from the call of the built program, without a database, to its first answer.
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { median } from "./compare.ts"
import type { Line } from "./line.ts"

const STARTS = 21
const GOAL_MS = 150
const PATIENCE_MS = 10_000
const binary = resolve(import.meta.dir, "../../dist/signalbox")

export default async (): Promise<ReadonlyArray<Line>> => {
  if (!existsSync(binary)) throw new Error("dist/signalbox is missing: bun run build")
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
  try {
    const bare = join(folder, "bare")
    compile(bare)
    const times: Array<{ readonly bare: number; readonly ours: number }> = []
    // The first run of each does not count, because it reads the files from disk.
    for (let round = 0; round <= STARTS; round++) {
      const db = join(folder, `${round}`, "signalbox.db")
      const both = {
        bare: await start((port) => [bare, `${port}`]),
        ours: await start((port) => [binary, "serve", "--port", `${port}`, "--db", db, "--prices", "none"])
      }
      if (round > 0) times.push(both)
    }
    return [verdict(times)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const verdict = (times: ReadonlyArray<{ readonly bare: number; readonly ours: number }>): Line => {
  const ours = times.map((it) => it.ours)
  const [middle, bare] = [median(ours), median(times.map((it) => it.bare))]
  return {
    name: "start",
    text: `${middle.toFixed(0)} ms to the first answer, on a new database, and ${Math.min(...ours).toFixed(0)} at best; a bare Bun.serve ${bare.toFixed(0)} ms (${(middle / bare).toFixed(1)}x); ${STARTS} starts each, goal ${GOAL_MS} ms`,
    ok: middle <= GOAL_MS,
    ratio: bare / middle
  }
}

/** Compiles the minimal server as the program is compiled. */
const compile = (outfile: string) => {
  const flags = ["--compile", "--minify", "--bytecode", "--format=esm"]
  const entry = join(import.meta.dir, "startBare.ts")
  const { stderr, success } = Bun.spawnSync([
    process.execPath,
    "build",
    ...flags,
    entry,
    "--outfile",
    outfile
  ])
  if (!success) throw new Error(stderr.toString())
}

/** Milliseconds from the call to the first 200. The program is killed once `settled` has ended. */
export const start = async (
  command: (port: number) => ReadonlyArray<string>,
  variables: Readonly<Record<string, string>> = {},
  settled: () => Promise<unknown> = async () => {}
): Promise<number> => {
  const port = freePort()
  const words = command(port)
  const from = performance.now()
  const child = Bun.spawn([...words], {
    env: { ...process.env, ...variables },
    stdio: ["ignore", "ignore", "ignore"]
  })
  try {
    while (!(await isUp(port))) {
      if (child.exitCode !== null || performance.now() - from > PATIENCE_MS)
        throw new Error(`${words[0]} does not start`)
      // Polling more often would take processor time from the start.
      await Bun.sleep(5)
    }
    const ms = performance.now() - from
    await settled()
    return ms
  } finally {
    child.kill("SIGKILL")
    await child.exited
  }
}

const isUp = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`, { keepalive: false })).ok
  } catch {
    return false
  }
}

const freePort = (): number => {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } })
  server.stop(true)
  return server.port
}
