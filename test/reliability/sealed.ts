// The program loads nothing from its working folder, keeps its files private, and sends the same headers everywhere.
import { join } from "node:path"
import { addressOf } from "../lib/postgres/Runner.ts"
import { inFolder, Served, token } from "./Program.ts"
import { change } from "./Rows.ts"
import { leftOut, type Row, type Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"
import { Line, type Reply, textOf, Wire } from "./Wire.ts"
import { evil, modes } from "./walls/Folder.ts"
import { Person } from "./walls/Person.ts"
import { strangers } from "./walls/Strangers.ts"

const NO_LIMITS = ["--crud-rate", "0", "--alert-rate", "0"]
/** An error page of the runtime would be 50 KB, with source code in it. */
const MAX_ERROR_BYTES = 1024

/** What a folder does to the program, and what files it makes, has nothing to do with Postgres. */
const ofFolders = async (): Promise<ReadonlyArray<Row>> =>
  addressOf("any.db") === undefined
    ? Promise.all([evil, modes].map(inFolder))
    : [
        leftOut("sealed: an evil folder", "it is about the usual file"),
        leftOut("sealed: modes of files", "its files are no files of ours")
      ]

export const suite: Suite = async () => [
  ...(await ofFolders()),
  ...(await Promise.all([dressed, strangers].map(inFolder)))
]
export default suite

/** Checks that every kind of answer has its security and caching headers, and names no runtime. */
const dressed = async (folder: string): Promise<Row> => {
  const tally = new Tally()
  const db = join(folder, "x.db")
  const server = await Served.start(db, NO_LIMITS)
  const ann = new Person(server.port, await token(db, "ann", "full"))
  const hook = new Person(server.port, await token(db, "ann", "alerts"))
  const stranger = new Line(server.port)
  const seen = new Map<number, number>()
  const look = (what: string, wanted: number, reply: Reply | undefined, kept = "no-store") => {
    tally.check(reply?.status === wanted, () => `${what}: ${reply?.status} and not ${wanted}`)
    if (reply === undefined) return
    seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1)
    for (const flaw of flaws(reply, kept)) tally.check(false, () => `${what}: ${reply.status}: ${flaw}`)
    tally.check(
      reply.status < 400 || reply.status === 422 || reply.body.length < MAX_ERROR_BYTES,
      () => `${what}: an error of ${reply.body.length} bytes`
    )
  }
  const strategies = "/v1/strategies"
  const typed = { authorization: `Bearer ${ann.token}`, "content-type": "text/plain" }
  const big = "x".repeat(65_537)
  const signal = { name: "x", description: "", active: true, public: false }
  for (const target of ["/healthz", "/readyz"])
    look(target, 200, await stranger.ask({ method: "GET", target }))
  // The answer is the same for everybody: it is cached and revalidated each time.
  for (const target of ["/openapi.json", "/docs", "/guide", "/guide/errors"])
    look(target, 200, await stranger.ask({ method: "GET", target }), "no-cache")
  look("a list", 200, await ann.ask("GET", "/v1/signals"))
  look("made", 201, await ann.ask("POST", "/v1/signals", signal))
  look("HEAD", 200, await ann.ask("HEAD", "/v1/signals"))
  look("OPTIONS", 204, await ann.ask("OPTIONS", strategies))
  look(
    "malformed",
    400,
    await ann.line.ask({
      method: "POST",
      target: strategies,
      headers: { ...typed, "content-type": "application/json" },
      body: "{"
    })
  )
  look(
    "a broken host",
    400,
    await stranger.ask({ method: "GET", target: "/healthz", headers: { host: "a b" } })
  )
  look("no token", 401, await stranger.ask({ method: "GET", target: strategies }))
  look("the wrong scope", 403, await hook.ask("GET", strategies))
  look("no path", 404, await ann.ask("GET", "/nowhere"))
  look("no record", 404, await ann.ask("GET", "/v1/signals/999"))
  look("TRACE", 405, await ann.ask("TRACE", "/v1/signals"))
  look(
    "too large",
    413,
    await ann.line.ask({ method: "POST", target: strategies, headers: typed, body: big })
  )
  look(
    "too large, an alert",
    413,
    await ann.line.ask({ method: "POST", target: "/v1/signals/alert", headers: typed, body: big })
  )
  look("no JSON", 415, await ann.line.ask({ method: "POST", target: strategies, headers: typed, body: "x" }))
  look("a rule broken", 422, await ann.ask("POST", strategies, {}))
  look(
    "an alert",
    200,
    await ann.ask("POST", "/v1/signals/alert", {
      signal_id: 1,
      coin: "BTC",
      quote_currency: "USDT",
      type: "buy"
    })
  )
  look("a bad alert", 422, await ann.ask("POST", "/v1/signals/alert", {}))
  await failing(server, db, ann, look)
  await runtime(tally)
  for (const { line } of [ann, hook]) line.close()
  stranger.close()
  const limited = await rate(folder)
  look("too many", 429, limited)
  const each = [...seen].sort(([a], [b]) => a - b).map(([status]) => status)
  return tally.row("sealed: headers and sizes of answers", each.join(", "))
}

