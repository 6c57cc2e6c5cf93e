// The program takes nothing from the folder it stands in, shows its files to nobody, and dresses every answer alike.
import { Database } from "bun:sqlite"
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { command, inFolder, PROGRAM, Served, token } from "./Program.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"
import { Line, type Reply, textOf, Wire } from "./Wire.ts"
import { Person } from "./walls/Person.ts"

const NO_LIMITS = ["--crud-rate", "0", "--alert-rate", "0"]
/** An error page of the runtime would be 50 KB, with source code in it. */
const MAX_ERROR_BYTES = 1024

export const suite: Suite = () => Promise.all([evil, modes, dressed, strangers].map(inFolder))
export default suite

/** Files that a runtime may take as its own, each of which would leave a trace if it were. */
const evil = async (folder: string): Promise<Row> => {
  const tally = new Tally()
  const trap = join(folder, "trap")
  const home = join(folder, "home")
  mkdirSync(join(trap, "node_modules/effect"), { recursive: true })
  mkdirSync(home)
  const sprung = join(folder, "sprung")
  const script = `require("node:fs").writeFileSync(${JSON.stringify(sprung)}, "x")\n`
  const settings = `SIGNALBOX_PORT=1\nSIGNALBOX_HOST=0.0.0.0\nSIGNALBOX_CRUD_RATE=77\nSIGNALBOX_DB=${trap}/evil.db\nXDG_DATA_HOME=${trap}\nBUN_OPTIONS=--preload=${trap}/evil.ts\nNODE_OPTIONS=--require=${trap}/evil.js\n`
  for (const name of [".env", ".env.local", ".env.production", ".env.development"])
    writeFileSync(join(trap, name), settings)
  writeFileSync(
    join(trap, "bunfig.toml"),
    `preload = ["./evil.ts"]\n[run]\nbun = true\n[test]\npreload = ["./evil.ts"]\n`
  )
  for (const name of ["evil.ts", "evil.js", "main.ts", "index.ts", "node_modules/effect/index.js"])
    writeFileSync(join(trap, name), script)
  writeFileSync(
    join(trap, "package.json"),
    `{"name":"effect","main":"evil.js","imports":{"#x":"./evil.js"},"scripts":{"serve":"./evil.js"}}`
  )
  writeFileSync(join(trap, "tsconfig.json"), `{"compilerOptions":{"paths":{"*":["./evil.ts"]}}}`)
  const surroundings = { cwd: trap, env: { HOME: home, XDG_DATA_HOME: "", STATE_DIRECTORY: "" } }
  const seen = Bun.spawn([PROGRAM, "serve", "--port", "0"], {
    cwd: trap,
    env: { PATH: process.env["PATH"], HOME: home },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })
  const heard = await firstLine(seen.stderr)
  tally.check(/listening on http:\/\/127\.0\.0\.1:/.test(heard), () => `it said: ${heard}`)
  tally.check(
    heard.includes(`database ${home}/.local/share/signalbox/signalbox.db`),
    () => `it said: ${heard}`
  )
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(heard)?.[1])
  const db = join(home, ".local/share/signalbox/signalbox.db")
  const person = new Person(port, await token(db, "me", "full"))
  const listed = await person.ask("GET", "/v1/signals")
  tally.check(
    listed?.headers.get("ratelimit-policy") === '"signals";q=2;w=1',
    () => `its rate is ${listed?.headers.get("ratelimit-policy")}`
  )
  person.line.close()
  seen.kill("SIGTERM")
  tally.check((await seen.exited) === 0, () => `it ended with ${seen.exitCode}`)
  for (const args of [
    ["--help"],
    ["serve", "--help"],
    ["token", "list", "--db", db],
    ["example", join(folder, "example")]
  ])
    tally.check((await command(args, surroundings)).exitCode === 0, () => `${args.join(" ")} failed`)
  // The port of the trap needs no right that root lacks: whichever port it is, it must not be that one.
  const plain = await Promise.race([
    command(["serve", "--db", join(folder, "y.db"), "--host", "256.0.0.1"], surroundings),
    Bun.sleep(5000)
  ])
  tally.check(plain?.stderr.includes(":8080") === true, () => `it said: ${plain?.stderr}`)
  tally.check(!existsSync(sprung), () => "a script of the folder was run")
  tally.check(!existsSync(join(trap, "evil.db")), () => "the database of the folder's .env was made")
  const { stdout } = await command(["serve", "--help"], {
    env: { ...surroundings.env, SIGNALBOX_DB: "/canary/in/help.db", SIGNALBOX_HOST: "canary.example" }
  })
  tally.check(!stdout.includes("canary"), () => "--help shows what the environment holds")
  return tally.row("sealed: an evil folder", "nothing of it was run or read")
}

/** Whatever the umask, files are for their owner alone. */
const modes = async (folder: string): Promise<Row> => {
  const tally = new Tally()
  for (const umask of ["000", "022", "077"]) {
    const home = join(folder, umask)
    const data = join(home, "new/data")
    const db = join(data, "x.db")
    const child = Bun.spawn(
      ["sh", "-c", `umask ${umask}; exec "$0" "$@"`, PROGRAM, "serve", "--port", "0", "--db", db],
      {
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe"
      }
    )
    const heard = await firstLine(child.stderr)
    const person = new Person(Number(/127\.0\.0\.1:(\d+)/.exec(heard)?.[1]), await token(db, "me", "full"))
    await person.make("signal", {})
    for (const name of readdirSync(data)) {
      const mode = (statSync(join(data, name)).mode & 0o777).toString(8)
      tally.check(mode === "600", () => `umask ${umask}: ${name} has mode ${mode}`)
    }
    const names = readdirSync(data)
    for (const name of ["x.db", "x.db-wal", "x.db-shm", "x.db.lock"])
      tally.check(names.includes(name), () => `umask ${umask}: there is no ${name}, but ${names.join(", ")}`)
    for (const name of [data, join(home, "new")]) {
      const mode = (statSync(name).mode & 0o777).toString(8)
      tally.check(mode === "700", () => `umask ${umask}: ${name} has mode ${mode}`)
    }
    person.line.close()
    child.kill("SIGTERM")
    await child.exited
  }
  return tally.row("sealed: modes of files", "0600, folders 0700")
}

