// Backups of a server that trades under load, each restored in a new folder: the same chain, rows and figures.
import { Database } from "bun:sqlite"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import * as VerifyLedger from "../../src/sql/verify/VerifyLedger.ts"
import { VERSION } from "../../src/sqlite/Migrations.ts"
import * as FileSource from "../../src/sqlite/verify/FileSource.ts"
import { addressOf } from "../lib/postgres/Runner.ts"
import { command, inFolder, Served, token } from "./Program.ts"
import { leftOut, type Suite } from "./suite.ts"

const CLIENTS = 4
const STRATEGIES = 6
/** A client's pause after each alert: together they send about 30 a second, the usual limit. */
const PAUSE_MS = 125
/** How long an alert's answer may take on a shared machine. */
const PATIENCE_MS = 1_000

const suite: Suite = async ({ short }) =>
  inFolder(async (folder) => {
    if (addressOf("any.db") !== undefined)
      return [leftOut("backup under load, and restore", "its backups are Postgres' own")]
    const db = join(folder, "live", "x.db")
    const backups = short ? 3 : 20
    const secret = await token(db, "ann", "full")
    fill(db, short ? 40_000 : 400_000)
    await command(["example", join(folder, "example")])
    const server = await Served.start(db, [
      ...["--prices", `replay:${join(folder, "example")}`, "--replay-speed", "600"],
      ...["--crud-rate", "0", "--alert-rate", "0"]
    ])
    const faults: Array<string> = []
    const load = new Load(server, secret)
    try {
      await load.prepare()
      load.begin()
      await Bun.sleep(short ? 1_500 : 10_000)
      const before = load.cut()
      const files: Array<string> = []
      let longest = 0
      for (let count = 0; count < backups; count++) {
        const file = join(folder, `${count}.backup`)
        const began = performance.now()
        const { exitCode, stderr } = await command(["backup", file, "--db", db])
        longest = Math.max(longest, performance.now() - began)
        if (exitCode === 0) files.push(file)
        else faults.push(`backup ${count} ended with ${exitCode}: ${stderr.trim()}`)
      }
      const during = load.cut()
      const beside = await verified(db)
      await load.end()
      await server.stop()
      if (!beside.sound) faults.push("beside the server, verify finds the books not sound")
      const live = await verified(db)
      if (!live.sound) faults.push("after its end, verify finds the books of the server not sound")
      if (live.rows["trades"] === 0) faults.push("the server has not traded")
      const stalls = [
        ...load.faults,
        ...(during.worst > PATIENCE_MS ? [`an answer took ${during.worst} ms`] : [])
      ]

      const broken: Array<string> = []
      let slowest = 0
      for (const file of files) {
        const { faults, seconds } = await restored(file, db, join(`${file}.new`, "y.db"), secret)
        broken.push(...faults)
        slowest = Math.max(slowest, seconds)
      }
      const size = (statSync(db).size / 2 ** 20).toFixed(0)
      return [
        {
          test: "backup under load",
          trials: backups,
          failures: faults.length + stalls.length,
          worst: `${(longest / 1000).toFixed(1)} s for ${size} MiB; answers at most ${during.worst} ms meanwhile (p99 ${during.p99}), ${before.worst} ms before (p99 ${before.p99}), ${during.count} alerts`,
          details: [...faults, ...stalls].slice(0, 5)
        },
        {
          test: "restore",
          trials: files.length,
          failures: broken.length,
          worst: `${slowest.toFixed(1)} s, ${live.rows["trades"]} trades in the end`,
          details: broken.slice(0, 5)
        }
      ]
    } finally {
      await load.end()
      await server.stop("SIGKILL")
    }
  })

export default suite

/** Fills the database, because a backup of an empty one would end too soon to be measured. */
const fill = (db: string, rows: number) => {
  const database = new Database(db)
  const insert = database.prepare(
    "INSERT INTO timeline (strategy_id, at, rule, text) VALUES (1000000, 9000000000000, 'opened', ?)"
  )
  database.transaction(() => {
    for (let row = 0; row < rows; row++) insert.run(`${row} ${"filler ".repeat(60)}`)
  })()
  database.close()
}

interface Stretch {
  readonly count: number
  readonly p99: number
  readonly worst: number
}

/** Clients that send alerts in sequence, and keep the time of each answer. */
class Load {
  readonly faults: Array<string> = []
  private readonly server: Served
  private readonly headers: Record<string, string>
  private signal = 0
  private times: Array<number> = []
  private clients: ReadonlyArray<Promise<void>> = []
  private over = false

  constructor(server: Served, secret: string) {
    this.server = server
    this.headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
  }

  async prepare(): Promise<void> {
    this.signal = await this.create("/v1/signals", {
      name: "s",
      description: "",
      active: true,
      public: false
    })
    for (let number = 0; number < STRATEGIES; number++) {
      await this.create("/v1/strategies", {
        ...{ name: `${number}`, description: "", active: true, public: false, signal_id: this.signal },
        ...{ default_quote_currency: "USDT", default_exchange_name: "bybit", buy_percentage: 10 + number },
        exchanges: [{ exchange_name: "bybit", coin_pairs: ["BTC/USDT"] }]
      })
    }
  }

