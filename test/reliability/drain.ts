// SIGTERM under load. The promises, checked to the byte:
//
// - A request whose last byte was sent before SIGTERM, or whose body was on its way then, gets its whole answer.
// - A request sent later gets 200, and its alert is on disk; or 503 with Retry-After; or its connection is closed
//   without a byte of an answer. In the last two cases its alert is not on disk, so that sending it again is right.
// - While requests are on their way /readyz answers 503; then it answers nothing any more. The process exits with 0
//   within 10 s, however slow its callers are.
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { type Answer, Connection, request, Unanswered } from "./Connection.ts"
import { Owner } from "./Owner.ts"
import { inFolder, Served, token } from "./Program.ts"
import { Rows } from "./Rows.ts"
import type { Row, Suite } from "./suite.ts"

const CALLERS = 16
const EXIT_MS = 10_000
/** The number of alerts stored before the first round, for a long answer to a slow reader. */
const LISTED = 500

/** Callers that are fast, slow, or never finish. */
type Kind = "brisk" | "slow" | "endless"

const suite: Suite = ({ short }) => inFolder((folder) => rounds(folder, short ? BRIEFLY : FULLY))
export default suite

const BRIEFLY: ReadonlyArray<Kind> = ["brisk", "slow", "endless"]
const FULLY: ReadonlyArray<Kind> = Array.from({ length: 24 }, (_, round) =>
  round % 8 === 7 ? "endless" : round % 2 === 0 ? "brisk" : "slow"
)

const rounds = async (folder: string, kinds: ReadonlyArray<Kind>): Promise<ReadonlyArray<Row>> => {
  const db = join(folder, "signalbox.db")
  const dice = new SeededRandom(Math.floor(Math.random() * 2 ** 31))
  const keys = { hook: await token(db, "drain", "alerts"), full: await token(db, "drain", "full") }
  const server = await start(db)
  const signal = await new Owner(server, keys.full).signal("drain")
  const world = { db, dice, ...keys, signal }
  await Promise.all(Array.from({ length: LISTED }, () => sendOne(server, world)))
  await server.stop()
  const results: Array<Result> = []
  for (const [round, kind] of kinds.entries()) results.push(await drained(world, kind, round))
  const flaws = results.flatMap(({ flaws }) => flaws)
  const longest = (kind: Kind) =>
    Math.max(...results.filter((result) => result.kind === kind).map(({ exitMs }) => exitMs)).toFixed(0)
  const late = results.filter(({ exitMs }) => exitMs > EXIT_MS).length
  return [
    {
      test: "drain: no request fails on SIGTERM",
      trials: results.reduce((sum, { requests }) => sum + requests, 0),
      failures: flaws.length,
      worst: `${kinds.length} times under ${CALLERS} callers`,
      details: flaws.slice(0, 10)
    },
    {
      test: "drain: exits with 0 within 10 s",
      trials: results.length,
      failures: late,
      late: late > 0,
      worst: `${longest("brisk")} ms; slow callers ${longest("slow")}, endless ones ${longest("endless")} ms`,
      details: []
    }
  ]
}

interface World {
  readonly db: string
  readonly dice: SeededRandom
  readonly hook: string
  readonly full: string
  readonly signal: number
}

interface Result {
  readonly kind: Kind
  readonly requests: number
  readonly exitMs: number
  readonly flaws: ReadonlyArray<string>
}

/** A request and its result. Times in ms; `alert` identifies its row. */
interface Tried {
  readonly what: string
  readonly alert: number | undefined
  /** When its last byte was written, or the first one where its body was on its way at SIGTERM. */
  readonly sentAt: number
  readonly outcome: Answer | Unanswered
}

const drained = async (world: World, kind: Kind, round: number): Promise<Result> => {
  const server = await start(world.db)
  const tried: Array<Tried> = []
  const mark = (round + 1) * 1_000_000
  let last = mark
  let isOver = false
  const next = () => (isOver ? undefined : ++last)
  const callers = Array.from({ length: CALLERS }, () => load(server, world, tried, next))
  await Bun.sleep(world.dice.between(50, 400))
  const others = kind === "brisk" ? [] : [slowWriter(server, world, ++last), slowReader(server, world)]
  const idle = await Connection.open(server.port)
  const endless = kind === "endless" ? await endlessWriter(server, world) : undefined
  if (kind !== "brisk") await Bun.sleep(50)
  const termAt = performance.now()
  server.child.kill("SIGTERM")
  const ready = readiness(server)
  const exit = await server.child.exited
  const exitMs = performance.now() - termAt
  isOver = true
  await Promise.all(callers)
  tried.push(...(await Promise.all(others)))
  idle.close()
  endless?.close()
  const statuses = await ready
  const stored = marksOf(world.db, mark)
  return {
    kind,
    requests: tried.length,
    exitMs,
    flaws: [
      ...(exit === 0 ? [] : [`${kind}: exit ${exit}: ${server.printed.slice(-500)}`]),
      ...(statuses.slice(1).includes(200) ? [`${kind}: /readyz answered ${statuses.join(", ")}`] : []),
      ...(kind !== "brisk" && !statuses.includes(503) ? [`${kind}: /readyz never answered 503`] : []),
      ...tried.flatMap((it) => flawsOf(it, termAt, stored)).map((flaw) => `${kind}: ${flaw}`)
    ]
  }
}