/** Every kind of answer says what browsers and proxies have to know, and nothing of what runs it. */
const dressed = async (folder: string): Promise<Row> => {
  const tally = new Tally()
  const db = join(folder, "x.db")
  const server = await Served.start(db, NO_LIMITS)
  const ann = new Person(server.port, await token(db, "ann", "full"))
  const hook = new Person(server.port, await token(db, "ann", "alerts"))
  const stranger = new Line(server.port)
  const seen = new Map<number, number>()
  const look = (what: string, wanted: number, reply: Reply | undefined) => {
    tally.check(reply?.status === wanted, () => `${what}: ${reply?.status} and not ${wanted}`)
    if (reply === undefined) return
    seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1)
    for (const flaw of flaws(reply)) tally.check(false, () => `${what}: ${reply.status}: ${flaw}`)
    tally.check(
      reply.status < 400 || reply.status === 422 || reply.body.length < MAX_ERROR_BYTES,
      () => `${what}: an error of ${reply.body.length} bytes`
    )
  }
  const strategies = "/v1/strategies"
  const typed = { authorization: `Bearer ${ann.token}`, "content-type": "text/plain" }
  const big = "x".repeat(65_537)
  const signal = { name: "x", description: "", active: true, public: false }
  for (const target of ["/healthz", "/readyz", "/openapi.json", "/docs"])
    look(target, 200, await stranger.ask({ method: "GET", target }))
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

/** Faults of the server's own, and what it says while it goes down. */
const failing = async (
  server: Served,
  db: string,
  ann: Person,
  look: (what: string, wanted: number, reply: Reply | undefined) => void
): Promise<void> => {
  const outside = new Database(db)
  outside.run("PRAGMA busy_timeout = 5000")
  outside.run("ALTER TABLE signals RENAME TO signals_gone")
  await Bun.sleep(200)
  look("a fault", 500, await ann.ask("GET", "/v1/signals/1"))
  outside.run("ALTER TABLE signals_gone RENAME TO signals")
  outside.close()
  const held = await Wire.open(server.port)
  held.send(
    `POST /v1/signals HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ann.token}\r\nContent-Length: 9\r\n\r\n{`
  )
  await Bun.sleep(100)
  server.child.kill("SIGTERM")
  await Bun.sleep(100)
  look("going down", 503, await ann.ask("GET", "/v1/signals"))
  look("not ready", 503, await ann.ask("GET", "/readyz"))
  held.close()
  await server.child.exited
}

/** What the runtime says by itself, before anything of ours is asked: short, and without its name. */
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
  "referrer-policy": "no-referrer",
  "cache-control": "no-store"
}
const POLICY = ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]

const flaws = (reply: Reply): ReadonlyArray<string> => {
  const found = Object.entries(STANDING).flatMap(([name, value]) =>
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

/** Wrong tokens: ten a minute for one peer, whom only a trusted proxy may name; a good token always passes. */
const strangers = async (folder: string): Promise<Row> => {
  const tally = new Tally()
  for (const [args, byHeader] of [
    [[], false],
    [["--trusted-proxies", "10.0.0.0/8"], false],
    [["--trusted-proxies", "10.0.0.0/8,127.0.0.1"], true]
  ] as const) {
    const db = join(folder, `${args.join("_").replaceAll("/", "-")}.db`)
    const server = await Served.start(db, [...NO_LIMITS, ...args])
    const good = new Person(server.port, await token(db, "ann", "full"))
    const line = new Line(server.port)
    const statuses: Array<number> = []
    for (let index = 0; index < 12; index++) {
      const headers = { authorization: "Bearer sbx_api_wrong", "x-forwarded-for": `198.51.100.${index}` }
      statuses.push((await line.ask({ method: "GET", target: "/v1/signals", headers }))?.status ?? 0)
    }
    const limited = statuses.filter((status) => status === 429).length
    tally.check(limited === (byHeader ? 0 : 2), () => `${args.join(" ")}: ${statuses.join(", ")}`)
    tally.check(
      (await good.ask("GET", "/v1/signals"))?.status === 200,
      () => `${args.join(" ")}: a good token`
    )
    good.line.close()
    line.close()
    await server.stop()
  }
  const refused = await command([
    "serve",
    "--port",
    "0",
    "--db",
    join(folder, "no.db"),
    "--trusted-proxies",
    "everybody"
  ])
  tally.check(
    refused.exitCode === 1 && refused.stderr.includes("--trusted-proxies"),
    () => `a list that is none: ${refused.exitCode}, ${refused.stderr}`
  )
  return tally.row("sealed: wrong tokens", "10 a minute, then 429")
}

const firstLine = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  let text = ""
  const decoder = new TextDecoder()
  for await (const bytes of stream.values({ preventCancel: true })) {
    text += decoder.decode(bytes, { stream: true })
    if (text.includes("\n")) break
  }
  return text
}
