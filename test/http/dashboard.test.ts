// The dashboard's reads, before and after trading.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Effect, Layer, Logger, ManagedRuntime, Option, Redacted, Schema } from "effect"
import { EquityCurve, PriceChart } from "../../src/api/Charts.ts"
import { StrategyBoard, StrategyLines, TradeList } from "../../src/api/Dashboard.ts"
import { Timeline } from "../../src/api/History.ts"
import { OverviewView } from "../../src/api/Overview.ts"
import { Pair } from "../../src/domain/Market.ts"
import * as Edge from "../../src/http/edge/Edge.ts"
import { cellOf } from "../../src/http/views/TradesCsv.ts"
import * as Memory from "../../src/Memory.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import * as Flow from "../lib/flow.ts"
import { scenario } from "../lib/http.ts"
import * as Servers from "../lib/server.ts"

const at = "GET /v1/dashboard"
const BTC = "exchange=binance&pair=BTC/USDT"

const strategy = (changes: object) => ({
  name: "one",
  description: "",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 50,
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/USDT"] }],
  ...changes
})
const one = strategy({})
const open = strategy({ name: "open to all", public: true })

const errors = (fields: Record<string, string>) => ({
  json: { errors: Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, [text]])) }
})
const ORDERS = "must be one of closed_at, opened_at, pair, pnl, profit_pct, hold"
const points = "must be a whole number from 10 to 5000"

