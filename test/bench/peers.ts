// Others' programs for the same work, a line each beside ours: `bench peers`, which is run by name only. They are
// installed into a folder of their own beside the system's temporary files, once, and never into this repository.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import { alert, BTC, market, settings } from "../trading/scenario.ts"
import { walkOf } from "./backtest.ts"
import { median } from "./compare.ts"
import type { Line } from "./line.ts"
import * as Load from "./load.ts"
import { createSignal, isBuilt, serve, start, token } from "./served.ts"

// grademark requires chai without naming it.
const PACKAGES = [
  "data-forge@1.10.5",
  "chai@4.5.0",
  "grademark@0.3.0",
  "fastify@5.12.8",
  "better-sqlite3@12.11.1"
]
const CANDLES = 100_000
const CONNECTIONS = 64
const SECONDS = 3
const ROUNDS = 3
/** Both compile while they run: the best run of so many counts. */
const RUNS = 15

export default async (): Promise<ReadonlyArray<Line>> => {
  if (!isBuilt()) throw new Error("dist/signalbox is missing: bun run build")
  const folder = await installed()
  return [await backtests(folder), await alerts(folder)]
}

/** The folder of the peers; building better-sqlite3 may take minutes, the first time. */
const installed = async (): Promise<string> => {
  const folder = join(tmpdir(), `signalbox-peers-${Bun.hash(PACKAGES.join()).toString(36)}`)
  const mark = join(folder, "complete")
  if (existsSync(mark)) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }))
  const npm = Bun.spawn(["npm", "install", "--no-audit", "--no-fund", ...PACKAGES], {
    cwd: folder,
    stdout: "ignore"
  })
  if ((await npm.exited) !== 0) throw new Error(`npm cannot install the peers into ${folder}`)
  writeFileSync(mark, "")
  return folder
}

const script = (name: string) => join(import.meta.dir, "peers", name)

/** A stop, a target and an entry every 500 candles, which grademark has as well. */
const backtests = async (folder: string): Promise<Line> => {
  const theirs = Bun.spawn(["node", script("grademark.mjs"), folder, `${CANDLES}`, `${RUNS}`], {
    stdout: "pipe"
  })
  const { ms, trades } = JSON.parse(await new Response(theirs.stdout).text())
  const columns = walkOf(CANDLES)
  const run = () =>
    Backtest.run({
      settings: settings({ stopLoss: { percent: 2 }, minProfitPercent: 1 }),
      balance: Decimal.unsafeFromText("10000"),
      series: [{ exchange: "binance", pair: BTC, columns }],
      alerts: Array.from({ length: CANDLES / 500 }, (_, index) => alert(index * 500, "buy")),
      market: (id) => market(id, { amountStep: "0.00001" }),
      fees: () => ({ makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero })
    })
  const times = Array.from({ length: RUNS }, () => {
    const from = performance.now()
    run()
    return performance.now() - from
  })
  const ours = Math.min(...times)
  return {
    name: "peers.grademark",
    text:
      `100,000 candles, a stop and a target: ${ours.toFixed(1)} ms, ${run().trades.length} trades; ` +
      `grademark on Node ${ms.toFixed(0)} ms, ${trades} trades; ${(ms / ours).toFixed(0)} times as fast`,
    ok: ours < ms
  }
}

/** Alerts on disk before their answer. Fastify with better-sqlite3 checks no caller and keeps no body. */
const alerts = async (folder: string): Promise<Line> => {
  const data = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
  const db = join(data, "signalbox.db")
  const key = await token(["--db", db], "alerts")
  const full = await token(["--db", db], "full")
  const ours = await serve(["--db", db])
  const peer = await start(["node", script("fastify.mjs"), folder, join(data, "peer.db")], Number)
  try {
    const signal = await createSignal(ours.port, full)
    const body = JSON.stringify({ signal_id: signal, coin: "BTC", quote_currency: "USDT", type: "buy" })
    const request = Load.request(
      `/v1/signals/charting?key=${key}`,
      { "content-type": "application/json" },
      body
    )
    const rate = async (port: number) => (await Load.run({ port, request }, CONNECTIONS, SECONDS)).perSecond
    const rounds: Array<{ readonly ours: number; readonly peer: number }> = []
    for (let round = 0; round <= ROUNDS; round++) {
      const both = { peer: await rate(peer.port), ours: await rate(ours.port) }
      // The first round warms both.
      if (round > 0) rounds.push(both)
    }
    const [mine, others] = [median(rounds.map((it) => it.ours)), median(rounds.map((it) => it.peer))]
    return {
      name: "peers.fastify",
      text:
        `${mine.toFixed(0)} alerts/s, each on disk before its answer; Fastify with better-sqlite3 on Node ` +
        `${others.toFixed(0)}/s; ${(mine / others).toFixed(1)} times as many`,
      ok: mine > others
    }
  } finally {
    await Promise.all([ours.stop(), peer.stop()])
    rmSync(data, { recursive: true, force: true })
  }
}