const flawsOf = (tried: Tried, termAt: number, stored: ReadonlySet<number>): ReadonlyArray<string> => {
  const { alert, outcome, sentAt } = tried
  const what = `${tried.what} sent ${(sentAt - termAt).toFixed(1)} ms after SIGTERM`
  const isStored = alert !== undefined && stored.has(alert)
  if (outcome instanceof Unanswered) {
    if (sentAt < termAt) return [`${what}: ${outcome.message}`]
    if (outcome.received > 0) return [`${what}: its answer was cut off after ${outcome.received} bytes`]
    return isStored ? [`${what}: no answer, yet it is on disk`] : []
  }
  if (outcome.status === 200) return alert === undefined || isStored ? [] : [`${what}: answered, not on disk`]
  if (outcome.status !== 503 || sentAt < termAt) return [`${what}: answered ${outcome.status}`]
  if (isStored) return [`${what}: refused, yet it is on disk`]
  return /^retry-after: *[1-9]/im.test(outcome.head) ? [] : [`${what}: 503 without Retry-After`]
}

/** Sends one alert after the other on a kept connection, and on a new one when it is closed, as long as one opens. */
const load = async (
  server: Served,
  world: World,
  tried: Array<Tried>,
  next: () => number | undefined
): Promise<void> => {
  let wire: Connection | undefined
  for (let alert = next(); alert !== undefined; alert = next()) {
    if (wire === undefined || wire.isOver) wire = await Connection.open(server.port).catch(() => undefined)
    if (wire === undefined) return
    const sentAt = performance.now()
    const outcome = await outcomeOf(wire.send(alertRequest(world, alert)))
    tried.push({ what: `alert ${alert}`, alert, sentAt, outcome })
    if (!(outcome instanceof Unanswered) && outcome.status === 503) await Bun.sleep(20)
  }
  wire?.close()
}

const outcomeOf = (answer: Promise<Answer>): Promise<Answer | Unanswered> =>
  answer.catch((error: unknown) => (error instanceof Unanswered ? error : new Unanswered(0)))

/** Sends its head and half of its body before SIGTERM, and the rest long after. */
const slowWriter = async (server: Served, world: World, alert: number): Promise<Tried> => {
  const wire = await Connection.open(server.port)
  const bytes = alertRequest(world, alert)
  const sentAt = performance.now()
  const outcome = outcomeOf(wire.answer())
  wire.write(bytes.subarray(0, bytes.length - 10))
  await Bun.sleep(600)
  wire.write(bytes.subarray(bytes.length - 10))
  return { what: "an alert with a slow body", alert, sentAt, outcome: await outcome }
}

/** Sends a request before SIGTERM, and begins to read the answer long after. */
const slowReader = async (server: Served, world: World): Promise<Tried> => {
  const wire = await Connection.open(server.port)
  const sentAt = performance.now()
  const outcome = outcomeOf(wire.answer())
  wire.pause()
  wire.write(request("GET", "/v1/alerts?limit=500", { authorization: `Bearer ${world.full}` }))
  await Bun.sleep(800)
  wire.resume()
  return { what: "a list read slowly", alert: undefined, sentAt, outcome: await outcome }
}

/** Sends a byte of the body now and then, and never the last one. */
const endlessWriter = async (server: Served, world: World): Promise<Connection> => {
  const wire = await Connection.open(server.port)
  const bytes = alertRequest(world, 1)
  wire.write(bytes.subarray(0, bytes.length - 40))
  const drip = setInterval(() => wire.write(bytes.subarray(0, 1)), 500)
  setTimeout(() => clearInterval(drip), 15_000)
  return wire
}

/** Polls /readyz on new connections until nobody listens. */
const readiness = async (server: Served): Promise<ReadonlyArray<number>> => {
  const statuses: Array<number> = []
  for (;;) {
    const wire = await Connection.open(server.port).catch(() => undefined)
    if (wire === undefined) return statuses
    const outcome = await outcomeOf(wire.send(request("GET", "/readyz")))
    if (!(outcome instanceof Unanswered)) statuses.push(outcome.status)
    wire.close()
    await Bun.sleep(5)
  }
}

const alertRequest = ({ hook, signal }: World, alert: number): Buffer =>
  request(
    "POST",
    `/v1/signals/charting?key=${hook}`,
    { "content-type": "application/json" },
    JSON.stringify({ signal_id: signal, coin: "BTC", quote_currency: "USDT", type: "buy", tp: alert })
  )

const sendOne = async (server: Served, world: World): Promise<void> => {
  const wire = await Connection.open(server.port)
  await wire.send(alertRequest(world, 1))
  wire.close()
}

const marksOf = (db: string, from: number): ReadonlySet<number> => {
  const rows = new Rows(db)
  const marks = rows.all(Schema.Struct({ tp: Schema.Number }), `SELECT tp FROM alerts WHERE tp >= ${from}`)
  rows.close()
  return new Set(marks.map(({ tp }) => tp))
}

const start = async (db: string): Promise<Served> => {
  const server = await Served.start(db, ["--prices", "none", "--alert-rate", "0", "--crud-rate", "0"])
  await server.ready()
  return server
}
