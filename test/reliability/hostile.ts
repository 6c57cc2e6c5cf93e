// The compiled program under attack: broken framing, slow clients, and requests bent out of shape.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { inFolder, type Served } from "./Program.ts"
import type { Effort, Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"
import { type Line, type Reply, textOf, Wire } from "./Wire.ts"
import { type Cast, cast } from "./walls/Cast.ts"
import { naughty } from "./walls/Corpus.ts"
import { Fuzz } from "./walls/Fuzz.ts"
import { Person, signed } from "./walls/Person.ts"
import { cases } from "./walls/Raw.ts"
import type { Case } from "./walls/RawCase.ts"
import { described, type Noun, type Operation } from "./walls/Routes.ts"
import { slow } from "./walls/Slow.ts"

const REQUESTS = 100_000
const SHORT_REQUESTS = 3000
const LINES = 8
/** How long to wait for an expected answer, and for an answer that must not come. */
const ANSWER_MS = 10_000
const QUIET_MS = 250
/** How much memory may grow (MiB), whatever is sent. */
const MAX_GROWTH = 200
/** How long garbage of the last requests may stay. */
const SETTLE_MS = 10_000

const NO_BOUNDS = ["--max-signals", "1000000", "--max-strategies", "1000000"]

export const suite: Suite = (effort) =>
  inFolder(async (folder) => {
    const stage = await cast(join(folder, "x.db"), NO_BOUNDS)
    const before = memory(stage.server)
    try {
      const rows = [await raw(stage), await slow(stage, effort), await fuzz(stage, effort)]
      return [...rows, await after(stage, before)]
    } finally {
      await stage.close()
    }
  })
export default suite

const raw = async (stage: Cast): Promise<Row> => {
  const tally = new Tally()
  const queue = [...cases]
  const work = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) await thrown(stage, next, tally)
  }
  await Promise.all(Array.from({ length: LINES * 2 }, work))
  const seen = await stage.ann.ask("GET", "/v1/signals")
  const text = seen === undefined ? "" : textOf(seen)
  tally.check(seen?.status === 200 && !text.includes("SMUGGLED"), () => `something was smuggled in: ${text}`)
  return tally.row("hostile: raw sockets", `${cases.length} cases`)
}

/** How often a case is tried whose connection was closed without an answer. */
const MAX_TRIES = 5

/**
 * The runtime closes a connection whose next request arrives while the one before waits, as it does for a token that has to be
 * looked up in Postgres: what must be answered is sent again then.
 */
const thrown = async (stage: Cast, one: Case, tally: Tally, tries = MAX_TRIES): Promise<void> => {
  const { ann, hook, server } = stage
  const { answers, bytes, name, status } = one
  const wire = await Wire.open(server.port)
  wire.send(
    typeof bytes === "string" ? bytes.replaceAll("{token}", ann.token).replaceAll("{key}", hook.token) : bytes
  )
  const replies = await wire.replies("GET", QUIET_MS, status === undefined ? QUIET_MS : ANSWER_MS)
  const first = replies[0]
  const statuses = replies.map((reply) => reply.status)
  const isCut = answers > 1 && statuses.length === 0 && wire.closed
  if (isCut && status !== undefined && tries > 1) return thrown(stage, one, tally, tries - 1)
  const saw = () => `${name}: ${statuses.join(", ")}; ${wire.closed ? "closed" : "open"}; ${wire.rest}`
  // The runtime itself answers 505 to an unknown version of HTTP.
  tally.check(
    statuses.every((it) => it < 500 || it === 505),
    saw
  )
  tally.check(statuses.length <= answers, saw)
  tally.check(status === undefined || (first !== undefined && status.includes(first.status)), saw)
  wire.close()
}

