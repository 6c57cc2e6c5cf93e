// Back-tests in worker threads over HTTP.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { BacktestView, RecordingView } from "../../src/api/Backtests.ts"
import * as Member from "../../src/prices/tape/Member.ts"
import * as Place from "../../src/prices/tape/Place.ts"
import type * as Views from "../../src/trading/backtest/BacktestView.ts"
import { signalbox } from "../lib/cli.ts"
import { STRATEGY } from "../lib/strategy.ts"
import { MINUTE, wave } from "./prices.ts"
import { BTC, NOVEMBER, OCTOBER, start, type World } from "./world.ts"

// What the thread makes is what the interface promises: the compiler says so.
export const promised = (view: Views.BacktestView): BacktestView => view

let world: World
beforeAll(async () => {
  world = await start()
})
afterAll(() => world.stop())

const strategy = { ...STRATEGY, sell_minprofitpercent: 3, stop_loss: true, stop_loss_percentage: 4 }
const BEGAN = Date.UTC(2024, 0, 1)
const csv = `time,open,high,low,close,volume\n${wave(BEGAN + MINUTE, 600)}`
const alert = (minute: number, type: string, coin = "BTC") =>
  JSON.stringify({ time: BEGAN + minute * MINUTE, coin, quote_currency: "USDT", type })
const jsonl = [...Array(60).keys()]
  .map((index) => alert(1 + index * 10, index % 3 === 2 ? "sell" : "buy"))
  .concat(alert(3, "buy", "DOGE"), alert(3, "long"), alert(9000, "buy"))
  .join("\n")
const file = (name: string, text: string) => {
  const path = join(world.folder, name)
  writeFileSync(path, text)
  return path
}

const view = async (response: Response): Promise<BacktestView> => {
  const body: unknown = await response.json()
  expect({ status: response.status, body }).toMatchObject({ status: 200 })
  return Schema.validateSync(BacktestView)(body)
}
const Refusal = Schema.Struct({ code: Schema.String, errors: Schema.Object })
const refused = async (response: Response) => {
  const { code, errors } = Schema.decodeUnknownSync(Refusal)(await response.json())
  return { status: response.status, code, errors }
}

/** What the command makes of the same. */
const commanded = async (...args: ReadonlyArray<string>) => {
  const { code, error, out } = await signalbox("backtest", "--db", world.database, "--json", ...args)
  expect({ code, error }).toEqual({ code: 0, error: "" })
  return JSON.parse(out)
}
const seconds = (at: number) => Math.floor(at / 1000)

/** The same figures, trades, positions and reasons as the command's. */
const agree = (
  found: BacktestView,
  told: {
    performance: unknown
    trades: Array<{ opened_at: number; closed_at: number; exit_fills: Array<{ at: number }> }>
    open: Array<{ opened_at: number }>
    ignored: Array<{ reason: string }>
    candles: number
    ambiguous_candles: number
  }
) => {
  expect<unknown>(found.performance).toEqual(told.performance)
  expect<unknown>(found.trades).toEqual(
    told.trades.map((trade, index) => ({
      id: index + 1,
      ...trade,
      opened_at: seconds(trade.opened_at),
      closed_at: seconds(trade.closed_at),
      exit_fills: trade.exit_fills.map((fill) => ({ ...fill, at: seconds(fill.at) }))
    }))
  )
  expect<unknown>(found.open).toEqual(told.open.map((one) => ({ ...one, opened_at: seconds(one.opened_at) })))
  const counts = Object.fromEntries(
    [...Map.groupBy(told.ignored, ({ reason }) => reason)].map(([reason, all]) => [reason, all.length])
  )
  expect<unknown>(Object.fromEntries(found.ignored.map(({ count, reason }) => [reason, count]))).toEqual(
    counts
  )
  expect([found.candles, found.ambiguous_candles]).toEqual([told.candles, told.ambiguous_candles])
}

