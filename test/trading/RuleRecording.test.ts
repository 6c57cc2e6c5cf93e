// A rule over the candles of a back-test: which candles it looks at, when it may raise alerts, what they instruct, and
// that a server which takes candle by candle raises the same ones.
import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { recording } from "../../src/cli/demo/Recorded.ts"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import * as CandleJoin from "../../src/domain/candles/CandleJoin.ts"
import { between } from "../../src/domain/candles/CandleRange.ts"
import * as CandleTime from "../../src/domain/candles/CandleTime.ts"
import { millisOf, type Timeframe } from "../../src/domain/candles/Timeframe.ts"
import * as RuleReading from "../../src/domain/signalRule/RuleReading.ts"
import * as AlertsFile from "../../src/trading/backtest/AlertsFile.ts"
import type { Bar, Bars } from "../../src/trading/indicators/Plan.ts"
import * as Evaluate from "../../src/trading/signalRule/Evaluate.ts"
import * as RuleAlerts from "../../src/trading/signalRule/RuleAlerts.ts"
import * as RuleCandles from "../../src/trading/signalRule/RuleCandles.ts"
import * as RuleHistory from "../../src/trading/signalRule/RuleHistory.ts"
import { notesOf } from "../../src/trading/signalRule/RuleNotes.ts"
import { groundOf, runsOf, timedAlerts } from "../../src/trading/signalRule/RuleRecording.ts"
import { lastTimesOf, timesFrom, timesOf } from "../../src/trading/signalRule/RuleTimes.ts"
import { barsOf, candles, expressions } from "./indicators/drawn.ts"
import { ALL, closing, document, ruleOf, runOf, seriesOf, walk } from "./ruleWorld.ts"
import { BTC, run as backtest, ETH, MINUTE } from "./scenario.ts"

const SEED = 28
const DAY = 86_400_000

const rowOf = (bars: Bars, row: number): Bar => ({
  at: bars.at[row] ?? 0,
  open: bars.open[row] ?? 0,
  high: bars.high[row] ?? 0,
  low: bars.low[row] ?? 0,
  close: bars.close[row] ?? 0,
  volume: bars.volume[row] ?? 0
})

const joinBars = (one: Bar | undefined, other: Bar, at: number): Bar =>
  one === undefined
    ? { ...other, at }
    : {
        at,
        open: one.open,
        high: Math.max(one.high, other.high),
        low: Math.min(one.low, other.low),
        close: other.close,
        volume: one.volume + other.volume
      }

/**
 * The alerts of a server that takes minute by minute: the unfinished candle is looked at each minute and put back, and
 * taken once it has closed.
 */
const live = (value: unknown, minutes: Bars, timeframe: Timeframe): ReadonlyArray<RuleAlerts.RuleAlert> => {
  const { checked } = ruleOf(value)
  const watch = RuleAlerts.watch(checked)
  const conditions = checked.entries.map(({ when }) => Evaluate.stream(when, timeframe))
  const span = millisOf(timeframe)
  const alerts: Array<RuleAlerts.RuleAlert> = []
  let open: Bar | undefined
  let isWhole = true
  const close = () => {
    const bar = open
    open = undefined
    if (bar === undefined || !isWhole) return
    for (const { push, replace } of conditions) expect(Object.is(replace(bar), push(bar))).toBe(true)
    alerts.push(...watch.push(bar))
  }
  for (let row = 0; row < minutes.length; row++) {
    const bar = rowOf(minutes, row)
    const begin = Math.floor(bar.at / span) * span
    if (open !== undefined && open.at < begin) close()
    if (open === undefined) isWhole = row > 0 || bar.at === begin
    open = joinBars(open, bar, begin)
    for (const { replace } of conditions) replace(open)
    if (bar.at + MINUTE >= begin + span) close()
  }
  return alerts
}

