// `bun test/bench/move.ts [--trades N] [--program PATH]`: writes a database of a million trades, moves it to a scratch
// Postgres and back with the program, and prints how long each part took, the memory of the program, and the heads.
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { Redacted } from "effect"
import { administrate, urlOf } from "../lib/postgres/Database.ts"
import { start } from "../lib/postgres/Server.ts"
import * as Rows from "./moveRows.ts"

const { values } = parseArgs({
  options: { trades: { type: "string", default: "1000000" }, program: { type: "string", default: "" } }
})
const trades = Number(values.trades)
const program =
  values.program === ""
    ? [process.execPath, resolve(import.meta.dir, "../../src/main.ts")]
    : [resolve(values.program)]

const folder = mkdtempSync(join(tmpdir(), "signalbox-move-"))
const [first, second] = [join(folder, "first.db"), join(folder, "second.db")]

/** Runs the program: what it printed, with the time that it took (s) and the most memory that it used (MB). */
const run = async (...args: ReadonlyArray<string>) => {
  const began = performance.now()
  const child = Bun.spawn([...program, ...args, "--json"], { stdout: "pipe", stderr: "inherit" })
  const out = await new Response(child.stdout).text()
  const code = await child.exited
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${out}`)
  const megabytes = Math.round((child.resourceUsage()?.maxRSS ?? 0) / 2 ** 20)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const { head, rows } = JSON.parse(out)
  console.log(`${args[0]}: ${seconds} s, at most ${megabytes} MB, ${rows.trades} trades, head ${head}`)
  return head
}

try {
  const began = performance.now()
  await Rows.write(first, trades)
  const size = Math.round(statSync(first).size / 2 ** 20)
  console.log(`${trades} trades written in ${((performance.now() - began) / 1000).toFixed(1)} s: ${size} MB`)
  const server = await start({ durable: true })
  await administrate(server, "CREATE DATABASE moved")
  const url = Redacted.value(urlOf(server, "moved"))
  const heads = [
    await run("verify", "--db", first),
    await run("move", "--from", first, "--to", url),
    await run("move", "--from", url, "--to", second),
    await run("verify", "--db", second)
  ]
  const isSame = new Set(heads).size === 1
  console.log(isSame ? "all heads are the same" : "the heads differ")
  if (!isSame) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
