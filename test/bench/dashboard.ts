// Times the requests of the dashboard's pages, with a thousand strategies and a hundred thousand trades.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Pair } from "../../src/domain/Market.ts"
import { ofLast } from "../../src/domain/Ticker.ts"
import * as Server from "../../src/Server.ts"
import { Accounts, drawSecret } from "../../src/services/Accounts.ts"
import { Candles } from "../../src/services/feeds/Candles.ts"
import * as PriceFeed from "../../src/services/PriceFeed.ts"
import { Signals } from "../../src/services/Signals.ts"
import { PriceEvent } from "../../src/services/Tickers.ts"
import { upTo } from "../../src/sqlite/Migrations.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { aSignal } from "../services/ports.ts"
import * as Rows from "./dashboardRows.ts"
import type { Line } from "./line.ts"
import { OPTIONS } from "./options.ts"

/**
 * The longest p99 of a request in ms. The processor time, requests and reads included, is printed beside it: if that is
 * far less, the machine was busy with other work.
 */
const MOST_MS = 100
const REQUESTS = 60
const WARM_UP = 10
/** The pause between two requests, which keeps to the page's rate limit. */
const PAUSE_MS = 21
/** The version before the dashboard's tables. */
const BEFORE = 5

const PATHS = [
  "overview",
  "strategies",
  "strategies?sort=net_pnl&direction=desc&search=btc&offset=500&limit=500",
  "strategies/1",
  "strategies/1/equity?points=5000",
  `strategies/1/chart?exchange=binance&pair=BTC/USDT&from=0`,
  "strategies/1/trades?limit=500",
  "strategies/1/trades?sort=pnl&direction=asc&offset=99500&limit=500",
  "strategies/1/timeline"
]

export default async (): Promise<ReadonlyArray<Line>> => {
  const lines: Array<Line> = []
  for (const shape of ["even", "one"] as const) {
    const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
    try {
      lines.push(...(await measured(join(folder, "signalbox.db"), shape)))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return lines
}

const measured = async (db: string, shape: Rows.Shape): Promise<ReadonlyArray<Line>> => {
  const key = await prepared(db, shape)
  const started = performance.now()
  const options = { ...OPTIONS, db }
  const layer = Server.listening(options).pipe(
    Layer.provideMerge(Server.domain(options, DEFAULT_PATIENCE)),
    Layer.provideMerge(Layer.merge(PriceFeed.layer("by hand"), Candles.layerNone)),
    Layer.provideMerge(Layer.setTracerEnabled(false))
  )
  const runtime = ManagedRuntime.make(layer)
  try {
    const { url } = await runtime.runPromise(Effect.zipLeft(Server.Server, quote))
    const startMs = performance.now() - started
    // The first request builds the contract.
    await fetch(`${url}/v1/signals`)
    const lines: Array<Line> = []
    for (const path of PATHS) lines.push(await asked(url, key, path, shape))
    return [
      ...lines,
      {
        name: `dashboard.${shape}.start`,
        text: `${startMs.toFixed(0)} ms until a server has brought such a database of the version before to its own and listens`,
        ok: true
      }
    ]
  } finally {
    await runtime.dispose()
  }
}

/** A filled database of the previous version, and a token for it. */
const prepared = async (db: string, shape: Rows.Shape): Promise<string> => {
  const made = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const key = drawSecret("full")
    const hash = new Bun.CryptoHasher("sha256").update(key).digest()
    yield* sql`INSERT INTO accounts (id, name, created_at) VALUES (1, 'bench', 0)`
    yield* sql`INSERT INTO tokens (account, scope, hash, created_at) VALUES (1, 'full', ${hash}, 0)`
    const { account } = yield* Effect.flatten((yield* Accounts).authenticate(key))
    const signal = yield* (yield* Signals).create(account, aSignal())
    return { key, account, signal: signal.id }
  })
  const layer = Sqlite.layerPorts.pipe(
    Layer.provideMerge(Sqlite.layer({ filename: db, migrations: upTo(BEFORE) }))
  )
  const { account, key, signal } = await Effect.runPromise(Effect.provide(made, layer))
  Rows.write(db, account, signal, shape)
  return key
}

/** Every position has a price. */
const quote = Effect.gen(function* () {
  const market = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" } as const
  const ticker = ofLast(60_500, yield* Clock.currentTimeMillis)
  yield* (yield* PriceFeed.PriceFeed).publish([PriceEvent.Quoted({ market, ticker })])
})

const asked = async (url: string, key: string, path: string, shape: Rows.Shape): Promise<Line> => {
  const headers = { authorization: `Bearer ${key}` }
  const [ours, body] = await timed(() => fetch(`${url}/v1/dashboard/${path}`, { headers }))
  const bare = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(body) })
  const [reference] = await timed(() => fetch(bare.url))
  await bare.stop(true)
  const ratio = ours.p50 / reference.p50
  return {
    name: `dashboard.${shape}.${path.split("?")[0]?.replaceAll("/", ".")}`,
    text:
      `p50 ${ours.p50.toFixed(1)} ms, p99 ${ours.p99.toFixed(1)} ms (at most ${MOST_MS}), first ${ours.first.toFixed(0)} ms; ` +
      `of a processor p50 ${ours.busy50.toFixed(1)} ms, p99 ${ours.busy99.toFixed(1)} ms; ` +
      `${ratio.toFixed(1)} times a bare Bun.serve with the same ${(body.length / 1024).toFixed(0)} KiB; ${path}`,
    ok: ours.p99 <= MOST_MS
  }
}

const timed = async (get: () => Promise<Response>) => {
  const took: Array<number> = []
  const busy: Array<number> = []
  let body = ""
  for (let request = 0; request < REQUESTS; request++) {
    const used = process.cpuUsage()
    const started = performance.now()
    const response = await get()
    body = await response.text()
    took.push(performance.now() - started)
    const { system, user } = process.cpuUsage(used)
    busy.push((system + user) / 1000)
    await Bun.sleep(PAUSE_MS)
    if (response.status !== 200) throw new Error(`${response.status} ${body}`)
  }
  const [first = 0] = took
  const [p50, p99] = quantiles(took)
  const [busy50, busy99] = quantiles(busy)
  return [{ first, p50, p99, busy50, busy99 }, body] as const
}

const quantiles = (times: ReadonlyArray<number>) => {
  const sorted = times.slice(WARM_UP).sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return [at(0.5), at(0.99)] as const
}
