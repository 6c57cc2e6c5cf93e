// `backtest --rule` and `sweep --rule`: a rule in place of alerts, its report, its refusals, and a sweep of its numbers
// that equals separate back-tests row by row.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Command from "@effect/cli/Command"
import * as BunContext from "@effect/platform-bun/BunContext"
import * as Cause from "effect/Cause"
import type * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { backtest } from "../../src/cli/backtest.ts"
import { UsageError } from "../../src/cli/program/usage.ts"
import { Pair } from "../../src/domain/Market.ts"
import { Signals } from "../../src/services/Signals.ts"
import { rule as aRule } from "../../src/testing/Fixtures.ts"
import { ended, program } from "../lib/cli.ts"
import { STRATEGY } from "../lib/strategy.ts"
import { aSignal, onFile, sender } from "../services/ports.ts"

let folder = ""
const file = (name: string) => join(folder, name)
const MINUTE = 60_000
const MINUTES = 600

const rule = {
  markets: [{ exchange: "binance", kind: "spot", pairs: ["BTC/USDT"] }],
  timeframe: "2h",
  params: { fast: 2, slow: 5 },
  on: [
    { type: "buy", when: "crossover(sma(close, fast), sma(close, slow))", sl: "close - 2" },
    { type: "sell", when: "crossunder(sma(close, fast), sma(close, slow))" }
  ]
}
const fiveMinutes = { ...rule, timeframe: "5m" }
const strategy = { ...STRATEGY, stop_loss: true, stop_loss_percentage: 1 }
const grid = {
  "params.slow": [5, 8, 0],
  stop_loss_percentage: [0.5, 4],
  "params.fast": { from: 2, to: 4, step: 1 }
}

/** Minute candles of a wave, from the epoch on. */
const candles = Array.from({ length: MINUTES }, (_, minute) => {
  const price = (at: number) => 100 + 3 * Math.sin(at / 23) + Math.sin(at / 5)
  const [open, close] = [price(minute), price(minute + 1)]
  return [minute * MINUTE, open, Math.max(open, close) + 0.1, Math.min(open, close) - 0.1, close, 1].join(",")
})

const write = (name: string, value: unknown) => Bun.write(file(name), JSON.stringify(value))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rule-"))
  await Bun.write(file("c.csv"), candles.join("\n"))
  await Bun.write(file("five.csv"), candles.filter((_, minute) => minute % 5 === 0).join("\n"))
  await write("s.json", strategy)
  await write("r.json", fiveMinutes)
  await write("g.json", grid)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the command; returns its output, or its exit code and error. */
const run = async (...args: ReadonlyArray<string>) => {
  const lines: Array<string> = []
  const quiet: Console.Console = {
    ...(await Effect.runPromise(Effect.console)),
    log: (line) => Effect.sync(() => void lines.push(String(line)))
  }
  const exit = await Command.run(Command.make("signalbox").pipe(Command.withSubcommands([backtest])), {
    name: "signalbox",
    version: "0"
  })(["bun", "signalbox", "backtest", "--any-time", ...args]).pipe(
    Effect.provide(BunContext.layer),
    Effect.withConsole(quiet),
    Effect.runPromiseExit
  )
  if (Exit.isSuccess(exit)) return lines.join("\n")
  const failure = Option.getOrUndefined(Cause.failureOption(exit.cause))
  return `${failure instanceof UsageError ? 2 : 1} ${failure instanceof Error ? failure.message : ""}`
}
const tested = (rule: string, candles = "c.csv", strategy = "s.json") => [
  ...["--strategy", file(strategy), "--candles", `BTC/USDT=${file(candles)}`, "--rule", file(rule)]
]

