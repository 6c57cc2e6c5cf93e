// A full disk: alerts are refused so that they will be sent again, reads continue, and the server recovers by itself.
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { addressOf } from "../lib/postgres/Runner.ts"
import { Owner } from "./Owner.ts"
import { inFolder, Served, token } from "./Program.ts"
import { isCaughtUp, Rows } from "./Rows.ts"
import { leftOut, type Row, type Suite } from "./suite.ts"

const SERVE = ["--prices", "none", "--alert-rate", "0", "--crud-rate", "0", "--price-wait", "1"]
const DISK_BYTES = 32 * 2 ** 20
/** Free space at the start; another program fills the rest, as on most disks. */
const FREE_BYTES = 3 * 2 ** 20
const RECOVER_MS = 10_000
const SETTLE_MS = 30_000
/** The number of alerts sent while the disk is full, and afterwards. */
const REFUSED = 50
const AFTER = 50

const suite: Suite = ({ short }) =>
  inFolder(async (folder) => {
    if (addressOf("any.db") !== undefined)
      return [leftOut("disk: full", "the disk is Postgres', which the suite postgres fills")]
    const disk = join(folder, "disk")
    mkdirSync(disk)
    const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", disk])
    if (!mounted.success) return [skipped(mounted.stderr.toString().trim())]
    try {
      const rounds: Array<Round> = []
      for (let round = 0; round < (short ? 1 : 5); round++) rounds.push(await fill(disk, round))
      return report(rounds)
    } finally {
      Bun.spawnSync(["umount", "--lazy", disk])
    }
  })
export default suite

/** The row for machines without the right to mount a small disk. */
const skipped = (reason: string): Row => ({
  test: "disk: full",
  trials: 0,
  failures: 0,
  worst: `not tried: ${reason}`,
  details: []
})

interface Round {
  readonly acknowledged: number
  readonly refused: number
  readonly reads: number
  readonly recoveredMs: number
  readonly flaws: ReadonlyArray<string>
}

const report = (rounds: ReadonlyArray<Round>): ReadonlyArray<Row> => {
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0)
  const flaws = rounds.flatMap(({ flaws }) => flaws)
  const recovered = rounds.map(({ recoveredMs }) => recoveredMs)
  return [
    {
      test: "disk: full, refused with 503, nothing lost",
      trials: sum(({ acknowledged, refused }) => acknowledged + refused),
      failures: flaws.length,
      worst: `${sum(({ refused }) => refused)} refused, ${sum(({ reads }) => reads)} reads answered meanwhile`,
      details: flaws.slice(0, 10)
    },
    {
      test: "disk: takes alerts again by itself",
      trials: rounds.length,
      failures: recovered.filter((ms) => ms > RECOVER_MS).length,
      late: recovered.some((ms) => ms > RECOVER_MS),
      worst: `${Math.max(...recovered).toFixed(0)} ms after there was room (under ${RECOVER_MS} ms)`,
      details: []
    }
  ]
}