describe("a back-test on the server gives the figures of the command", () => {
  test("for uploaded candles and alerts", async () => {
    const candles = [{ pair: "btc/usdt", csv }]
    const found = await view(await world.post({ strategy, candles, alerts: { text: jsonl }, balance: 5000 }))
    const told = await commanded(
      ...["--strategy", file("s.json", JSON.stringify(strategy)), "--balance", "5000"],
      ...["--candles", `BTC/USDT=${file("c.csv", csv)}`, "--alerts", file("a.jsonl", jsonl)]
    )
    agree(found, told)
    expect(found.trades_total).toBeGreaterThan(5)
    expect(found.alerts).toBe(63)
    expect(found.ignored.map(({ reason, text }) => [reason, text])).toContainEqual([
      "no_price",
      "there is no candle of its pair at that time or later"
    ])
    const { equity, charts } = found
    expect(equity).toMatchObject({ currency: "USDT", starting_equity: 5000, trades: found.trades_total })
    expect(equity.points.at(-1)?.[1]).toBe(found.performance.summary.ending_equity)
    expect(Math.min(...equity.points.map(([, , fall]) => fall))).toBe(
      found.performance.summary.max_drawdown_pct
    )
    expect(charts).toMatchObject([
      { exchange: "binance", pair: "BTC/USDT", kind: "spot" },
      { exchange: "binance", pair: "BTC/USDT", kind: "swap" }
    ])
    const [spot, swap] = charts.map(({ chart }) => chart)
    expect(spot).toMatchObject({ source: "recorded", interval_seconds: 60 })
    expect(spot?.candles).toHaveLength(600)
    const fills = found.trades.reduce((sum, { entries }) => sum + entries + 1, 0)
    expect((spot?.markers_total ?? 0) + (swap?.markers_total ?? 0)).toBe(fills + found.open.length)
    expect(spot?.markers.slice(0, 2)).toMatchObject([
      { purpose: "entry", side: "buy", exit_reason: null },
      { purpose: "exit", side: "sell" }
    ])
  })

  test("for a charting platform's list of trades", async () => {
    const list = readFileSync(join(import.meta.dir, "list-of-trades.csv"), "utf8")
    const found = await view(
      await world.post({ strategy, candles: [{ pair: "BTC/USDT", csv }], alerts: { text: list } })
    )
    expect([found.alerts, found.skipped_lines]).toEqual([
      5,
      ["line 2: the trade was still open at the end of the list"]
    ])
    const { code, error, out } = await signalbox(
      ...["backtest", "--strategy", file("s.json", JSON.stringify(strategy)), "--json"],
      ...["--candles", `BTC/USDT=${file("c.csv", csv)}`, "--alerts", file("list.csv", list)]
    )
    expect({ code, error }).toEqual({
      code: 0,
      error: `${join(world.folder, "list.csv")}: 1 line is left out; line 2: the trade was still open at the end of the list\n`
    })
    agree(found, JSON.parse(out))
    expect(found.alerts - found.ignored.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(0)
  })

  test("for recorded candles and alerts", async () => {
    const found = await view(
      await world.post({
        strategy,
        candles: [{ pair: "BTC/USDT", exchange: "binance" }],
        alerts: { recorded: "strategy", id: 1 }
      })
    )
    const sent = await signalbox("alerts", "export", "--db", world.database, "--strategy", "1")
    const told = await commanded(
      ...["--strategy", file("s.json", JSON.stringify(strategy)), "--candles", "BTC/USDT"],
      ...["--alerts", file("sent.jsonl", sent.out)]
    )
    agree(found, told)
    expect([found.alerts, found.candles]).toEqual([3, 480])
    expect(found.trades_total).toBeGreaterThan(0)
  })
})

describe("fills nearer to life", () => {
  const fills = {
    ...{ slippage_percent: 0.5, spread: "recorded", latency_ms: 20_000 },
    ...{ limits: "through", funding: true }
  }
  const text = "slippage=0.5%,spread=recorded,latency=20000ms,limits=through,funding=on"

  test("are those of the command, with stored funding rates and recorded spreads, and the answer has their values", async () => {
    const rates = Array.from({ length: 20 }, (_, index) => `${BEGAN + index * 30 * MINUTE},0.0002`)
    const folder = Place.folderOf(Place.candlesIn(world.folder), { ...BTC, kind: "swap" })
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "funding.csv"), rates.join("\n"))
    const spreads = Array.from({ length: 24 }, (_, hour) => `${BEGAN + hour * 60 * MINUTE},0.${hour + 10}`)
    writeFileSync(join(folder, "2024-01.spreads.gz"), Member.encode(spreads.join("\n")))
    const longs = jsonl.replaceAll('"buy"', '"long"').replaceAll('"sell"', '"close_long"')
    const candles = [{ pair: "BTC/USDT", csv }]
    const found = await view(await world.post({ strategy, candles, alerts: { text: longs }, fills }))
    const told = await commanded(
      ...["--strategy", file("s.json", JSON.stringify(strategy)), "--fills", text],
      ...["--candles", `BTC/USDT=${file("c.csv", csv)}`, "--alerts", file("a.jsonl", longs)]
    )
    agree(found, told)
    expect<unknown>(found.fills).toEqual(told.fills)
    expect(found.fills).toMatchObject({ ...fills, text, remarks: [] })
    expect(found.fills?.funding_received).toBeLessThan(0)
    expect(found.trades.some(({ funding }) => funding !== undefined && funding < 0)).toBe(true)
  })

  test("are refused where they contradict themselves or are out of bounds, all together", async () => {
    const candles = [{ pair: "BTC/USDT", csv }]
    const twice = { slippage_percent: 1, slippage_ticks: 1 }
    expect(await refused(await world.post({ strategy, candles, fills: twice }))).toMatchObject({
      status: 422,
      errors: { "fills.slippage_percent": ["slippage is given in percent and in ticks: give one of the two"] }
    })
    const wild = { slippage_percent: 11, latency_ms: 0.5, limits: "never", spread_percent: "1" }
    expect(await refused(await world.post({ strategy, candles, fills: wild, balance: -1 }))).toMatchObject({
      status: 422,
      errors: {
        balance: ["must be an amount of 0 or more, at most 1e12"],
        "fills.slippage_percent": ["must be from 0 to 10"],
        "fills.latency_ms": ["must be a whole number of ms from 0 to 600000"],
        "fills.limits": [expect.stringContaining("touched")],
        "fills.spread_percent": [expect.stringContaining("number")]
      }
    })
    const off = await view(await world.post({ strategy, candles, fills: { slippage_percent: 0 } }))
    expect(off.fills).toBeUndefined()
  })
})