const { condition, number } = expressions(2)
const entry = FastCheck.record({
  type: FastCheck.constantFrom("buy" as const, "long" as const),
  when: condition,
  sl: number
})
const entries = FastCheck.array(entry, { minLength: 1, maxLength: 3 })
const timeframes = FastCheck.constantFrom<Timeframe>("1m", "3m")

/** Rules whose requests are of longer timeframes than their own. */
const drawn = FastCheck.record({ on: entries, timeframe: timeframes })
  .map(({ on, timeframe }) => {
    const longer = (text: string) => (timeframe === "1m" ? text : text.replaceAll(/"[35]m"/g, '"15m"'))
    return document({
      params: { fast: 3, slow: 7 },
      timeframe,
      on: on.map((one) => ({ ...one, when: longer(one.when), sl: longer(one.sl) }))
    })
  })
  .filter((value) => Either.isRight(RuleReading.read(value)))

describe("a server that takes candle by candle raises the alerts of the back-test", () => {
  const same = (value: ReturnType<typeof document>, minutes: Bars) => {
    const { checked } = ruleOf(value)
    const run = runOf(value, seriesOf(minutes))
    const alerts = live(value, minutes, value.timeframe)
    expect(run.raised.map(({ at, close, values }) => ({ at, close, values }))).toEqual(
      alerts.map(({ at, close, values }) => ({ at, close, values }))
    )
    const [column] = [RuleCandles.ofTimeframe(minutes, value.timeframe)]
    if (Either.isRight(column)) expect([...RuleAlerts.alertsOf(checked, column.right)]).toEqual([...alerts])
    return alerts.length
  }
  test("for random rules over random candles with holes", () => {
    let raised = 0
    FastCheck.assert(
      FastCheck.property(drawn, candles(150), (value, rows) => {
        const minutes = barsOf(rows)
        FastCheck.pre(Either.isRight(RuleCandles.ofTimeframe(minutes, value.timeframe)))
        raised += same(value, minutes)
      }),
      { numRuns: 150, seed: SEED }
    )
    expect(raised).toBeGreaterThan(50)
  })
  test("for random rules over a recorded day", async () => {
    const { columns } = await recording()
    const minutes = { ...columns, volume: columns.volume ?? new Float64Array(columns.length) }
    let raised = 0
    FastCheck.assert(
      FastCheck.property(drawn, (value) => {
        raised += same(value, minutes)
      }),
      { numRuns: 25, seed: SEED }
    )
    expect(raised).toBeGreaterThan(100)
  })
})

test("rules that differ in their numbers raise together what each raises alone, with values and readiness", () => {
  const swept = FastCheck.array(FastCheck.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 6 })
  FastCheck.assert(
    FastCheck.property(drawn, swept, (value, numbers) => {
      const rules = numbers.map((fast) => ruleOf({ ...value, params: { fast, slow: 7 } }))
      const [first] = rules
      if (first === undefined) return
      const ground = Either.getOrThrow(groundOf(first.rule, seriesOf(walk(400)), ALL))
      expect(runsOf(rules, ground)).toEqual(rules.flatMap((rule) => runsOf([rule], ground)))
    }),
    { numRuns: 30, seed: SEED }
  )
})