  begin(): void {
    this.clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let number = client; !this.over; number++) {
        const type = number % 2 === 0 ? "buy" : "sell"
        const began = performance.now()
        const status = await this.post("/v1/signals/alert", {
          ...{ signal_id: this.signal, coin: "BTC", quote_currency: "USDT", type }
        }).then(
          (response) => response.status,
          (error) => `${error}`
        )
        this.times.push(performance.now() - began)
        if (status !== 200) this.faults.push(`an alert was answered with ${status}`)
        await Bun.sleep(PAUSE_MS)
      }
    })
  }

  /** The measurements since the last cut. */
  cut(): Stretch {
    const times = this.times.sort((one, other) => one - other)
    this.times = []
    const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0)
    return { count: times.length, p99: at(0.99), worst: at(1) }
  }

  async end(): Promise<void> {
    this.over = true
    await Promise.all(this.clients)
  }

  private async create(path: string, body: unknown): Promise<number> {
    const response = await this.post(path, body)
    const id = Number(response.headers.get("location")?.split("/").at(-1))
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return id
  }

  private post(path: string, body: unknown): Promise<Response> {
    return this.server.fetch(path, { method: "POST", headers: this.headers, body: JSON.stringify(body) })
  }
}

interface Verified {
  readonly sound: boolean
  readonly head: string
  readonly rows: Readonly<Record<string, number>>
}

const verified = async (db: string): Promise<Verified> => {
  const { stdout, stderr } = await command(["verify", "--db", db, "--json"])
  if (stdout === "") throw new Error(`verify said nothing: ${stderr}`)
  return JSON.parse(stdout)
}

/** Restores a backup in a new folder and serves it; returns the differences from the backup's moment. */
const restored = async (file: string, live: string, db: string, secret: string) => {
  const faults: Array<string> = []
  const began = performance.now()
  const { exitCode, stderr } = await command(["restore", file, "--db", db])
  const seconds = (performance.now() - began) / 1000
  if (exitCode !== 0) return { faults: [`restore ended with ${exitCode}: ${stderr.trim()}`], seconds }
  const [backup, copy] = [await verified(file), await verified(db)]
  if (!backup.sound || !copy.sound) faults.push(`${file} or what it was restored to is not sound`)
  if (!Bun.deepEquals([backup.head, backup.rows], [copy.head, copy.rows]))
    faults.push(`${file} is not what was restored`)
  if (headAt(live, backup.rows["ledger"] ?? 0) !== copy.head)
    faults.push(`${file} is no part of the live chain`)
  const open = readdirSync(join(db, "..")).filter(
    (name) => (statSync(join(db, "..", name)).mode & 0o077) !== 0
  )
  if (open.length > 0) faults.push(`others may read ${open.join(", ")}`)

  const figures = figuresOf(file)
  if (!Bun.deepEquals(figures, figuresOf(db))) faults.push(`${file}: the figures are not those of the backup`)

  const server = await Served.start(db)
  if (!server.printed.includes("this database was restored from"))
    faults.push("the server does not say that it is a restored one")
  const response = await server.fetch("/v1/strategies", { headers: { authorization: `Bearer ${secret}` } })
  const { data }: { readonly data: ReadonlyArray<Shown> } = JSON.parse(await response.text())
  await server.stop()
  // An order under way is filled at the start, so there may be one more trade.
  const counts = new Map(data.map((it) => [it.strategy_id, it.performance.summary.trade_count]))
  for (const [strategy, count] of figures) {
    if ((counts.get(strategy) ?? -1) < count)
      faults.push(`${file}: strategy ${strategy} is shown with fewer trades`)
  }
  return { faults, seconds }
}

interface Shown {
  readonly strategy_id: number
  readonly performance: { readonly summary: { readonly trade_count: number } }
}

/** The ledger's head at a given length. */
const headAt = (db: string, length: number): string => {
  const database = new Database(db, { readonly: true })
  const reading = VerifyLedger.head(FileSource.make(database, VERSION), length)
  for (;;) {
    const { done, value } = reading.next()
    if (done !== true) continue
    database.close()
    return value
  }
}

/** The number of trades and all figures of each strategy, as stored and as computed from the rows. */
const figuresOf = (
  file: string
): ReadonlyArray<readonly [strategy: number, trades: number, ...texts: Array<string>]> => {
  const database = new Database(file, { readonly: true })
  const rows = database
    .query<{ strategy: number; trades: number; results: string; tally: string; state: string }, []>(
      `SELECT bots.strategy_id AS strategy, count(trades.id) AS trades, tally, state,
        group_concat(json_extract(trade, '$.pnl') ORDER BY trades.id) AS results
        FROM bots LEFT JOIN trades ON trades.strategy_id = bots.strategy_id GROUP BY 1 ORDER BY 1`
    )
    .all()
  database.close()
  return rows.map(({ results, state, strategy, tally, trades }) => [
    strategy,
    trades,
    `${results}`,
    tally,
    state
  ])
}
