// Sends tokens, mostly wrong ones, through every path, and then searches everything that the program wrote for them.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { addressOf, written } from "../lib/postgres/Runner.ts"
import { command, inFolder, Served, token } from "./Program.ts"
import { change } from "./Rows.ts"
import type { Row, Suite } from "./suite.ts"
import { Tally } from "./Tally.ts"
import { Line, Wire } from "./Wire.ts"
import { described } from "./walls/Routes.ts"
import { type Attempt, attempts, percentEncoded, raws } from "./walls/Secrets.ts"
import { vaulted } from "./walls/Vaulted.ts"

/** A secret that must not appear anywhere. */
interface Secret {
  readonly name: string
  readonly text: string
}

/** Written output, and where it was found. */
interface Trace {
  readonly place: string
  readonly text: string
}

const NO_LIMITS = ["--alert-rate", "0", "--crud-rate", "0"]
const LOUD = { ahead: ["--log-level", "all"] }

export const suite: Suite = () => inFolder((home) => inFolder((folder) => searched(folder, home)))
export default suite

/** `home` holds the master key, and nothing that is searched. */
const searched = async (folder: string, home: string) => {
  const db = join(folder, "x.db")
  const traces: Array<Trace> = []
  const loud = { ...LOUD, env: { XDG_CONFIG_HOME: home } }
  const first = await Served.start(db, NO_LIMITS, loud)
  const tokens = await made(db)
  const sent = new Tally()
  const exchange = await vaulted(db, home, sent)
  const secrets = [...tokens, ...exchange.secrets, ...(await notified(db, home, sent))]
  traces.push(...exchange.outputs)
  await attack(first, secrets, traces, sent)
  traces.push(await measured(first, db, sent))
  await killed(first, secrets)
  traces.push({ place: "the log", text: first.printed })
  const second = await Served.start(db, NO_LIMITS, loud)
  await attack(second, secrets, traces, sent)
  traces.push(await measured(second, db, sent))
  await broken(second, db, secrets, traces)
  traces.push(...(await commands(db, folder, home)))
  await second.stop()
  traces.push({ place: "the log after the kill", text: second.printed })
  for (const name of readdirSync(folder)) {
    traces.push({ place: name, text: readFileSync(join(folder, name), "latin1") })
  }
  traces.push(...written(db))
  await exchange.stub.stop()
  return [
    sent.row("canary: requests with secrets", `${secrets.length} secrets`),
    found([...secrets, ...wayInto(db)], traces)
  ]
}

/** What lets the program into its database, where that is one of Postgres. */
const wayInto = (db: string): ReadonlyArray<Secret> => {
  const address = addressOf(db)
  if (address === undefined) return []
  const { password, username } = new URL(address)
  return [{ name: "of Postgres", text: `${username}:${password}` }]
}

/** Notification targets, with addresses and tokens that must not be shown again. */
const notified = async (db: string, home: string, sent: Tally): Promise<ReadonlyArray<Secret>> => {
  const random = () => Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("hex")
  const [bot, path, topic] = [`123456:${random()}`, random(), random()]
  for (const [kind, input, ...more] of [
    ["telegram", bot, "--chat", "1"],
    ["discord", `https://discord.invalid/${path}`],
    ["ntfy", `https://ntfy.invalid/${topic}\n`]
  ] as const) {
    const args = ["notify", "add", kind, "--account", "ann", ...more, "--db", db]
    const { exitCode, stderr } = await command(args, { env: { XDG_CONFIG_HOME: home }, input })
    sent.check(exitCode === 0, () => `notify add ${kind}: ${stderr}`)
  }
  return [
    { name: "of a Telegram bot", text: bot },
    { name: "of a Discord webhook", text: path },
    { name: "of a topic", text: topic }
  ]
}

const made = async (db: string): Promise<ReadonlyArray<Secret>> => {
  const full = await token(db, "ann", "full")
  const hook = await token(db, "ann", "alerts")
  const revoked = await token(db, "ann", "full")
  const listed: ReadonlyArray<{ readonly id: number }> = JSON.parse(
    (await command(["token", "list", "--json", "--db", db])).stdout
  )
  await command(["token", "revoke", `${listed.at(-1)?.id}`, "--db", db])
  const expired = await command(["token", "create", "--account", "ann", "--expires", "1s", "--db", db])
  const unknown = await token(`${db}.other`, "ann", "full")
  return [
    { name: "scope full", text: full },
    { name: "scope alerts", text: hook },
    { name: "revoked", text: revoked },
    { name: "expired", text: expired.stdout.split("\n")[0] ?? "" },
    { name: "of another server", text: unknown },
    { name: "with a typo", text: `${full.slice(0, 9)}${[...full.slice(9)].reverse().join("")}` },
    { name: "not of ours", text: "hunter2-hunter2-hunter2-hunter2-hunter2" }
  ]
}

/** Sends every secret in every place of every kind of request, and keeps all answers. */
const attack = async (
  server: Served,
  secrets: ReadonlyArray<Secret>,
  traces: Array<Trace>,
  sent: Tally
): Promise<void> => {
  const line = new Line(server.port)
  const { operations } = await described(line)
  for (const { name, text } of secrets) {
    const everywhere: ReadonlyArray<Attempt> = operations.map(({ method, path }) => ({
      method,
      target: path.replace("{id}", "1"),
      headers: { authorization: `Bearer ${text}` }
    }))
    for (const attempt of [...attempts(text), ...everywhere]) {
      const reply = await line.ask(attempt)
      const where = `${attempt.method} ${attempt.target.replaceAll(text, "…")}`
      sent.check(
        reply === undefined || reply.status < 500,
        () => `${where} with a token ${name}: ${reply?.status}`
      )
      if (reply === undefined) continue
      traces.push({
        place: where,
        text: `${[...reply.headers].join("\n")}\n${reply.body.toString("latin1")}`
      })
    }
    await Promise.all(raws(text).map((bytes) => broached(server.port, bytes, text, traces, sent)))
  }
  for (const target of ["/openapi.json", "/docs", "/guide", "/healthz", "/readyz"]) {
    const reply = await line.ask({ method: "GET", target })
    traces.push({ place: target, text: reply?.body.toString("latin1") ?? "" })
  }
  line.close()
}