const Listed = Schema.Struct({ data: Schema.Array(RecordingView) })

describe("recorded prices and alerts", () => {
  const recorded = (more: object, alerts: object = { recorded: "signal", id: 1 }) =>
    world.post({ strategy, candles: [{ pair: "BTC/USDT", exchange: "binance", ...more }], alerts })

  test("are limited to a span, both ends included", async () => {
    const [from, to] = [seconds(OCTOBER + 230 * MINUTE), seconds(NOVEMBER + 21 * MINUTE)]
    const span = await view(await recorded({ from, to }, { recorded: "signal", id: 1, from, to }))
    expect([span.candles, span.alerts]).toEqual([32, 2])
    expect((await view(await recorded({ from: seconds(NOVEMBER) }))).candles).toBe(240)
  })

  test("that are missing or another account's are refused with a reason", async () => {
    expect(await refused(await recorded({ kind: "swap" }))).toMatchObject({
      status: 422,
      errors: {
        "candles[0]": [
          "has no stored prices: signalbox candles download fetches them, and a server records them"
        ]
      }
    })
    expect(await refused(await recorded({ to: 1 }))).toMatchObject({
      errors: { "candles[0]": ["has no stored prices of that time"] }
    })
    expect((await recorded({}, { recorded: "signal", id: 2 })).status).toBe(404)
    expect((await recorded({}, { recorded: "strategy", id: 99 })).status).toBe(404)
    expect(await refused(await recorded({}, { recorded: "strategy", id: 3 }))).toMatchObject({
      errors: { "alerts.id": ["is a strategy that follows no signal: choose a signal"] }
    })
    const body = { strategy, candles: [{ pair: "BTC/USDT", exchange: "binance" }] }
    expect((await world.post({ ...body, alerts: { recorded: "strategy", id: 1 } }, "bob")).status).toBe(404)
  })

  test("of another account's signal are only the alerts that the strategy answered", async () => {
    const found = await view(await recorded({}, { recorded: "strategy", id: 2 }))
    expect(found.alerts).toBe(1)
  })

  test("are listed, and the list grows with the recording", async () => {
    const list = async () => {
      const listed = Schema.decodeUnknownSync(Listed)(
        await (await world.fetch("/v1/dashboard/recordings")).json()
      )
      return listed.data
    }
    const btc = {
      exchange: "binance",
      pair: "BTC/USDT",
      kind: "spot",
      from: seconds(OCTOBER),
      to: seconds(NOVEMBER + 239 * MINUTE)
    }
    const eth = {
      pair: "ETH/USDT",
      kind: "swap",
      from: seconds(NOVEMBER),
      to: seconds(NOVEMBER + 9 * MINUTE)
    }
    expect(await list()).toMatchObject([btc, eth])
    const path = join(Place.folderOf(Place.candlesIn(world.folder), BTC), "2026-11.csv.gz")
    appendFileSync(path, Member.encode(`${NOVEMBER + 300 * MINUTE},1,1,1,1,1\n`))
    const [grown] = await list()
    expect(grown).toMatchObject({ ...btc, to: seconds(NOVEMBER + 300 * MINUTE) })
  })
})

