// A hundred thousand alerts in the journal and kill -9, again and again: the time until it is ready and answers.
import { join } from "node:path"
import * as Load from "../bench/load.ts"
import { quantile } from "./Figures.ts"
import { Owner } from "./Owner.ts"
import { inFolder, Served, token } from "./Program.ts"
import { change, isCaughtUp, Rows } from "./Rows.ts"
import type { Row, Suite } from "./suite.ts"

const LIMIT_MS = 2000
/** The time of a start on an empty database on an idle machine. A busier machine gets proportionally more. */
const EMPTY_MS = 250
const CALLERS = 64
const FOLLOWERS = 5
const ROUNDS = 5
/** How long the engine may take to judge everything. */
const SETTLE_MS = 300_000
const SERVE = ["--prices", "none", "--alert-rate", "0", "--crud-rate", "0"]

const suite: Suite = ({ short }) => inFolder((folder) => rounds(folder, short ? 10_000 : 100_000))
export default suite

const rounds = async (folder: string, alerts: number): Promise<ReadonlyArray<Row>> => {
  const db = join(folder, "signalbox.db")
  const key = await token(db, "restart", "alerts")
  const emptyMs = await empty(folder)
  const world = { db, key, limitMs: LIMIT_MS * Math.max(1, emptyMs / EMPTY_MS), signal: await settle(db) }
  const busy = await fill(world, alerts)
  await busy.stop("SIGKILL")
  const waiting = count(db, "SELECT count(*) FROM waiting")
  const behind = count(db, "SELECT max(id) FROM alerts") - count(db, "SELECT max(cursor) FROM partitions")
  const full = await restarted(world, `restart: killed at full speed`, 1, caughtUp)
  const judged = await restarted(world, "restart: all of it judged", ROUNDS)
  forget(db)
  const none = await restarted(world, "restart: none of it judged", 1)
  const [stored, outcomes] = [count(db, "SELECT count(*) FROM alerts"), alerts * FOLLOWERS]
  const words = [
    `${waiting} waiting, ${behind} not judged`,
    `an empty database: ${emptyMs.toFixed(0)} ms`,
    `${stored} alerts, over ${outcomes} outcomes to come`
  ]
  return [full, judged, none].map((row, index) => ({ ...row, worst: `${row.worst}; ${words[index]}` }))
}

/** The median of three starts on an empty database. */
const empty = async (folder: string): Promise<number> => {
  const times: Array<number> = []
  for (let time = 0; time < 3; time++) {
    const began = performance.now()
    const server = await Served.start(join(folder, "empty.db"), SERVE)
    times.push(await server.ready(began))
    await server.stop("SIGKILL")
  }
  return quantile(times, 0.5)
}

interface World {
  readonly db: string
  readonly key: string
  readonly signal: number
  readonly limitMs: number
}

/** Creates a signal with its followers. */
const settle = async (db: string): Promise<number> => {
  const server = await Served.start(db, SERVE)
  const owner = new Owner(server, await token(db, "restart", "full"))
  const signal = await owner.signal("restart")
  for (let follower = 0; follower < FOLLOWERS; follower++) await owner.strategy(signal, ["BTC/USDT"])
  await server.stop()
  return signal
}

/** Sends alerts as fast as they are accepted until there are enough; every second one is an entry, which waits. */
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

/** Starts and kills the server so many times; `before` runs before the last kill. */
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
  const slow = [...ready, ...answered].filter((ms) => ms > world.limitMs).length
  const words = (all: ReadonlyArray<number>) =>
    `${Math.max(...all).toFixed(0)} ms${times > 1 ? ` (median ${quantile(all, 0.5).toFixed(0)})` : ""}`
  const worst = `ready after ${words(ready)}, first alert answered after ${words(answered)} (under ${world.limitMs.toFixed(0)} ms)`
  return { test, trials: times, failures: slow, late: slow > 0, worst, details: [] }
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
  rows.close()
}

/** Resets the database to the state before the engine judged any alert. */
const forget = (db: string): void => {
  for (const table of ["outcomes", "waiting"]) change(db, `DELETE FROM ${table}`)
  change(db, "UPDATE partitions SET cursor = 0")
}

const count = (db: string, sql: string): number => {
  const rows = new Rows(db)
  try {
    return rows.count(sql)
  } finally {
    rows.close()
  }
}
