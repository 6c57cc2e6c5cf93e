// One server for each database: a second one is refused, and the kernel frees the lock however the first ended.
import { symlinkSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { addressOf } from "../lib/postgres/Runner.ts"
import { command, inFolder, Served } from "./Program.ts"
import type { Row, Suite } from "./suite.ts"

const REFUSED_MS = 1000
/** The expected error. */
const LINE =
  /^(signalbox: warning: the password in --database [^\n]*\n)?signalbox: another process serves the database [^\n]*\n$/

const suite: Suite = ({ short }) => inFolder((folder) => rounds(folder, short ? 1 : 5))
export default suite

const rounds = async (folder: string, count: number): Promise<ReadonlyArray<Row>> => {
  const db = join(folder, "signalbox.db")
  const alias = join(folder, "alias.db")
  symlinkSync(basename(db), alias)
  const refusals: Array<number> = []
  const starts: Array<number> = []
  const wrong: Array<string> = []
  for (let round = 0; round < count; round++) {
    const began = performance.now()
    const first = await Served.start(db)
    const ready = await first.ready(began)
    if (round > 0) starts.push(ready)
    for (const name of namesOf(db, alias)) {
      const { flaw, ms } = await second(name)
      refusals.push(ms)
      if (flaw !== undefined) wrong.push(`${name}: ${flaw}`)
    }
    if ((await first.fetch("/readyz")).status !== 200) wrong.push("the first is no longer ready")
    await first.stop("SIGKILL")
  }
  const slow = refusals.filter((ms) => ms > REFUSED_MS).length
  const most = Math.max(...refusals)
  const last = await Served.start(db)
  await last.ready()
  const exit = await last.stop("SIGTERM")
  if (exit !== 0) wrong.push(`SIGTERM ended it with ${exit}`)
  return [
    {
      test: "one: a second server is refused",
      trials: refusals.length,
      failures: wrong.length + slow,
      late: slow > 0 && wrong.length === 0,
      worst: `${most.toFixed(0)} ms (under ${REFUSED_MS} ms)`,
      details: wrong
    },
    {
      test: "one: after kill -9 the next starts at once",
      trials: count,
      failures: 0,
      worst: starts.length === 0 ? "ready" : `ready after ${Math.max(...starts).toFixed(0)} ms`,
      details: []
    }
  ]
}

/** All names of a file are one database, and so are all addresses of one of Postgres. */
const namesOf = (db: string, alias: string): ReadonlyArray<string> => {
  const address = addressOf(db)
  return address === undefined
    ? [db, relative(process.cwd(), db), `${dirname(db)}/./${basename(db)}`, alias]
    : [
        address,
        address.replace("postgres://", "postgresql://"),
        address.replace("127.0.0.1", "localhost"),
        `${address}?sslmode=disable`
      ]
}

/** Tries to serve a database that a server uses. */
const second = async (db: string): Promise<{ readonly ms: number; readonly flaw: string | undefined }> => {
  const began = performance.now()
  const patience = AbortSignal.timeout(10 * REFUSED_MS)
  const { exitCode, stderr, stdout } = await command(["serve", "--port", "0", "--db", db], {
    signal: patience
  })
  const ms = performance.now() - began
  if (patience.aborted) return { ms, flaw: "it was not refused" }
  const isRefused = exitCode === 1 && stdout === "" && LINE.test(stderr)
  return { ms, flaw: isRefused ? undefined : `exit ${exitCode}, and it said: ${stdout}${stderr}` }
}