/** Sends malformed requests to every operation on several connections, and deletes the records that they created. */
const fuzz = async (stage: Cast, { short }: Effort): Promise<Row> => {
  const tally = new Tally()
  const { operations } = await described(stage.ann.line)
  const times = short ? SHORT_REQUESTS : REQUESTS
  const seed = Number(process.env["SIGNALBOX_SEED"] ?? (short ? 1 : 7))
  const statuses = new Map<number, number>()
  const started = performance.now()
  let worst = 0
  const work = async (worker: number) => {
    const me = new Person(stage.server.port, stage.ann.token)
    const { line } = me
    const random = new SeededRandom(seed * 1000 + worker)
    const bent = new Fuzz(random, naughty())
    const ids = await records(me, stage)
    for (let step = 0; step < times / LINES; step++) {
      const drawn = random.pick(operations)
      // A deleted record must be created again, so most deletions are replaced by other requests.
      const operation = drawn.method === "DELETE" && random.chance(0.9) ? random.pick(operations) : drawn
      const ask = bent.next(operation, ids[operation.recipe.names?.noun ?? "signal"])
      const keyed = operation.recipe.keyed === true
      const target = keyed
        ? `${ask.target}${ask.target.includes("?") ? "&" : "?"}key=${stage.hook.token}`
        : ask.target
      const sent = performance.now()
      const reply = await line.ask(signed({ ...ask, target }, stage.ann.token), 20_000)
      worst = Math.max(worst, performance.now() - sent)
      statuses.set(reply?.status ?? 0, (statuses.get(reply?.status ?? 0) ?? 0) + 1)
      tally.check(isSound(reply, ask.method), () => describe(seed, worker, step, operation, ask.body, reply))
      if (reply?.status === 201) await forgotten(line, reply, stage.ann.token)
      if (reply?.status === 200 && ask.method === "DELETE") {
        // Records that remain would make every list longer.
        for (const id of ids.strategy) await me.ask("DELETE", `/v1/strategies/${id}`)
        for (const id of ids.signal) await me.ask("DELETE", `/v1/signals/${id}`)
        for (const id of ids.notification) await me.ask("DELETE", `/v1/notifications/${id}`)
        Object.assign(ids, await records(me, stage))
      }
    }
    line.close()
  }
  await Promise.all(Array.from({ length: LINES }, (_, worker) => work(worker)))
  const each = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} x ${count}`)
  const seconds = (performance.now() - started) / 1000
  return tally.row(
    "hostile: bent requests",
    `${each.join(", ")}; slowest ${worst.toFixed(0)} ms; ${seconds.toFixed(0)} s; seed ${seed}`
  )
}

/** Creates records for the requests: a strategy that follows a signal, and an alert. */
const records = async (me: Person, { connect }: Cast): Promise<Record<Noun, ReadonlyArray<number>>> => {
  const signal = await me.make("signal", {})
  const strategy = await me.make("strategy", { signal_id: signal })
  const alert = await me.make("alert", { signal_id: signal })
  const notification = await me.make("notification", {})
  return {
    signal: [signal],
    strategy: [strategy],
    alert: [alert],
    notification: [notification],
    exchange_account: [connect("ann")]
  }
}

/** Checks that there is an answer, that it is not 5xx, and that a refusal is a whole problem document. */
const isSound = (reply: Reply | undefined, method: string): boolean => {
  if (reply === undefined || reply.status >= 500) return false
  if (reply.status < 400 || method === "HEAD") return true
  const text = textOf(reply)
  return (
    reply.headers.get("content-type") === "application/problem+json" &&
    text.includes('"request_id":"') &&
    text.startsWith('{"type":"urn:signalbox:problem:')
  )
}

const forgotten = async (line: Line, reply: Reply, token: string): Promise<void> => {
  const target = reply.headers.get("location") ?? ""
  await line.ask(signed({ method: "DELETE", target }, token))
}

const describe = (
  seed: number,
  worker: number,
  step: number,
  { method, path }: Operation,
  body: string | Uint8Array | undefined,
  reply: Reply | undefined
): string => {
  const sent = typeof body === "string" ? body : Buffer.from(body ?? []).toString("utf8")
  const answer = reply === undefined ? "no answer" : `${reply.status} ${textOf(reply).slice(0, 120)}`
  return `seed ${seed}, line ${worker}, step ${step}: ${method} ${path}: ${answer} to ${sent.slice(0, 200)}`
}

/** Checks that the same process is healthy, with limited memory and without a fault in its log. */
const after = async (stage: Cast, before: number): Promise<Row> => {
  const tally = new Tally()
  const ready = await stage.server.fetch("/readyz")
  tally.check(
    ready.status === 200 && stage.server.child.exitCode === null,
    () => `readyz is ${ready.status}, exit code ${stage.server.child.exitCode}`
  )
  const began = performance.now()
  while (memory(stage.server) - before >= MAX_GROWTH && performance.now() - began < SETTLE_MS)
    await Bun.sleep(100)
  const now = memory(stage.server)
  tally.check(now - before < MAX_GROWTH, () => `memory grew from ${before} to ${now} MiB`)
  const { printed } = stage.server
  const faults = printed.split("\n").filter((line) => /a request failed|"level":"(error|fatal)"/.test(line))
  tally.check(faults.length === 0, () => `${faults.length} faults in the log: ${faults[0]}`)
  return tally.row("hostile: the server afterwards", `memory ${before} to ${now} MiB, 0 restarts`)
}

/** Resident memory of the program, in MiB. */
const memory = ({ child }: Served): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024)
