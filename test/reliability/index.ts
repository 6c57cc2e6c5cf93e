// `bun run reliability [name ...] [--short] [--again] [--database] [--kills N] [--older PROGRAM]`: the compiled program
// killed, starved, attacked and watched, in one table. With `--database`, each of its databases is one of a scratch server of Postgres;
// `--kills` says how many kills and faults the suites kill, postgres and cluster have; with `--again`, a suite that failed runs
// once more, and what passes then is named. With `--older`, the suite cluster begins with nodes of another build of the
// program, which stop and are replaced by the present one in the storm.
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { tellAgain } from "../lib/again.ts"
import { begin } from "../lib/postgres/Runner.ts"
import { PROGRAM } from "./Program.ts"
import type { Row, Suite } from "./suite.ts"

const suites: Record<string, () => Promise<{ readonly default: Suite }>> = {
  kill: () => import("./kill.ts"),
  overtaken: () => import("./overtaken.ts"),
  one: () => import("./one.ts"),
  drain: () => import("./drain.ts"),
  disk: () => import("./disk.ts"),
  restart: () => import("./restart.ts"),
  soak: () => import("./soak.ts"),
  restore: () => import("./restore.ts"),
  tenant: () => import("./tenant.ts"),
  canary: () => import("./canary.ts"),
  hostile: () => import("./hostile.ts"),
  doors: () => import("./doors.ts"),
  values: () => import("./values.ts"),
  sealed: () => import("./sealed.ts"),
  prices: () => import("./prices.ts"),
  first: () => import("./first.ts"),
  orders: () => import("./orders.ts"),
  live: () => import("./live.ts"),
  neighbours: () => import("./neighbours.ts"),
  follow: () => import("./follow.ts"),
  rules: () => import("./rules.ts"),
  backtests: () => import("./backtests.ts"),
  chat: () => import("./chat.ts"),
  postgres: () => import("./postgres.ts"),
  cluster: () => import("./cluster.ts"),
  zombies: () => import("./zombies.ts"),
  readers: async () => ({ default: (await import("./neighbours.ts")).readers })
}

/** What takes long runs by its name only: `zombies` takes seven minutes. */
const BY_NAME = new Set(["readers", "zombies"])

const args = process.argv.slice(2)
const short = args.includes("--short")
const again = args.includes("--again")
const isOnPostgres = args.includes("--database")
const valueOf = (flag: string) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined)
const kills = args.includes("--kills") ? Number(valueOf("--kills")) : undefined
const older = valueOf("--older")
if (kills !== undefined && !(Number.isSafeInteger(kills) && kills > 0)) {
  console.error("--kills needs a whole number above 0: bun run reliability postgres --kills 50")
  process.exit(2)
}
const VALUED = new Set(["--kills", "--older"])
const FLAGS = new Set(["--short", "--again", "--database", ...VALUED])
const wanted = args.filter((arg, index) => !FLAGS.has(arg) && !VALUED.has(args[index - 1] ?? ""))
const unknown = wanted.filter((name) => suites[name] === undefined)
if (unknown.length > 0) {
  console.error(`there is no suite ${unknown.join(", ")}; there are ${Object.keys(suites).join(", ")}`)
  process.exit(2)
}
if (!existsSync(PROGRAM)) {
  console.error("dist/signalbox is missing: bun run build")
  process.exit(1)
}

if (isOnPostgres) await begin()

/** How often a suite is tried that missed nothing but times. */
const TRIES = 3

/**
 * A suite that missed times, and failed at nothing else, is measured again, up to three times in all: a busy machine is
 * late now and then, and a slow program always. With `--again`, one that failed at anything runs once more. What failed
 * before is printed.
 */
async function measured(name: string, run: () => Promise<ReadonlyArray<Row>>): Promise<ReadonlyArray<Row>> {
  let rows = await run().catch(brokenOff(name))
  for (let tried = 1; tried < TRIES; tried++) {
    const failed = rows.filter(({ failures }) => failures > 0)
    const isLate = failed.every(({ late }) => late === true)
    if (failed.length === 0 || !(isLate || (again && tried === 1))) return rows
    // A long form takes half an hour: what it missed is printed before it begins anew.
    for (const row of failed) console.log(`once more after: ${row.test}: ${row.details.join("; ")}`)
    const inTime = new Map(rows.filter(({ failures }) => failures === 0).map((row) => [row.test, row]))
    const next = await run().catch(brokenOff(name))
    // A time that held once is not taken back by a try that another line needed.
    rows = next.map((row) => (row.late === true ? (inTime.get(row.test) ?? row) : row))
    tellAgain(
      failed.map(({ details, test }) => ({ test, texts: details })),
      rows.every(({ failures }) => failures === 0)
    )
  }
  return rows
}

/** A suite that could not go on. */
function brokenOff(name: string) {
  return (error: unknown): ReadonlyArray<Row> => [
    {
      test: name,
      trials: 1,
      failures: 1,
      worst: "",
      details: [error instanceof Error ? `${error.stack}` : `${error}`]
    }
  ]
}

const rows: Array<Row> = []
for (const [name, load] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  // What does not hold yet runs by its name only.
  if (BY_NAME.has(name) && !wanted.includes(name)) continue
  const suite = await load()
  const began = performance.now()
  rows.push(
    ...(await measured(name, () =>
      suite.default({
        short,
        ...(kills === undefined ? {} : { kills }),
        ...(older === undefined ? {} : { older: resolve(older) })
      })
    ))
  )
  console.log(`${name.padEnd(11)} ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

const width = (cell: (row: Row) => string, title: string) =>
  Math.max(title.length, ...rows.map((row) => cell(row).length))
const tests = width((row) => row.test, "test")
const trials = width((row) => `${row.trials}`, "trials")
const line = (test: string, tried: string, failed: string, worst: string) =>
  `${test.padEnd(tests)}  ${tried.padStart(trials)}  ${failed.padStart(8)}  ${worst}`
console.log(line("test", "trials", "failures", "worst"))
for (const row of rows) console.log(line(row.test, `${row.trials}`, `${row.failures}`, row.worst))
for (const { details, failures, test, trials } of rows) {
  if (failures > 0) console.log(`FAILED ${test}: ${failures} of ${trials}`)
  for (const detail of details) console.log(`    ${failures > 0 ? "" : `${test}: `}${detail}`)
}
const failed = rows.filter(({ failures }) => failures > 0).length
console.log(`${rows.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