/** Runs a server on the small disk, fills the disk, frees it, and checks the result. */
const fill = async (disk: string, round: number): Promise<Round> => {
  const db = join(disk, `${round}.db`)
  const full = await token(db, "disk", "full")
  const server = await Served.start(db, SERVE)
  await server.ready()
  const owner = new Owner(server, full)
  const signal = await owner.signal("disk")
  const strategy = await owner.strategy(signal, ["BTC/USDT"])
  const caller = new Caller(server, full, signal)
  const flaws: Array<string> = []
  const free = () => statfsSync(disk).bavail * statfsSync(disk).bsize
  writeFileSync(join(disk, "filler"), Buffer.alloc(Math.max(0, free() - FREE_BYTES), 1))
  while ((await caller.alert()) === 200);

  const [location = ""] = caller.acknowledged
  const paths = ["/v1/signals", `/v1/strategies/${strategy}`, "/v1/alerts", location, "/healthz"]
  let reads = 0
  for (let time = 0; time < REFUSED; time++) {
    const status = await caller.alert()
    // The last kilobytes may still hold an alert or two.
    if (status !== 503 && status !== 200) flaws.push(`an alert was answered ${status} on a full disk`)
    for (const path of paths) {
      const response = await caller.read(path)
      reads++
      if (response.status !== 200) flaws.push(`${path} was answered ${response.status} on a full disk`)
    }
  }
  const changes = await caller.change(strategy)
  if (changes !== 503 && changes !== 200) flaws.push(`a change was answered ${changes} on a full disk`)
  const readyz = (await caller.read("/readyz")).status
  if (readyz !== 503) flaws.push(`/readyz answered ${readyz} on a full disk`)

  rmSync(join(disk, "filler"))
  const began = performance.now()
  while ((await caller.alert()) !== 200 && performance.now() - began < 2 * RECOVER_MS) await Bun.sleep(10)
  const recoveredMs = performance.now() - began
  for (let time = 0; time < AFTER; time++) {
    const status = await caller.alert()
    if (status !== 200) flaws.push(`an alert was answered ${status} after there was room`)
  }
  await server.ready()
  return {
    acknowledged: caller.acknowledged.length,
    refused: caller.refused,
    reads,
    recoveredMs,
    flaws: [...flaws, ...caller.flaws, ...(await compare(server, db, caller.acknowledged))]
  }
}

class Caller {
  readonly acknowledged: Array<string> = []
  readonly flaws: Array<string> = []
  refused = 0
  private readonly server: Served
  private readonly headers: { readonly authorization: string }
  private readonly signal: number

  constructor(server: Served, token: string, signal: number) {
    this.server = server
    this.headers = { authorization: `Bearer ${token}` }
    this.signal = signal
  }

  async alert(): Promise<number> {
    const fields = { signal_id: `${this.signal}`, coin: "BTC", quote_currency: "USDT", type: "buy" }
    const { headers, status } = await this.call("/v1/signals/alert", {
      method: "POST",
      body: new URLSearchParams(fields)
    })
    if (status === 200) this.acknowledged.push(headers.get("location") ?? "")
    else this.refused++
    if (status === 503 && !/^[1-9]\d*$/.test(headers.get("retry-after") ?? ""))
      this.flaws.push("a 503 without Retry-After")
    return status
  }

  read(path: string): Promise<Response> {
    return this.call(path, {})
  }

  async change(strategy: number): Promise<number> {
    const response = await this.call(`/v1/strategies/${strategy}`, {
      method: "PUT",
      body: JSON.stringify({ description: "x".repeat(500) })
    })
    return response.status
  }

  private async call(path: string, init: RequestInit): Promise<Response> {
    const headers = {
      ...this.headers,
      ...(init.method === "PUT" ? { "content-type": "application/json" } : {})
    }
    const response = await this.server.fetch(path, { ...init, headers })
    await response.arrayBuffer()
    return response
  }
}

/** Checks that every acknowledged alert is stored once with its outcome, and that the server ends in order. */
const compare = async (
  server: Served,
  db: string,
  acknowledged: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const rows = new Rows(db)
  const deadline = performance.now() + SETTLE_MS
  while (!isCaughtUp(rows) && performance.now() < deadline) await Bun.sleep(50)
  const behind = isCaughtUp(rows) ? [] : ["the engine does not go on after there was room"]
  const exit = await server.stop("SIGTERM")
  const stored = new Set(
    rows.all(Schema.Struct({ id: Schema.Int }), "SELECT id FROM alerts").map(({ id }) => `/v1/alerts/${id}`)
  )
  const without = rows.count(`SELECT count(*) FROM alerts
    LEFT JOIN outcomes ON outcomes.alert_id = alerts.id WHERE outcomes.alert_id IS NULL`)
  rows.close()
  const lost = acknowledged.filter((location) => !stored.has(location))
  return [
    ...behind,
    ...(exit === 0 ? [] : [`SIGTERM ended it with ${exit}`]),
    ...(without === 0 ? [] : [`${without} alerts have no outcome`]),
    ...lost.map((location) => `${location} was answered and is lost`),
    ...(new Set(acknowledged).size === acknowledged.length ? [] : ["two alerts were answered alike"])
  ]
}