/** Reads the metrics with a token of its own, because the earlier ones may be revoked. */
const measured = async (server: Served, db: string, sent: Tally): Promise<Trace> => {
  const line = new Line(server.port)
  const headers = { authorization: `Bearer ${await token(db, "ann", "full")}` }
  const reply = await line.ask({ method: "GET", target: "/metrics", headers })
  line.close()
  sent.check(reply?.status === 200, () => `the metrics were answered ${reply?.status}`)
  return { place: "/metrics", text: reply?.body.toString("latin1") ?? "" }
}

/** Sends bytes that make no whole request. */
const broached = async (
  port: number,
  bytes: string,
  secret: string,
  traces: Array<Trace>,
  sent: Tally
): Promise<void> => {
  const wire = await Wire.open(port)
  wire.send(bytes)
  for (const reply of await wire.replies("GET", 150)) {
    const place = bytes.slice(0, 60).replaceAll(secret, "…")
    traces.push({ place, text: `${[...reply.headers].join("\n")}\n${reply.body.toString("latin1")}` })
    sent.check(reply.status < 500 || reply.status === 505, () => `${place}: ${reply.status}`)
  }
  wire.close()
}

/** Kills the server in the middle of requests that carry secrets. */
const killed = async (server: Served, secrets: ReadonlyArray<Secret>): Promise<void> => {
  const wires = await Promise.all(secrets.map(() => Wire.open(server.port)))
  for (const [index, wire] of wires.entries()) {
    const text = secrets[index]?.text ?? ""
    wire.send(
      `POST /v1/signals/charting?key=${text} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"key":"${text}"`
    )
    wire.send(`POST /v1/signals/alert HTTP/1.1\r\nAuthorization: Bearer ${text}\r\nX: `)
  }
  await Bun.sleep(50)
  await server.stop("SIGKILL")
  for (const wire of wires) wire.close()
}

/** Drops tables, so that requests fail and the log says why. */
const broken = async (
  server: Served,
  db: string,
  secrets: ReadonlyArray<Secret>,
  traces: Array<Trace>
): Promise<void> => {
  for (const table of ["signals", "strategies", "alerts", "tokens"])
    change(db, `ALTER TABLE ${table} RENAME TO ${table}_gone`)
  await Bun.sleep(200)
  const line = new Line(server.port)
  for (const { text } of secrets) {
    for (const attempt of attempts(text)) {
      const reply = await line.ask(attempt)
      if (reply === undefined) continue
      const where = `${attempt.method} ${attempt.target.replaceAll(text, "…")}, broken`
      traces.push({
        place: where,
        text: `${[...reply.headers].join("\n")}\n${reply.body.toString("latin1")}`
      })
    }
  }
  line.close()
}

/** The output of the commands, and a backup. */
const commands = async (db: string, folder: string, home: string): Promise<ReadonlyArray<Trace>> => {
  const { stdout: help } = await command(["--help"])
  const all = [
    ["token", "list", "--db", db],
    ["token", "list", "--json", "--db", db],
    ["account", "list", "--db", db],
    ["config", "--json", "--db", db],
    ["serve", "--help"],
    ["--log-level", "all", "token", "list", "--db", db],
    ...(/^\s*backup\b/m.test(help) ? [["backup", join(folder, "backup.db"), "--db", db]] : []),
    ...(/^\s*doctor\b/m.test(help) ? [["doctor", "--db", db]] : [])
  ]
  const ended = await Promise.all(all.map((args) => command(args, { env: { XDG_CONFIG_HOME: home } })))
  return ended.map(({ stderr, stdout }, index) => ({
    place: `signalbox ${all[index]?.join(" ")}`,
    text: `${stdout}${stderr}`
  }))
}

const found = (secrets: ReadonlyArray<Secret>, traces: ReadonlyArray<Trace>): Row => {
  const tally = new Tally()
  let bytes = 0
  for (const { place, text } of traces) {
    bytes += text.length
    for (const secret of secrets) {
      const needles = forms(secret.text)
      tally.check(
        !needles.some((needle) => text.includes(needle)),
        () => `the token ${secret.name} stands in ${place}`
      )
    }
  }
  const logged = traces.filter(({ place }) => place.startsWith("the log")).map(({ text }) => text)
  // An empty log would prove nothing.
  tally.check(
    logged.some((text) => text.includes("a request failed")),
    () => "nothing was logged of the broken tables"
  )
  return tally.row(
    "canary: secrets found",
    `${traces.length} traces, ${(bytes / 2 ** 20).toFixed(1)} MiB searched`
  )
}

/** A secret as it is, in part, and in common encodings. */
const forms = (secret: string): ReadonlyArray<string> => {
  const bytes = Buffer.from(secret)
  const middle = secret.slice(9, 30)
  return [
    middle,
    [...middle].reverse().join(""),
    bytes.toString("base64").slice(0, 40),
    bytes.toString("hex").slice(0, 60),
    percentEncoded(middle),
    percentEncoded(percentEncoded(middle)),
    Buffer.from(`key=${secret}`).toString("base64").slice(8, 40)
  ]
}
