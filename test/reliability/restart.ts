// A hundred thousand alerts in the journal, kill -9, and again: until it is ready, and until it answers an alert.
import { Database } from "bun:sqlite"
import { join } from "node:path"
import * as Load from "../bench/load.ts"
import { quantile } from "./Figures.ts"
import { Owner } from "./Owner.ts"
import { inFolder, Served, token } from "./Program.ts"
import { isCaughtUp, Rows } from "./Rows.ts"
import type { Row, Suite } from "./suite.ts"

const LIMIT_MS = 2000
const CALLERS = 64
const FOLLOWERS = 5
const ROUNDS = 5
/** For how long the engine may take to judge everything. */
const SETTLE_MS = 120_000
const SERVE = ["--prices", "none", "--alert-rate", "0", "--crud-rate", "0"]

const suite: Suite = ({ short }) => inFolder((folder) => rounds(folder, short ? 10_000 : 100_000))
export default suite

const rounds = async (folder: string, alerts: number): Promise<ReadonlyArray<Row>> => {
  const db = join(folder, "signalbox.db")
  const key = await token(db, "restart", "alerts")
  const world = { db, key, signal: await settle(db) }
  const busy = await fill(world, alerts)
  await busy.stop("SIGKILL")
  const inFull = await restarted(world, "restart: killed at full speed", 1)
  const settled = await restarted(world, "restart: all of it judged", ROUNDS, caughtUp)
  const stored = forget(db)
  const behind = await restarted(world, "restart: none of it judged", 1, caughtUp)
  return [inFull, settled, behind].map((row) => ({ ...row, worst: `${row.worst}; ${stored} alerts on disk` }))
}

interface World {
  readonly db: string
  readonly key: string
  readonly signal: number
}

/** A signal with its followers. */
const settle = async (db: string): Promise<number> => {
  const server = await Served.start(db, SERVE)
  const owner = new Owner(server, await token(db, "restart", "full"))
  const signal = await owner.signal("restart")
  for (let follower = 0; follower < FOLLOWERS; follower++) await owner.strategy(signal, ["BTC/USDT"])
  await server.stop()
  return signal
}

/** Sends alerts as fast as they are taken, until there are enough; every second one an entry, that has to wait. */
const fill = async ({ db, key, signal }: World, alerts: number): Promise<Served> => {
  const server = await Served.start(db, SERVE)
  const sending = (type: string) => {
    const body = JSON.stringify({ signal_id: signal, coin: "BTC", quote_currency: "USDT", type })
    const headers = { "content-type": "application/json" }
    return { port: server.port, request: Load.request(`/v1/signals/charting?key=${key}`, headers, body) }
  }
  for (let answered = 0; answered < alerts; ) {
    const loads = await Promise.all(["buy", "sell"].map((type) => Load.run(sending(type), CALLERS / 2, 0.25)))
    answered += loads.reduce((sum, load) => sum + load.answered, 0)
  }
  return server
}

/** Starts it, and kills it again, so many times. `before` the last kill something may have to happen. */
const restarted = async (
  world: World,
  test: string,
  times: number,
  before?: (server: Served, db: string) => Promise<void>
): Promise<Row> => {
  const ready: Array<number> = []
  const answered: Array<number> = []
  for (let time = 0; time < times; time++) {
    const began = performance.now()
    const server = await Served.start(world.db, SERVE)
    const [readyMs, answeredMs] = await Promise.all([server.ready(began), firstAlert(server, world, began)])
    ready.push(readyMs)
    answered.push(answeredMs)
    if (time === times - 1) await before?.(server, world.db)
    await server.stop("SIGKILL")
  }
  const slow = [...ready, ...answered].filter((ms) => ms > LIMIT_MS).length
  const words = (all: ReadonlyArray<number>) =>
    `${Math.max(...all).toFixed(0)} ms${times > 1 ? ` (median ${quantile(all, 0.5).toFixed(0)})` : ""}`
  const worst = `ready after ${words(ready)}, first alert answered after ${words(answered)} (under ${LIMIT_MS} ms)`
  return { test, trials: times, failures: slow, worst, details: [] }
}

const firstAlert = async (server: Served, { key, signal }: World, began: number): Promise<number> => {
  const body = JSON.stringify({ signal_id: signal, coin: "BTC", quote_currency: "USDT", type: "sell" })
  for (;;) {
    const response = await server.fetch(`/v1/signals/charting?key=${key}`, { method: "POST", body })
    if (response.status === 200) return performance.now() - began
    await Bun.sleep(5)
  }
}

const caughtUp = async (server: Served, db: string): Promise<void> => {
  const rows = new Rows(db)
  const began = performance.now()
  while (!isCaughtUp(rows)) {
    if (performance.now() - began > SETTLE_MS)
      throw new Error(`the engine does not catch up: ${server.printed.slice(-500)}`)
    await Bun.sleep(100)
  }
  console.log(`caught up after ${(performance.now() - began).toFixed(0)} ms`)
  rows.close()
}

/** As if the engine had not come to judge any of it. */
const forget = (db: string): number => {
  const database = new Database(db)
  for (const table of ["outcomes", "waiting", "engine"]) database.run(`DELETE FROM ${table}`)
  const [row] = database.query("SELECT count(*) FROM alerts").values()
  database.close()
  return Number(row?.[0])
}