scenario("the dashboard's reads answer for strategies without any trade", [
  { send: `${at}/overview`, as: "none", status: 401 },
  { send: `${at}/overview`, as: "hook", status: 403 },
  { send: "POST /v1/dashboard/overview", status: 405, gives: { allow: "GET, HEAD, OPTIONS" } },
  { send: `${at}/strategies`, status: 200, is: { data: [], total: 0 } },
  { send: "POST /v1/strategies", body: one, status: 201 },
  { send: "POST /v1/strategies", as: "bob", body: open, status: 201 },
  {
    send: `${at}/strategies`,
    status: 200,
    json: { total: 1, data: [{ strategy_id: 1, open_positions: 0 }] }
  },
  {
    send: `${at}/overview`,
    status: 200,
    json: { strategies: { total: 1, active: 1 }, positions: [], positions_total: 0 }
  },
  {
    send: `${at}/strategies/1`,
    status: 200,
    json: {
      is_own: true,
      ...{ cash: 10_000, equity: 10_000, open_pnl: 0, positions: [], armed: [], signal: null },
      trading: { mode: "paper", account: null, stopped_today: false, astray: 0 },
      period: 1
    }
  },
  // Of a public strategy others may read only the settings.
  {
    send: `${at}/strategies/2`,
    status: 200,
    json: {
      is_own: false,
      strategy: { name: "open to all" },
      cash: 0,
      equity: 0,
      positions: [],
      warnings: []
    }
  },
  { send: `${at}/strategies/1`, as: "bob", status: 404 },
  // Only the operator sees figures of all accounts together.
  {
    send: `${at}/overview`,
    as: "ann",
    status: 200,
    json: { storage: { undecided_alerts: 0, waiting_alerts: 0 } }
  },
  {
    send: `${at}/overview`,
    as: "bob",
    status: 200,
    json: {
      storage: {
        is_writable: true,
        database_bytes: null,
        free_bytes: null,
        undecided_alerts: null,
        waiting_alerts: null
      }
    }
  },
  ...["equity", "figures", `chart?${BTC}`, "trades", "trades.csv", "timeline", "comparison"].flatMap(
    (path) => [
      { send: `${at}/strategies/1/${path}`, status: 200 },
      { send: `${at}/strategies/1/${path}`, as: "bob" as const, status: 404 },
      { send: `${at}/strategies/2/${path}`, status: 404 },
      { send: `${at}/strategies/01/${path}`, status: 404 },
      { send: `${at}/strategies/1/${path}`, as: "hook" as const, status: 403 }
    ]
  ),
  {
    send: `${at}/strategies/1/equity`,
    status: 200,
    json: { starting_equity: 10_000, trades: 0, points: [] }
  },
  {
    send: `${at}/strategies/1/figures`,
    status: 200,
    json: {
      figures: {
        currency: "USDT",
        samples: 0,
        marked: {
          starting_equity: 10_000,
          equity: 10_000,
          return_pct: 0,
          hold_return_pct: null,
          sharpe: null
        },
        completed: { trades: 0, expectancy: 0, expectancy_ratio: null, by_pair: [] }
      },
      points: [[expect.any(Number), 10_000, 0, null]]
    }
  },
  {
    send: `${at}/strategies/1/chart?${BTC}`,
    status: 200,
    is: { source: "none", interval_seconds: 60, candles: [], markers: [], markers_total: 0 }
  },
  {
    send: `${at}/strategies?sort=age&direction=up&limit=501&offset=-1&search=${"x".repeat(256)}`,
    status: 422,
    ...errors({
      sort: "must be one of strategy_id, name, net_pnl, roi_pct, trade_count, open_positions",
      direction: "must be one of asc, desc",
      limit: "must be a whole number from 1 to 500",
      offset: "must be a whole number from 0 to 1000000000",
      search: "must be one text of at most 255 characters"
    })
  },
  { send: `${at}/strategies?search=a&search=b`, status: 422 },
  { send: `${at}/strategies/1/trades?sort=a&sort=b`, status: 422, ...errors({ sort: ORDERS }) },
  { send: `${at}/strategies/1/trades?limit=1e2`, status: 422 },
  // A missing record is reported before an invalid request for it.
  { send: `${at}/strategies/9/trades?sort=age`, status: 404 },
  { send: `${at}/strategies/1/equity?points=9`, status: 422, ...errors({ points }) },
  { send: `${at}/strategies/1/figures?points=9`, status: 422, ...errors({ points }) },
  {
    send: `${at}/strategies/1/chart?points=5001`,
    status: 422,
    ...errors({ exchange: "is required", pair: "is required", points })
  },
  {
    send: `${at}/strategies/1/chart?exchange=nasdaq&pair=btcusdt&kind=option&from=2&to=1`,
    status: 422,
    ...errors({
      exchange: "must be one of binance, bybit, okx, kraken, coinbase, kucoin, bitget",
      pair: "must be BASE/QUOTE in capitals",
      kind: "must be one of spot, swap",
      from: "must not be after to"
    })
  },
  { send: `${at}/trades`, status: 200, is: { data: [], total: 0, totals: [] } },
  { send: `${at}/trades`, as: "hook", status: 403 },
  { send: `${at}/trades.csv`, as: "none", status: 401 },
  ...["trades", "trades.csv"].map((path) => ({
    send: `${at}/${path}?strategy_id=0&pair=${"x".repeat(65)}&side=up&exit_reason=greed&result=draw&from=2&to=1&mode=real`,
    status: 422,
    ...errors({
      strategy_id: `must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
      pair: "must be one text of at most 64 characters",
      side: "must be one of long, short",
      exit_reason: "must be why a trade was closed, such as take_profit or stop_loss",
      result: "must be one of win, loss",
      from: "must not be after to",
      mode: "must be one of paper, live"
    })
  })),
  { send: `${at}/trades?side=long&side=short&sort=age`, status: 422 },
  { send: `${at}/strategies/1/chart?${BTC}&from=yesterday`, status: 422 },
  { send: `${at}/strategies/1/timeline?cursor=x`, status: 422 },
  { send: `${at}/strategies/1/comparison?from=2&to=1`, status: 422 },
  { send: `${at}/strategies/1/comparison?from=x`, status: 422 },
  { send: `${at}/strategies/1/comparison?period=0`, status: 422 },
  { send: `${at}/strategies/1/comparison`, status: 200, json: { comparison: null, periods: [] } },
  { send: `${at}/strategies/2/comparison?from=x`, status: 404 },
  { send: "POST /v1/signals/charting?key={key}", as: "none", body: {}, status: 422 },
  { send: `${at}/overview`, status: 200, json: { alerts_today: { received: 0, refused: 1, outcomes: [] } } }
])

describe("the dashboard's reads of strategies with trades", () => {
  const quiet = Layer.merge(Layer.setTracerEnabled(false), Logger.replace(Logger.defaultLogger, Logger.none))
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(Servers.notifying.pipe(Layer.provideMerge(Memory.layer())), quiet, Layer.scope)
  )
  let get: (path: string) => Promise<Response>
  const read = async <A, I>(schema: Schema.Schema<A, I>, path: string): Promise<A> => {
    const response = await get(path)
    expect(response.status).toBe(200)
    return Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(await response.json())
  }

  beforeAll(async () => {
    const { edge, key } = await runtime.runPromise(
      Effect.gen(function* () {
        const edge = yield* Edge.make()
        const { account, identity, signal } = yield* Flow.ann({
          name: '=Swing, "quoted"',
          taker_fee: 0.1,
          maker_fee: 0,
          stop_loss: true,
          stop_loss_percentage: 5
        })
        yield* Flow.aStrategy(account, { name: "Still", signal_id: null, active: false })
        yield* Flow.quote(100)
        for (const [price, type] of [
          [110, "sell"],
          [100, "buy"],
          [90, "sell"]
        ] as const) {
          yield* Flow.say(identity, signal, type === "sell" ? "buy" : "sell")
          yield* Flow.quote(price)
          yield* Flow.say(identity, signal, type)
        }
        yield* Flow.quote(200, { pair: "ETH/USDT" })
        yield* Flow.say(identity, signal, "buy", { pair: "ETH/USDT", tp: 250 })
        yield* Flow.quote(210, { pair: "ETH/USDT" })
        const accounts = yield* Accounts
        const { secret } = yield* accounts.issue("ann", "full", Option.none())
        return { edge, key: Redacted.value(secret) }
      })
    )
    get = (path) =>
      edge.handle(
        new Request(`http://localhost/v1/dashboard/${path}`, { headers: { authorization: `Bearer ${key}` } }),
        () => "192.0.2.1"
      )
  })
  afterAll(() => runtime.dispose())

  test("sum up the account by currency", async () => {
    const view = await read(OverviewView, "overview")
    expect(view.strategies).toEqual({ total: 2, active: 1 })
    expect(view.signals).toEqual({ total: 1, active: 1 })
    const [usdt] = view.currencies
    expect(view.currencies.length).toBe(1)
    expect(usdt).toMatchObject({ currency: "USDT", account: null, strategies: 2, starting_equity: 20_000 })
    expect(usdt?.balance).toBeCloseTo(20_000 + (usdt?.net_pnl ?? 0), 6)
    expect(usdt?.days.map(([, net]) => net)).toEqual([usdt?.net_pnl ?? 0])
    expect((usdt?.days[0]?.[0] ?? 1) % 86_400).toBe(0)
    // The open position counts with its profit at the present price, without the fee of a sale.
    expect(usdt?.equity ?? 0).toBeGreaterThan((usdt?.balance ?? 0) + (usdt?.open_pnl ?? 0))
    const [eth] = view.positions
    expect(view.positions_total).toBe(1)
    expect(eth).toMatchObject({ pair: "ETH/USDT", side: "long", average: 200, price: 210, entries: 1 })
    expect(eth?.levels.map(({ price, rule }) => [rule, price])).toEqual([
      ["stop_loss", 190],
      ["tp", 250]
    ])
    // The trade bought at 200 and sold at 210, each with a fee of 0.1 %.
    expect(eth?.profit_pct).toBeCloseTo(((210 * 0.999) / (200 * 1.001) - 1) * 100, 3)
    expect(eth?.pnl).toBeCloseTo((eth?.value ?? 0) - (eth?.cost ?? 0), 8)
    expect(view.alerts_today).toMatchObject({ received: 7, refused: 0 })
    expect(view.alerts_today.outcomes).toContainEqual({ outcome: "acted", reason: "opened", count: 3 })
    expect(view.prices).toEqual({ describe: "published by hand", feeds: [] })
    expect(view.storage).toMatchObject({ is_writable: true, undecided_alerts: 0, free_bytes: null })
  })

  test("list strategies as searched and sorted", async () => {
    const names = async (query: string) =>
      (await read(StrategyLines, `strategies?${query}`)).data.map(({ name }) => name)
    const [swing, still] = ['=Swing, "quoted"', "Still"]
    expect(await names("")).toEqual([swing, still])
    expect(await names("sort=name&direction=desc")).toEqual([still, swing])
    expect(await names("sort=net_pnl")).toEqual([swing, still])
    expect(await names("sort=open_positions")).toEqual([still, swing])
    expect(await names("search=TREND")).toEqual([swing])
    expect(await names("search=eth/")).toEqual([swing, still])
    expect(await names("search=nobody")).toEqual([])
    const page = await read(StrategyLines, "strategies?limit=1&offset=1")
    expect([page.total, page.data.length, page.data[0]?.name]).toEqual([2, 1, still])
    expect((await read(StrategyLines, "strategies")).data[0]).toMatchObject({
      signal_name: "Trend",
      pairs: ["BTC/USDT", "ETH/USDT"],
      pairs_total: 2,
      open_positions: 1,
      summary: { trade_count: 2 }
    })
  })

  test("show one strategy with its figures and open positions", async () => {
    const board = await read(StrategyBoard, "strategies/1")
    expect(board).toMatchObject({ is_own: true, currency: "USDT", signal: { name: "Trend" }, armed: [] })
    expect(board.strategy.exchanges).toEqual([
      { exchange_name: "binance", coin_pairs: [Pair.make("BTC/USDT"), Pair.make("ETH/USDT")] }
    ])
    const [eth] = board.positions
    expect(board.equity).toBeCloseTo(board.cash + (eth?.quantity ?? 0) * 210, 6)
    expect(board.open_pnl).toBe(eth?.pnl ?? 0)
  })

  test("give the equity after each trade", async () => {
    const curve = await read(EquityCurve, "strategies/1/equity")
    const trades = await read(TradeList, "strategies/1/trades?direction=asc")
    expect([curve.currency, curve.starting_equity, curve.trades]).toEqual(["USDT", 10_000, 2])
    let equity = 10_000
    for (const [place, { pnl }] of trades.data.entries()) {
      equity += pnl
      expect(curve.points[place]?.[1]).toBeCloseTo(equity, 7)
    }
    expect(curve.points[1]?.[2]).toBeLessThan(0)
    const board = await read(StrategyBoard, "strategies/1")
    expect(curve.points.at(-1)?.[1]).toBe(board.strategy.performance.summary.ending_equity)
  })

  test("give the fills on a chart", async () => {
    const chart = await read(PriceChart, `strategies/1/chart?${BTC}`)
    expect(chart.source).toBe("none")
    expect(chart.markers.map(({ exit_reason, price, purpose }) => [purpose, price, exit_reason])).toEqual([
      ["entry", 100, null],
      ["exit", 110, "signal"],
      ["entry", 100, null],
      ["exit", 90, "stop_loss"]
    ])
    expect((await read(PriceChart, `strategies/1/chart?${BTC}&kind=swap`)).markers_total).toBe(0)
    expect((await read(PriceChart, `strategies/1/chart?${BTC}&from=0&to=1000`)).markers_total).toBe(0)
  })

  test("list trades as sorted, and as a table", async () => {
    const { data, total } = await read(TradeList, "strategies/1/trades?sort=pnl&limit=1")
    expect([total, data.length, data[0]?.exit_price]).toEqual([2, 1, 110])
    const response = await get("strategies/1/trades.csv")
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="signalbox-strategy-1-trades.csv"'
    )
    const lines = (await response.text()).split("\r\n")
    expect(lines[0]).toStartWith("id,exchange,pair,kind,side,opened_at,closed_at,entry_price,exit_price,")
    expect(lines.slice(1, -1).map((line) => line.split(",").slice(1, 5))).toEqual([
      ["binance", "BTC/USDT", "spot", "long"],
      ["binance", "BTC/USDT", "spot", "long"]
    ])
    expect([lines.length, lines.at(-1)]).toEqual([4, ""])
    expect(lines[0]).toEndWith(",period,live,exits,exit_fills")
    expect(lines[1]).toMatch(/,1,20\d\d-\d\d-\d\dT[\d:.]+Z [\d.]+ at [\d.]+ [a-z_]+$/)
    expect(lines[1]).toContain(",1,1,false,1,")
    expect(lines[1]).toMatch(/,\d{4}-\d\d-\d\dT[\d:.]+Z,100,110,/)
    expect(await (await get("strategies/2/trades.csv")).text()).toBe(`${lines[0]}\r\n`)
  })

  test("give the timeline in pages", async () => {
    const { data } = await read(Timeline, "strategies/1/timeline?limit=3")
    expect(data.length).toBe(3)
    expect((await get("strategies/1/timeline?limit=3")).headers.get("link")).toMatch(
      /^<\/v1\/dashboard\/strategies\/1\/timeline\?limit=3&cursor=[\w-]+>; rel="next"$/
    )
  })
})

test("no cell of a table is a formula, contains a line break, or has an exponent", () => {
  for (const formula of ["=1+1", "+1", "-1", "@A1", "\t=1", "\r=1"]) {
    const cell = cellOf(formula)
    expect(cell.replace(/^"/, "")).toStartWith("'")
  }
  expect(cellOf('say "hi", twice')).toBe('"say ""hi"", twice"')
  expect(cellOf("two\nlines")).toBe('"two\nlines"')
  expect([cellOf(-1.5), cellOf(1e-8), cellOf(0), cellOf(123_456.789)]).toEqual([
    "-1.5",
    "0.00000001",
    "0",
    "123456.789"
  ])
})