describe("candles of a longer timeframe", () => {
  const minutes = closing(
    Array.from({ length: 23 }, (_, minute) => minute + 1),
    7 * MINUTE
  )
  const made = (columns: Columns, timeframe: Timeframe) => RuleCandles.ofTimeframe(columns, timeframe)
  test("are whole, closed, and have the volume of what they are made of", () => {
    const bars = Either.getOrThrow(made(minutes, "5m"))
    // Minutes 7 to 29: the first whole candle begins at 10, and the minute 29 completes the last.
    expect([...bars.at].map((at) => at / MINUTE)).toEqual([10, 15, 20, 25])
    expect([...bars.close]).toEqual([8, 13, 18, 23])
    expect(bars.volume[0]).toBe(4 + 5 + 6 + 7 + 1)
  })
  test("leave out the last while it has not closed", () => {
    const bars = Either.getOrThrow(made(between(minutes, 0, 29 * MINUTE), "5m"))
    expect([...bars.at].map((at) => at / MINUTE)).toEqual([10, 15, 20])
  })
  test("are those of the exchange, whichever shorter ones they are made of", () => {
    const day = walk(1440)
    const five = Either.getOrThrow(made(day, "5m"))
    const [direct, twice] = [made(day, "1h"), made(five, "1h")].map(Either.getOrThrow)
    expect(twice).toEqual(direct)
  })
  const rows: ReadonlyArray<readonly [what: string, columns: Columns, timeframe: Timeframe, error: string]> =
    [
      ["longer ones", closing([1, 2, 3], 0, 60), "15m", "are 1h apart, and the rule needs 15m"],
      [
        "ones that do not divide it",
        closing([1, 2, 3], 0, 2),
        "5m",
        "are 2m apart, and cannot be joined into 5m"
      ],
      [
        "ones that begin beside the clock",
        closing([1, 2, 3], 1, 2),
        "4h",
        "do not begin at multiples of 2m in UTC"
      ],
      ["a single one", closing([1]), "5m", "are too few to tell their timeframe: give at least two"]
    ]
  test.each(rows)("are not made of %s", (_, columns, timeframe, error) =>
    expect(made(columns, timeframe)).toEqual(Either.left(error))
  )
})

describe("the alerts of a rule", () => {
  const crossing = {
    params: { fast: 3, slow: 8 },
    on: [{ type: "buy", when: "crossover(ema(close, fast), ema(close, slow))" }]
  }
  test("are the same from one file and from many, joined", () => {
    const day = walk(1440)
    const parts = [0, 300, 301, 900].map((from, index, all) => ({
      name: `${index}`,
      columns: between(day, from * MINUTE, (all[index + 1] ?? 1440) * MINUTE)
    }))
    const joined = Either.getOrThrow(CandleJoin.join(parts.toReversed()))
    const [one, many] = [day, joined].map((columns) => runOf(document(crossing), seriesOf(columns)))
    expect(one?.raised.length).toBeGreaterThan(20)
    expect(many).toEqual(one)
  })
  test("count from the beginning of the test, and candles before it warm the rule up", () => {
    const day = walk(1440)
    const whole = runOf(document(crossing), seriesOf(day))
    const from = 700 * MINUTE
    const tested = runOf(document(crossing), seriesOf(day), { from, until: 900 * MINUTE })
    const expected = whole.raised.filter(({ at }) => at >= from && at < 900 * MINUTE)
    expect(expected.length).toBeGreaterThan(3)
    expect(tested.raised).toEqual(expected)
    expect(tested.warmth[0]).toMatchObject({ before: 700, readyAt: 89 * MINUTE })
  })
  test("fall due at the next candle of their market", () => {
    const prices = [10, 10, 9, 11, 12, 13, 14]
    const rule = document({ on: [{ type: "buy", when: "close > open" }] })
    const run = runOf(rule, seriesOf(closing(prices)))
    expect(timedAlerts(run)).toEqual([{ type: "buy", pair: BTC, at: 4 * MINUTE }])
  })
  test("come for each market of the rule, and a market without candles is named", () => {
    const markets = [{ exchange: "binance", kind: "spot", pairs: ["ETH/USDT", "BTC/USDT", "SOL/USDT"] }]
    const rule = ruleOf(document({ markets, on: [{ type: "buy", when: "close > 11" }] }))
    const series = [
      ...seriesOf(closing([10, 12, 10, 12])),
      { exchange: "binance", pair: ETH, columns: closing([10, 12]) } as const
    ]
    const ground = Either.getOrThrow(groundOf(rule.rule, series, ALL))
    const [run] = runsOf([rule], ground)
    if (run === undefined) throw new Error("there is one rule")
    expect(timedAlerts(run).map(({ at, pair }) => [pair, at / MINUTE])).toEqual([
      [ETH, 2],
      [BTC, 2],
      [BTC, 4]
    ])
    expect(notesOf(rule, ground, run)[0]).toBe(
      "There are no candles of SOL/USDT on binance: the rule raises nothing there."
    )
  })
  test("are reported as too few where the rule never warmed up", () => {
    const rule = ruleOf(document({ on: [{ type: "buy", when: "sma(close, 50) > 1" }] }))
    const ground = Either.getOrThrow(groundOf(rule.rule, seriesOf(closing([1, 2, 3])), ALL))
    const [run] = runsOf([rule], ground)
    expect(run && notesOf(rule, ground, run)).toEqual([
      "BTC/USDT on binance: too few candles. The rule needs 50 candles of 1m before it raises anything, and 0 candles of 1m came before the first that is tested: it raised nothing."
    ])
  })
  test("make the trades that the same alerts from a file make", () => {
    const rows = [10, 10, 9, 11, 12, 9, 13, 8, 12, 7, 9].map(
      (price) => [price, price + 1, price - 1, price] as const
    )
    const rule = document({
      on: [
        {
          type: "buy",
          when: "close > 10",
          sl: "close - 5",
          tps: [
            { price: "close + 3", percent: 40 },
            { price: "close + 5", percent: 60 }
          ],
          buy_percentage: "close * 2"
        },
        { type: "sell", when: "close < 10", close_percent: "close * 5" }
      ]
    })
    const columns = closing(rows.map(([price]) => price))
    const alerts = timedAlerts(runOf(rule, seriesOf(columns)))
    expect(alerts.length).toBeGreaterThan(4)
    const lines = alerts.map(({ at, buyPercentage, closePercent, pair, ...rest }) =>
      JSON.stringify({
        ...{ time: at, coin: pair.split("/")[0], quote_currency: "USDT", ...rest },
        ...(buyPercentage === undefined ? {} : { buy_percentage: buyPercentage }),
        ...(closePercent === undefined ? {} : { close_percent: closePercent })
      })
    )
    const read = AlertsFile.parse(new TextEncoder().encode(lines.join("\n")), CandleTime.MADE_UP)
    const [direct, filed] = [alerts, Either.getOrThrow(read)].map((each) =>
      backtest({ candles: rows, alerts: each })
    )
    expect(direct?.postings.length).toBeGreaterThan(5)
    expect([filed]).toEqual([direct])
  })
})