describe("backtest --rule", () => {
  test("reports the rule, its alerts by entry, its warm-up, and each alert if they are wanted", async () => {
    const { rule, trades } = JSON.parse(await run(...tested("r.json"), "--list-alerts", "--json"))
    expect(trades.length).toBeGreaterThan(2)
    const { alerts, alerts_total, entries, notes, ...rest } = rule
    expect(rest).toEqual({ name: file("r.json"), timeframe: "5m", params: { fast: 2, slow: 5 } })
    expect(alerts).toHaveLength(alerts_total)
    expect(entries.map(({ alerts, by }: Record<string, unknown>) => [by, alerts])).toEqual(
      ["on[0]", "on[1]"].map((by) => [
        by,
        alerts.filter((alert: Readonly<Record<string, unknown>>) => alert["by"] === by).length
      ])
    )
    expect(notes).toEqual([
      "BTC/USDT on binance: the rule needs 6 candles of 5m before it raises anything, and 0 candles of 5m came before the first that is tested: it raised nothing before 1970-01-01 00:30 UTC."
    ])
    const [first] = alerts
    expect(first.at % (5 * MINUTE)).toBe(0)
    expect(first.values.map(({ text }: Record<string, unknown>) => text)).toEqual([
      "sma(close, fast)",
      "sma(close, slow)"
    ])
    const text = await run(...tested("r.json"), "--list-alerts")
    expect(text).toContain(`Rule ${file("r.json")} (5m, fast 2, slow 5): ${alerts_total} alerts.`)
    expect(text).toMatch(/\n1970-01-01 0\d:\d\d {2}BTC\/USDT {2}sell {2}on\[1\] /)
    expect(await run(...tested("r.json"))).not.toContain("because")
  })

  test("takes candles before --from to warm up, and tests none of them", async () => {
    const days = Array.from({ length: 48 }, (_, hour) => {
      const [at, price] = [hour * 60 * MINUTE, 100 + 5 * Math.sin(hour / 2)]
      return [at, price, price + 1, price - 1, price, 1].join(",")
    })
    await Bun.write(file("days.csv"), days.join("\n"))
    await write("hours.json", { ...rule, timeframe: "1h" })
    const args = [...tested("hours.json", "days.csv"), "--from", "1970-01-02", "--list-alerts", "--json"]
    const made = JSON.parse(await run(...args))
    expect(made.candles).toBe(24)
    expect(made.rule.notes).toEqual([
      "BTC/USDT on binance: the rule needs 6 candles of 1h, and 24 candles of 1h came before the first that is tested: it was warm from the beginning."
    ])
    const whole = JSON.parse(await run(...tested("hours.json", "days.csv"), "--list-alerts", "--json"))
    const later = whole.rule.alerts.filter(({ at }: { readonly at: number }) => at >= 86_400_000)
    expect(later.length).toBeGreaterThan(1)
    expect(made.rule.alerts).toEqual(later)
  })

  const rows: ReadonlyArray<readonly [what: string, rule: unknown, error: string]> = [
    ["that is no JSON", "{", ": must be a rule as JSON text"],
    [
      "with two errors, both with their columns",
      { ...rule, on: [{ type: "buy", when: "close >", sl: "close > 1" }] },
      ": on[0].when (column 8) expected a number, a name or (; the expression ends; on[0].sl (column 7) expected a number; this is a condition"
    ],
    [
      "that looks back too far",
      { ...rule, on: [{ type: "buy", when: "close > close[1000000000]" }] },
      ": on[0].when (column 15) "
    ],
    [
      "that nests too deeply",
      { ...rule, on: [{ type: "buy", when: "(".repeat(900) }] },
      ": on[0].when (column "
    ],
    [
      "for a pair without candles",
      { ...rule, markets: [{ exchange: "binance", pairs: ["ETH/USDT"] }] },
      ": looks at no pair that --candles gives"
    ]
  ]
  test.each(rows)("refuses a rule %s", async (_, value, error) => {
    await (typeof value === "string" ? Bun.write(file("bad.json"), value) : write("bad.json", value))
    expect(await run(...tested("bad.json"))).toStartWith(`1 ${file("bad.json")}${error}`)
  })

  test("takes the rule that a signal of the database has", async () => {
    const db = file("signals.db")
    const on = [
      { type: "buy", when: "crossover(sma(close, fast), sma(close, slow))", sl: "close - 2" } as const
    ]
    const markets = [{ exchange: "binance", kind: "spot", pairs: [Pair.make("BTC/USDT")] }] as const
    await Effect.gen(function* () {
      const ann = yield* sender("ann")
      const signals = yield* Signals
      const stored = aRule({ markets, timeframe: "5m", params: { fast: 2, slow: 5 }, on, schedule: [] })
      yield* signals.create(ann.account, aSignal({ name: "Crossing", rule: stored }))
      yield* signals.create(ann.account, aSignal({ name: "Plain" }))
    }).pipe(Effect.provide(onFile(db)), Effect.scoped, Effect.runPromise)
    const [strategy, strategyFile = "", candles, candleFile = ""] = tested("r.json")
    const of = (id: string, ...more: ReadonlyArray<string>) =>
      run(...[strategy ?? "", strategyFile, candles ?? "", candleFile], "--signal", id, "--db", db, ...more)
    const { rule } = JSON.parse(await of("1", "--json"))
    const { rule: filed } = JSON.parse(await run(...tested("r.json"), "--json"))
    expect(rule.name).toBe("signal 1, Crossing")
    expect(rule.entries[0].alerts).toBe(filed.entries[0].alerts)
    expect(await of("2")).toBe("1 signal 2, Plain: has no rule")
    expect(await of("3")).toStartWith("1 there is no signal 3")
    expect(await of("1", "--rule", file("r.json"))).toBe(
      "2 --rule and --signal both give a rule: give one of the two"
    )
  })

  test("refuses candles that are longer than the rule's, and alerts beside a rule", async () => {
    await write("minute.json", { ...rule, timeframe: "1m" })
    expect(await run(...tested("minute.json", "five.csv"))).toBe(
      `1 ${file("minute.json")}: the candles of BTC/USDT are 5m apart, and the rule needs 1m`
    )
    expect(await run(...tested("r.json"), "--alerts", file("c.csv"))).toBe(
      "2 a rule raises the alerts itself, in place of --alerts: give one of the two"
    )
  })
})

