// `ci [--database]`: the built program as a stranger meets it. Served from an empty folder, talked to, killed, restarted.
// Follows the interface and nothing of ours, so that it holds whatever src becomes.
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { PASSWORD } from "../test/lib/postgres/Database.ts"
import * as Runner from "../test/lib/postgres/Runner.ts"
import { type Answer, Binary, type Server } from "./binary.ts"

const tally = { passed: 0, failed: 0 }
const check = (name: string, holds: boolean, saw: unknown = "") => {
  tally[holds ? "passed" : "failed"] += 1
  console.log(`smoke    ${holds ? "ok  " : "FAIL"} ${name}${holds ? "" : `: ${JSON.stringify(saw)}`}`)
}

/** On a scratch server of Postgres in place of a file. */
const isOnPostgres = process.argv.includes("--database")
if (isOnPostgres) await Runner.begin()

const binary = new Binary()
const integer = (value: unknown) => Number.isSafeInteger(value)
const shown = ({ status, text }: Answer) => [status, text.slice(0, 500)]

const scenario = async () => {
  const first = binary.serve()
  await starts("it", first)
  const secret = createsToken()
  const authorization = `Bearer ${secret}`
  await refusesStrangers(first)
  const id = await keepsSignals(first, authorization)
  const location = await takesAlerts(first, authorization, id)
  await takesWebhooks(first, secret, id)
  const cookie = await showsDashboard(first, secret)
  await guardsDatabase()
  await first.stop("SIGKILL")

  const again = binary.serve()
  await starts("after kill -9 it", again)
  const alert = await again.call(location, { headers: { authorization } })
  check("the alert it answered is still there", recorded(alert, id), shown(alert))
  await endsSessions(again, cookie)
  const exit = await again.stop("SIGTERM")
  check("SIGTERM: exit 0", exit === 0, exit)
  check("no token was printed", !binary.printed.includes(secret))
  check("nor a password of Postgres", !binary.printed.includes(PASSWORD))
  check("nor what a session is shown by", !binary.printed.includes(cookie.split("=")[1] ?? "?"))
  backTests()
  showsDemo()
}

/** The files that `example` writes, through the programs that they are for. */
const backTests = () => {
  const example = binary.plain("example", "example")
  check("example: exit 0", example.exitCode === 0, example.stderr)
  const candles = readdirSync(join(binary.folder, "example")).find((name) => name.endsWith(".csv.gz"))
  const files = [
    ...["--strategy", "example/strategy.json", "--alerts", "example/alerts.jsonl"],
    ...["--candles", `BTC/USDT=example/${candles}`, "--json"]
  ]
  const { body } = binary.plain("backtest", ...files)
  const trades = body["trades"]
  check("backtest trades on them", Array.isArray(trades) && trades.length > 0, Object.keys(body))
  const sweep = binary.plain("sweep", "--grid", "example/grid.json", ...files)
  const rows = sweep.body["rows"]
  check("sweep ranks a grid of them", Array.isArray(rows) && rows.length === 40, sweep.stderr.slice(-300))
}

const showsDemo = () => {
  const { body, exitCode } = binary.plain("demo", "--json")
  const strategies = Array.isArray(body["strategies"]) ? body["strategies"] : []
  const trading = strategies.filter(({ trades }) => trades.length > 0)
  check("demo: exit 0, and all four strategies trade", exitCode === 0 && trading.length === 4, trading.length)
}

const starts = async (name: string, server: Server) => {
  for (const route of ["/healthz", "/readyz"]) {
    const status = await server.becomes200(route)
    check(`${name} starts: ${route}`, status === 200, [status, binary.printed.slice(-1000)])
  }
}

const createsToken = (): string => {
  const { exitCode, body, stderr } = binary.run("token", "create", "--account", "ci", "--json")
  const fields = ["id", "token", "account", "scope", "expires_at"]
  check("token create: exit 0", exitCode === 0, stderr.slice(-500))
  check(
    `token create --json prints ${fields.join(", ")}`,
    fields.every((field) => field in body) && body["account"] === "ci" && body["scope"] === "full",
    Object.keys(body)
  )
  const secret = String(body["token"])
  check("the token is sbx_api_ and 38 or more of Base62", /^sbx_api_[0-9A-Za-z]{38,}$/.test(secret))
  return secret
}

const refusesStrangers = async (server: Server) => {
  const answer = await server.call("/v1/signals")
  const { status, headers, body } = answer
  check("without a token: 401", status === 401, shown(answer))
  check("and WWW-Authenticate: Bearer", /^Bearer\b/.test(headers.get("www-authenticate") ?? ""), [...headers])
  const problem =
    (headers.get("content-type") ?? "").startsWith("application/problem+json") &&
    body["status"] === 401 &&
    body["message"] === body["detail"] &&
    ["type", "title", "code", "errors", "request_id"].every((field) => field in body)
  check("and a problem document", problem, shown(answer))
}

const keepsSignals = async (server: Server, authorization: string): Promise<unknown> => {
  const signal = { name: "smoke", description: "from scripts/smoke.ts", active: "1", public: "0" }
  const created = await server.call("/v1/signals", {
    method: "POST",
    headers: { authorization },
    body: new URLSearchParams(signal)
  })
  const { id, created_at, updated_at, ...rest } = created.body
  check("POST /v1/signals, a form: 201", created.status === 201, shown(created))
  check(
    "its body is the signal",
    [id, created_at, updated_at].every(integer) &&
      Bun.deepEquals(rest, { ...signal, active: true, public: false }),
    shown(created)
  )
  const location = created.headers.get("location")
  check("its Location is the signal's", location?.endsWith(`/v1/signals/${id}`) === true, location)
  const read = await server.call(`/v1/signals/${id}`, { headers: { authorization } })
  check(
    "GET gives the same signal",
    read.status === 200 && Bun.deepEquals(read.body, created.body),
    shown(read)
  )
  return id
}