/** Checks answers of 500, and of a server that shuts down. */
const failing = async (
  server: Served,
  db: string,
  ann: Person,
  look: (what: string, wanted: number, reply: Reply | undefined) => void
): Promise<void> => {
  change(db, "ALTER TABLE signals RENAME TO signals_gone")
  await Bun.sleep(200)
  look("a fault", 500, await ann.ask("GET", "/v1/signals/1"))
  change(db, "ALTER TABLE signals_gone RENAME TO signals")
  const held = await Wire.open(server.port)
  held.send(
    `POST /v1/signals HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ann.token}\r\nContent-Length: 9\r\n\r\n{`
  )
  // Once others have been answered, the held request is in flight; once not ready, the server is going down.
  for (let times = 0; times < 5; times++) {
    await ann.ask("GET", "/healthz")
    await Bun.sleep(50)
  }
  server.child.kill("SIGTERM")
  for (let times = 0; times < 100; times++) {
    if ((await ann.ask("GET", "/readyz"))?.status === 503) break
    await Bun.sleep(20)
  }
  // Requests on their way are served for another moment.
  let late = await ann.ask("GET", "/v1/signals")
  for (let times = 0; times < 100 && late?.status === 200; times++) {
    await Bun.sleep(20)
    late = await ann.ask("GET", "/v1/signals")
  }
  look("going down", 503, late)
  look("not ready", 503, await ann.ask("GET", "/readyz"))
  held.close()
  await server.child.exited
}

/** Checks the runtime's own answers: they are short and do not name it. */
const runtime = async (tally: Tally): Promise<void> => {
  await inFolder(async (folder) => {
    const server = await Served.start(join(folder, "z.db"))
    for (const bytes of [
      "nonsense\r\n\r\n",
      `GET / HTTP/1.1\r\nX: ${"x".repeat(70_000)}\r\n\r\n`,
      "GET / HTTP/7.0\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n"
    ]) {
      const wire = await Wire.open(server.port)
      wire.send(bytes)
      for (const reply of await wire.replies("GET", 200)) {
        tally.check(
          reply.body.length < MAX_ERROR_BYTES && !reply.headers.has("server"),
          () => `the runtime: ${reply.status}, ${textOf(reply)}`
        )
      }
      wire.close()
    }
    await server.stop()
  })
}

const rate = async (folder: string): Promise<Reply | undefined> => {
  const db = join(folder, "rate.db")
  const server = await Served.start(db, ["--crud-rate", "1"])
  const person = new Person(server.port, await token(db, "ann", "full"))
  await person.ask("GET", "/v1/signals")
  const reply = await person.ask("GET", "/v1/signals")
  person.line.close()
  await server.stop()
  return reply
}

const STANDING: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer"
}
const POLICY = ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]

const flaws = (reply: Reply, kept: string): ReadonlyArray<string> => {
  const found = Object.entries({ ...STANDING, "cache-control": kept }).flatMap(([name, value]) =>
    reply.headers.get(name) === value ? [] : [`${name}: ${reply.headers.get(name)}`]
  )
  for (const name of ["server", "x-powered-by", "via"])
    if (reply.headers.has(name)) found.push(`${name}: ${reply.headers.get(name)}`)
  if (!reply.headers.has("x-request-id")) found.push("no x-request-id")
  if (/bun|effect|node_modules|\.ts:\d|src\//i.test([...reply.headers.values()].join("\n")))
    found.push("headers name what runs it")
  if (reply.status >= 400 && /node_modules|\.ts:\d|at \w+ \(|SQLITE|no such table/i.test(textOf(reply)))
    found.push("the body shows what is inside")
  const policy = reply.headers.get("content-security-policy") ?? ""
  const scripts = /script-src([^;]*)/.exec(policy)?.[1] ?? ""
  if (reply.headers.get("content-type")?.includes("text/html") === true) {
    for (const part of POLICY) if (!policy.includes(part)) found.push(`no ${part} in its policy`)
    if (/unsafe|\*|https?:/.test(scripts)) found.push(`scripts may come from${scripts}`)
  }
  return found
}