describe("an alert whose amounts are out of bounds", () => {
  const outcome = (entry: Readonly<Record<string, unknown>>): unknown => {
    const [raised] = runOf(
      document({ on: [{ when: "close > 11", ...entry }] }),
      seriesOf(closing([10, 12]))
    ).raised
    return raised?.withheld ?? raised?.alert
  }
  const at = { pair: BTC, at: 2 * MINUTE }
  const rows: ReadonlyArray<
    readonly [what: string, entry: Readonly<Record<string, unknown>>, outcome: unknown]
  > = [
    ["entry without a value for its stop", { type: "buy", sl: "1 / (close - close)" }, "its sl has no value"],
    ["entry whose stop is below zero", { type: "buy", sl: "close - 100" }, "its sl is not a price"],
    [
      "entry of more than all",
      { type: "long", buy_percentage: "close * 100" },
      "its buy_percentage is not from 0 to 100"
    ],
    [
      "entry whose targets go the wrong way",
      {
        type: "short",
        tps: [
          { price: "close - 2", percent: 50 },
          { price: "close - 1", percent: 50 }
        ]
      },
      "the prices of its tps do not go in the direction of profit"
    ],
    ["exit of nothing", { type: "sell", close_percent: "close - close" }, "its close_percent is not above 0"],
    ["exit of more than all", { type: "sell", close_percent: "close * 100" }, { type: "sell", ...at }],
    [
      "exit of a part without a value",
      { type: "close_long", close_percent: "1 / (close - close)" },
      { type: "close_long", ...at }
    ],
    ["exit with a target", { type: "sell", sl: "close - 100" }, { type: "sell", ...at }],
    [
      "good turn",
      { type: "short", reverse: true, sl: "close + 1", tp: 3 },
      { type: "short", reverse: true, sl: 13, tp: 3, ...at }
    ]
  ]
  test.each(rows)("of an %s is withheld, or closes everything", (_, entry, expected) =>
    expect(outcome(entry)).toEqual(expected)
  )
})