const order = { coin: "BTC", quote_currency: "USDT", type: "buy" }

const recorded = ({ status, body }: Answer, id: unknown) =>
  status === 200 &&
  body["signal_id"] === id &&
  Object.entries(order).every(([field, value]) => body[field] === value) &&
  Array.isArray(body["outcomes"])

const takesAlerts = async (server: Server, authorization: string, id: unknown): Promise<string> => {
  const send = (signal: unknown) =>
    server.call("/v1/signals/alert", {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({ ...order, signal_id: `${signal}` })
    })
  const sent = await send(id)
  const success = sent.body["type"] === "success" && typeof sent.body["message"] === "string"
  check("POST /v1/signals/alert: success", sent.status === 200 && success, shown(sent))
  const location = sent.headers.get("location") ?? ""
  check("its Location is the alert's", /\/v1\/alerts\/\d+$/.test(location), location)
  const read = await server.call(location, { headers: { authorization } })
  check("which can be read", recorded(read, id), shown(read))
  const unknown = await send(999_999)
  check("an alert to an unknown signal: 404", unknown.status === 404, shown(unknown))
  return location
}

const takesWebhooks = async (server: Server, secret: string, id: unknown) => {
  const answer = await server.call(`/v1/signals/charting?key=${secret}`, {
    method: "POST",
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: JSON.stringify({ ...order, signal_id: id, type: "sell" })
  })
  check("the webhook takes JSON sent as text", answer.status === 200, shown(answer))
}

const SESSION = "/v1/dashboard/session"

/** What a browser does: the page, all that it names, and signing in. */
const showsDashboard = async (server: Server, token: string): Promise<string> => {
  const page = await server.call("/", { headers: { "accept-encoding": "br" } })
  const policy = page.headers.get("content-security-policy") ?? ""
  check("the dashboard is at /", page.status === 200 && /^<!doctype html>/i.test(page.text), shown(page))
  check("small, and under a strict policy", page.headers.get("content-encoding") === "br", [...page.headers])
  check("which lets nothing run but its own", /^default-src 'none'; script-src 'self';/.test(policy), policy)
  const named = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path ?? "")
  const parts = await Promise.all(named.map((path) => server.call(path)))
  const kept = parts.every(
    ({ headers, status }) => status === 200 && /immutable/.test(headers.get("cache-control") ?? "")
  )
  check("all that it names is there, to be kept", named.length >= 3 && kept, named)
  const guide = await server.call("/guide/bots", { headers: { "accept-encoding": "br" } })
  check("the guide is at /guide", guide.status === 200 && guide.text.includes(`id="stop_loss"`), shown(guide))
  const body = JSON.stringify({ token })
  const stranger = { origin: "http://evil.example" }
  const forced = await server.call(SESSION, { method: "POST", headers: stranger, body })
  check("another site signs nobody in: 403", forced.status === 403, shown(forced))
  const signedIn = await server.call(SESSION, { method: "POST", headers: { origin: server.base }, body })
  const set = signedIn.headers.get("set-cookie") ?? ""
  check("a token signs in", signedIn.status === 200 && signedIn.body["account"] === "ci", shown(signedIn))
  check("by a cookie for this site alone", /; HttpOnly; SameSite=Strict$/.test(set), set.slice(44))
  const cookie = set.split(";")[0] ?? ""
  const read = await server.call("/v1/dashboard/exchanges", { headers: { cookie } })
  check("which reads", read.status === 200, shown(read))
  const crossing = await server.call(SESSION, { method: "DELETE", headers: { cookie, ...stranger } })
  check("and changes nothing for another site: 403", crossing.status === 403, shown(crossing))
  const headers = { cookie, origin: server.base }
  const backup = await server.call("/v1/dashboard/backup", { method: "POST", headers })
  if (isOnPostgres) {
    const isLeft = backup.status === 409 && backup.text.includes("pg_dump")
    check("a backup is left to Postgres, in words", isLeft, shown(backup))
    return cookie
  }
  const files = readdirSync(join(binary.folder, "backups"))
  const isWritten = backup.status === 200 && files.join() === String(backup.body["file"])
  check("a backup is written on demand", isWritten, [shown(backup), files])
  return cookie
}

const endsSessions = async (server: Server, cookie: string) => {
  const before = await server.call(SESSION, { headers: { cookie } })
  check("the session outlives kill -9", before.status === 200, shown(before))
  const { exitCode } = binary.run("token", "revoke", String(before.body["token_id"]))
  await Bun.sleep(100)
  const after = await server.call(SESSION, { headers: { cookie } })
  const ended = after.status === 200 && after.body["account"] === null
  check("and ends with its token", exitCode === 0 && ended, shown(after))
}

const guardsDatabase = async () => {
  const code = await binary.serve().stop()
  check("a second server on the database is refused", typeof code === "number" && code !== 0, code)
  if (isOnPostgres) return
  const files = readdirSync(binary.folder).filter((name) => name.startsWith("x.db"))
  const open = files.filter((name) => (statSync(join(binary.folder, name)).mode & 0o077) !== 0)
  check("the database is its owner's alone", existsSync(binary.db) && open.length === 0, open)
}

try {
  await scenario()
} catch (error) {
  check("the scenario runs to its end", false, String(error))
} finally {
  await binary.remove()
}
if (tally.failed > 0) console.log(`the server printed:\n${binary.printed.slice(-4000)}`)
console.log(`${tally.passed} passed, ${tally.failed} failed`)
process.exit(tally.failed === 0 ? 0 : 1)