describe("sweep --rule", () => {
  const sweep = (...args: ReadonlyArray<string>) =>
    ended(
      Bun.spawn([...program, "sweep", "--any-time", ...tested("r.json"), "--grid", file("g.json"), ...args], {
        cwd: folder,
        stdout: "pipe",
        stderr: "pipe"
      })
    )

  test("tries numbers of the rule and settings, each as a back-test gives, on one core and many", async () => {
    const args = ["--holdout", "0", "--skip-invalid", "--json"]
    const [one, three, refused] = await Promise.all([
      sweep(...args, "--workers", "1"),
      sweep(...args, "--workers", "3"),
      sweep()
    ])
    expect(one).toEqual(three)
    expect(refused.error).toContain(
      "combination 13 of 18 (params.slow 0, stop_loss_percentage 0.5, params.fast 2): on[0].when column 40: expected"
    )
    const { ran, rows, rule, skipped } = JSON.parse(one.out)
    expect([ran, skipped, rows.length]).toEqual([12, 6, 12])
    const [best] = rows
    expect(rule.params).toEqual({ fast: best["params.fast"], slow: best["params.slow"] })
    for (const row of rows) {
      const params = { fast: row["params.fast"], slow: row["params.slow"] }
      await write("one.json", { ...fiveMinutes, params })
      await write("settings.json", { ...strategy, stop_loss_percentage: row.stop_loss_percentage })
      const single = JSON.parse(await run(...tested("one.json", "c.csv", "settings.json"), "--json"))
      const prefixed = Object.entries(single.performance.summary).map(([name, value]) => [
        `train_${name}`,
        value
      ])
      expect(row).toMatchObject(Object.fromEntries(prefixed))
    }
    expect(
      new Set(rows.map((row: Readonly<Record<string, unknown>>) => row["train_net_pnl"])).size
    ).toBeGreaterThan(5)
  })

  test("refuses a number that the rule does not have", async () => {
    await write("g.json", { "params.long": [1] })
    const { code, error } = await sweep()
    expect([code, error.trim()]).toEqual([
      1,
      `signalbox: ${file("g.json")}: the rule has no number named long: it has fast, slow`
    ])
  })
})