describe("functions that never forget begin at the anchor of each candle's year", () => {
  const step = 4 * 3_600_000
  const first = Date.UTC(2020, 5, 1)
  const years = closing(
    Array.from(
      { length: 6 * 365 * 4 },
      (_, index) => 100 + 30 * Math.sin(index / 50) + ((index * 7919) % 13)
    ),
    first,
    240
  )
  const rule = document({
    timeframe: "4h",
    on: [{ type: "buy", when: "barssince(close > 125) % 7 == 3 and obv > obv[2]" }]
  })
  const { checked } = ruleOf(rule)
  test("the values at a candle do not depend on where the file begins", () => {
    const whole = runOf(rule, seriesOf(years), { from: Date.UTC(2024, 2, 1), until: Date.UTC(2026, 0, 1) })
    const later = between(years, Date.UTC(2022, 0, 1), Date.UTC(2026, 0, 1))
    const cut = runOf(rule, seriesOf(later), { from: Date.UTC(2024, 2, 1), until: Date.UTC(2026, 0, 1) })
    expect(whole.raised.length).toBeGreaterThan(20)
    expect(cut.raised).toEqual(whole.raised)
  })
  test("a server that began at the anchor gives the same", () => {
    const bars = Either.getOrThrow(RuleCandles.ofTimeframe(years, "4h"))
    for (const year of [2023, 2025]) {
      const [from, until] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)]
      expect(RuleHistory.anchorOf(from + step)).toBe(Date.UTC(year - 2, 0, 1))
      const { push } = RuleAlerts.watch(checked)
      const alerts: Array<RuleAlerts.RuleAlert> = []
      for (let row = 0; row < bars.length; row++) {
        const bar = rowOf(bars, row)
        if (bar.at >= RuleHistory.anchorOf(from) && bar.at < until) alerts.push(...push(bar))
      }
      const own = runOf(rule, seriesOf(years), { from, until }).raised
      expect(own.map(({ at }) => at)).toEqual(
        alerts.map(({ at }) => at).filter((at) => at > from && at < until)
      )
    }
  })
  test("a file that begins later is reported", () => {
    const read = ruleOf(rule)
    const ground = Either.getOrThrow(
      groundOf(read.rule, seriesOf(years), { from: Date.UTC(2021, 0, 1), until: Date.UTC(2022, 0, 1) })
    )
    const [run] = runsOf([read], ground)
    expect(run && notesOf(read, ground, run).at(-1)).toContain(
      "On a server they begin at 2019-01-01 00:00 UTC or at the market's first candle; here they began at 2020-06-01 00:00 UTC"
    )
  })
})