describe("a back-test is refused", () => {
  test("with all of its errors at once, by field", async () => {
    const broken = { ...strategy, buy_percentage: 101, stop_loss_percentage: undefined }
    const body = {
      strategy: broken,
      candles: [
        { pair: "BTC", csv },
        { pair: "ETH/USDT", exchange: "nyse" },
        { pair: "A/B", exchange: "okx", from: 2, to: 1 }
      ],
      alerts: { text: 1 },
      balance: -1
    }
    expect(await refused(await world.post(body))).toEqual({
      status: 422,
      code: "invalid_request",
      errors: {
        "strategy.buy_percentage": ["must be from 0 to 100"],
        "strategy.stop_loss_percentage": ["is required while stop_loss is on"],
        "candles[0].pair": ["must be a pair like BTC/USDT"],
        "candles[1].exchange": [expect.stringMatching(/^must be one of binance/)],
        "candles[2].to": ["must not be before from"],
        "alerts.text": ["must be a text"],
        balance: ["must be an amount of 0 or more, at most 1e12"]
      }
    })
  })

  test("if its times cannot be real, unless it says that they are made up", async () => {
    const candles = [{ pair: "BTC/USDT", csv: wave(MINUTE, 60) }]
    const early = { time: MINUTE, coin: "BTC", quote_currency: "USDT", type: "buy" }
    const unreal = { strategy, candles, alerts: { text: JSON.stringify(early) } }
    const year = expect.stringMatching(/^line 1: its time is in the year 1970.*any_time/)
    expect(await refused(await world.post(unreal))).toMatchObject({
      status: 422,
      errors: { "candles[0].csv": [year], "alerts.text": [year] }
    })
    expect((await view(await world.post({ ...unreal, any_time: true }))).candles).toBe(60)
    expect(await refused(await world.post({ ...unreal, any_time: "yes" }))).toMatchObject({
      errors: { any_time: ["must be true or false"] }
    })
  })

  test("with the errors of its files", async () => {
    const candles = [
      { pair: "BTC/USDT", csv: "1,2,3\n" },
      { pair: "ETH/USDT", csv: "" },
      { pair: "NONE/USDT", csv }
    ]
    expect(await refused(await world.post({ strategy, candles, alerts: { text: "{}" } }))).toMatchObject({
      errors: {
        "candles[0].csv": ["line 1: has 3 fields, needs timestamp,open,high,low,close,volume"],
        "candles[1].csv": ["holds no candles"],
        "candles[2].pair": ["is no market on binance"],
        "alerts.text": ["line 1: time must be a whole number of milliseconds, like 1706706000000"]
      }
    })
  })

  test("if it is malformed, too large, or names another account's records", async () => {
    expect((await world.post("{")).status).toBe(400)
    expect((await world.post("[]")).status).toBe(400)
    expect((await world.post(`${"[".repeat(1_000_000)}`)).status).toBe(400)
    expect((await world.post({ strategy }, "ann", { headers: { "content-type": "text/csv" } })).status).toBe(
      415
    )
    expect(await refused(await world.post(" ".repeat(32 * 2 ** 20 + 1)))).toMatchObject({
      status: 413,
      code: "body_too_large"
    })
    expect((await world.post({}, "hook")).status).toBe(403)
    const other = {
      method: "POST",
      body: " ".repeat(65_537),
      headers: { "content-type": "application/json" }
    }
    expect((await world.fetch("/v1/strategies", other)).status).toBe(413)
  })
})

test("a back-test warns of what makes its figures mean less", async () => {
  const inactive = { ...strategy, active: false }
  const candles = [
    { pair: "BTC/USDT", csv },
    { pair: "SOL/USDT", csv: wave(NOVEMBER, 3) }
  ]
  const found = await view(
    await world.post({ strategy: inactive, candles, alerts: { text: alert(0, "buy") } })
  )
  expect(found.warnings.map(({ code }) => code)).toEqual([
    "candles_not_listed",
    "inactive",
    "alerts_before_candles"
  ])
})

test("two back-tests run at a time, one for each account, and a caller who goes away ends only theirs", async () => {
  const slow = {
    strategy,
    candles: [{ pair: "BTC/USDT", csv: wave(0, 400_000) }],
    alerts: { text: jsonl },
    any_time: true
  }
  const aborted = new AbortController()
  const first = world.post(slow, "ann", { signal: aborted.signal }).catch(() => undefined)
  const busy = async () => {
    for (;;) {
      const answer = await refused(await world.post({ strategy, candles: [] }))
      if (answer.status === 409) return answer
    }
  }
  expect(await busy()).toMatchObject({ code: "backtest_running" })
  // Others are answered meanwhile, at once.
  const begun = performance.now()
  expect((await world.fetch("/v1/signals")).status).toBe(200)
  expect(performance.now() - begun).toBeLessThan(500)
  expect(await refused(await world.post({ strategy, candles: [] }, "bob"))).toMatchObject({ status: 422 })
  aborted.abort()
  await first
  for (;;) {
    if ((await world.post({ strategy, candles: [] })).status !== 409) break
    await Bun.sleep(10)
  }
}, 20_000)
