// Equity over time: how many strategies' samples a server stores a second, beside bare inserts of the same rows, and
// the pass over a year of minutes after a back-test, beside a bare loop over the same candles.
import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import { EquityHistory } from "../../src/services/equity/EquityHistory.ts"
import * as StrategyRows from "../../src/sql/rows/StrategyRows.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import type { Filled } from "../../src/trading/equity/Holdings.ts"
import * as MarkedRun from "../../src/trading/equity/MarkedRun.ts"
import * as Tracking from "../../src/trading/equity/Tracking.ts"
import { alert, BTC, market, settings } from "../trading/scenario.ts"
import { compare } from "./compare.ts"
import type { Line } from "./line.ts"

const MINUTE = 60_000
const STRATEGIES = 1000
const CANDLES = 365 * 24 * 60
const ROUNDS = 11
const WARM_UPS = 3
/** The least of what bare inserts store, and the most that the pass may cost beside a bare loop. */
const FLOOR = 0.1
const MOST = 60

/** Minute candles that wander in cents, the same at every run. */
const year = (): Columns => {
  const column = () => new Float64Array(CANDLES)
  const columns = { at: column(), open: column(), high: column(), low: column(), close: column() }
  for (let i = 0; i < CANDLES; i++) {
    const price = (index: number) =>
      Math.round(2_500_000 + 400_000 * Math.sin(index / 9000) + ((index * 7919) % 997)) / 100
    const [open, close] = [price(i), price(i + 1)]
    columns.at[i] = i * MINUTE
    columns.open[i] = open
    columns.high[i] = Math.max(open, close) + 1
    columns.low[i] = Math.min(open, close) - 1
    columns.close[i] = close
  }
  return { ...columns, length: CANDLES }
}

/** The least that marking a position at every close takes: equity, peak, and deepest drawdown. */
const bare = ({ close, length }: Columns): number => {
  let [peak, deepest] = [10_000, 0]
  for (let i = 0; i < length; i++) {
    const equity = 5000 + 0.2 * (close[i] ?? 0)
    if (equity > peak) peak = equity
    deepest = Math.min(deepest, equity / peak - 1)
  }
  return deepest
}

const pass = async (): Promise<Line> => {
  const columns = year()
  const fills: Array<Filled> = []
  const chosen = settings({ buyPercent: 50 })
  const series = [{ exchange: "binance" as const, pair: BTC, columns }]
  const result = Backtest.run({
    settings: chosen,
    balance: Decimal.unsafeFromText("10000"),
    series,
    alerts: Array.from({ length: 1000 }, (_, index) => alert(index * 500, index % 2 === 0 ? "buy" : "sell")),
    market,
    fees: () => ({ makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero }),
    filled: (order, fill) => void fills.push({ order, fill })
  })
  const ended = { settings: chosen, series, result, fills }
  const measured = () => MarkedRun.measure(ended, 1000)
  const { points } = measured()
  const { left, ratio, right } = await compare(measured, () => bare(columns), ROUNDS, WARM_UPS)
  const times = 1 / ratio
  const text =
    `a year of minutes with ${fills.length} fills, marked at each close, to ${points.length} points: ${left.toFixed(1)} ms; ` +
    `bare loop ${right.toFixed(2)} ms; ratio ${times.toFixed(1)} (at most ${MOST})`
  return { name: "equity.pass", text, ok: times <= MOST && points.length <= 1000 }
}

/** A sample of each strategy, in one minute. */
const samplesOf = (minute: number) =>
  Array.from({ length: STRATEGIES }, (_, index) => ({
    strategy: StrategyId.make(index + 1),
    tracked: Tracking.sampled(undefined, {
      beginning: { period: 1, currency: "USDT", since: 0, starting: 10_000 },
      sample: {
        at: minute * MINUTE,
        equity: 10_000 + minute / 7,
        notional: 5000 / 3,
        isHeld: true,
        weight: 1
      },
      prices: [{ name: "binance:BTC/USDT", price: 25_000 + minute }]
    })
  }))

const store = async (folder: string): Promise<Line> => {
  const filename = join(folder, "signalbox.db")
  const runtime = ManagedRuntime.make(
    Layer.provideMerge(
      Layer.merge(Sqlite.layerPorts, Layer.setTracerEnabled(false)),
      Sqlite.layer({ filename })
    )
  )
  await runtime.runPromise(Effect.void)
  const people = new Database(filename)
  people.run("INSERT INTO accounts (id, name, created_at) VALUES (1, 'ann', 0)")
  const create = people.query(
    "INSERT INTO strategies (account, settings, created_at, updated_at) VALUES (1, ?, 0, 0)"
  )
  people.transaction(() => {
    for (let count = 0; count < STRATEGIES; count++) create.run(StrategyRows.encode(settings()))
  })()
  people.close()
  const bareFile = new Database(join(folder, "bare.db"))
  bareFile.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
  bareFile.run("CREATE TABLE samples (strategy INTEGER, at INTEGER, state TEXT, PRIMARY KEY (strategy, at))")
  const insert = bareFile.query("INSERT INTO samples VALUES (?, ?, ?)")
  let [minute, bareMinute] = [0, 0]
  const stored = () => {
    const samples = samplesOf(++minute)
    return runtime.runPromise(Effect.flatMap(EquityHistory, (history) => history.store(samples)))
  }
  const inserted = () => {
    const samples = samplesOf(++bareMinute)
    bareFile.transaction(() => {
      for (const { strategy, tracked } of samples) insert.run(strategy, bareMinute, JSON.stringify(tracked))
    })()
  }
  const { left, ratio, right } = await compare(stored, inserted, ROUNDS, WARM_UPS)
  await runtime.dispose()
  bareFile.close()
  const rate = (ms: number) => Math.round(STRATEGIES / (ms / 1000)).toLocaleString("en")
  const text =
    `${STRATEGIES} strategies with positions sampled in one commit: ${left.toFixed(1)} ms, ${rate(left)} a second; ` +
    `bare inserts ${rate(right)} a second; ratio ${ratio.toFixed(2)} (floor ${FLOOR})`
  return { name: "equity.samples", text, ok: ratio >= FLOOR }
}

export default async (): Promise<ReadonlyArray<Line>> => {
  const folder = mkdtempSync(join(process.env["SIGNALBOX_BENCH_DIR"] ?? tmpdir(), "signalbox-bench-"))
  try {
    return [await store(folder), await pass()]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