describe("a schedule", () => {
  const at = (cron: string, timezone: string, day: string, days = 3) => {
    const from = Date.parse(`${day}T00:00:00Z`)
    return timesOf({ cron, timezone }, { from, to: from + days * DAY, most: 1_000 }).map((time) =>
      new Date(time).toISOString().slice(5, 16)
    )
  }
  const rows: ReadonlyArray<
    readonly [what: string, cron: string, timezone: string, day: string, times: ReadonlyArray<string>]
  > = [
    [
      "comes by the clock of its zone",
      "0 9 * * *",
      "America/New_York",
      "2024-07-01",
      ["07-01T13:00", "07-02T13:00", "07-03T13:00"]
    ],
    [
      "moves a time that does not exist, and comes once",
      "30 2 * * *",
      "Europe/Berlin",
      "2024-03-30",
      ["03-30T01:30", "03-31T01:30", "04-01T00:30"]
    ],
    [
      "comes once at a time that comes twice",
      "30 2 * * *",
      "Europe/Berlin",
      "2024-10-26",
      ["10-26T00:30", "10-27T00:30", "10-28T01:30"]
    ],
    ["has weekdays", "0 9 * * 1", "UTC", "2024-01-01", ["01-01T09:00"]],
    [
      "begins and ends with its moments",
      "0 0 * * *",
      "UTC",
      "2024-01-01",
      ["01-01T00:00", "01-02T00:00", "01-03T00:00", "01-04T00:00"]
    ]
  ]
  test.each(rows)("%s", (_, cron, timezone, day, times) =>
    expect(at(cron, timezone, day)).toEqual([...times])
  )

  test("has the same times wherever one begins to look, also within an hour that comes twice", () => {
    const zones = FastCheck.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC")
    const crons = FastCheck.constantFrom(
      "30 2 * * *",
      "*/20 * * * *",
      "45 1 * * *",
      "0 0 * * 0",
      "15 1-3 * * *"
    )
    const days = FastCheck.constantFrom(
      "2024-03-31",
      "2024-10-27",
      "2024-11-03",
      "2024-04-07",
      "2024-10-06",
      "2024-06-01"
    )
    FastCheck.assert(
      FastCheck.property(
        zones,
        crons,
        days,
        FastCheck.integer({ min: 0, max: 1440 }),
        (timezone, cron, day, minute) => {
          const [from, to] = [Date.parse(`${day}T00:00:00Z`) - DAY / 2, Date.parse(`${day}T00:00:00Z`) + DAY]
          const all = timesOf({ cron, timezone }, { from, to, most: 1_000 })
          const later = from + minute * MINUTE
          expect(timesOf({ cron, timezone }, { from: later, to, most: 1_000 })).toEqual(
            all.filter((time) => time >= later)
          )
          expect(all).toEqual([...new Set(all)].sort((one, other) => one - other))
          expect(timesFrom({ cron, timezone }, later).next().value).toBe(
            timesOf({ cron, timezone }, { from: later, to: later + 30 * DAY, most: 1 })[0]
          )
          const last = lastTimesOf({ cron, timezone }, { from, to, most: 3 })
          expect(last).toEqual(all.slice(-last.length || all.length))
        }
      ),
      { numRuns: 100, seed: SEED }
    )
  })
  test("its last times are found at once in a month of minutes", () => {
    const [from, to] = [0, 30 * DAY]
    const began = process.cpuUsage()
    const times = lastTimesOf({ cron: "* * * * *", timezone: "Europe/Berlin" }, { from, to, most: 100 })
    expect(times).toEqual(Array.from({ length: 100 }, (_, index) => to - (99 - index) * MINUTE))
    expect(lastTimesOf({ cron: "0 9 1 * *", timezone: "UTC" }, { from, to, most: 100 })).toEqual([
      9 * 3_600_000
    ])
    expect(lastTimesOf({ cron: "0 9 31 12 *", timezone: "UTC" }, { from, to, most: 100 })).toEqual([])
    // All of them would take seconds of a processor, whatever else the machine does.
    const { system, user } = process.cpuUsage(began)
    expect((system + user) / 1_000).toBeLessThan(1_000)
  })
  test("raises its alert for each market, at its time, between the first candle and the last", () => {
    const rule = document({
      schedule: [{ type: "sell", cron: "*/3 * * * *", timezone: "UTC" }],
      on: [{ type: "buy", when: "close > 11" }]
    })
    const run = runOf(rule, seriesOf(closing([10, 12, 10, 12, 10, 10, 10])))
    expect(run.raised.map(({ at, by }) => `${at / MINUTE} ${by}`)).toEqual([
      "0 schedule[0]",
      "2 on[0]",
      "3 schedule[0]",
      "4 on[0]",
      "6 schedule[0]"
    ])
  })
})
