// `sweep --walk-forward`: its choices and its joined record equal those of sweeps and back-tests of every stretch alone, and
// nothing that lies in or after a test changes its choice.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { ended, program } from "../lib/cli.ts"
import { buys, DAY, HOUR, hours, strategy, usual, world } from "./sweepWorld.ts"

const HOURS = 24 * 40
const { file, remove, sweep, write } = world()
const grid = { sell_minprofitpercent: [0.5, 1, 2, 4], stop_loss_percentage: [1, 3, 9] }

interface Stretch {
  readonly train_from: number
  readonly test_from: number
  readonly test_to: number
  readonly chosen: Readonly<Record<string, unknown>>
  readonly train: Readonly<Record<string, unknown>>
  readonly test: Readonly<Record<string, unknown>>
  readonly test_ahead: number
  readonly starting_equity: number
  readonly ending_equity: number
  readonly trades: number
}
interface Walked {
  readonly ran: number
  readonly stretches: ReadonlyArray<Stretch>
  readonly joined: {
    readonly equity: number
    readonly trades: number
    readonly points: ReadonlyArray<unknown>
  }
  readonly efficiency: number | null
  readonly stability: ReadonlyArray<{ readonly field: string; readonly share: number }>
  readonly luck: Readonly<Record<string, unknown>>
}
const walked = (out: string): Walked => JSON.parse(out)

beforeAll(async () => {
  await write("s.json", [JSON.stringify(strategy)])
  await write("g.json", [JSON.stringify(grid)])
  await write("c.csv", hours(HOURS))
  await write("a.jsonl", buys(HOURS))
})
afterAll(remove)

/** The rows of candles or alerts from a time up to and without another. */
const cut = async (name: string, from: number, to: number, timeOf: (line: string) => number) =>
  (await Bun.file(file(name)).text()).split("\n").filter((line) => timeOf(line) >= from && timeOf(line) < to)
const part = async (name: string, from: number, to: number) => {
  await write(`${name}.csv`, await cut("c.csv", from, to, (line) => Number(line.split(",")[0])))
  await write(`${name}.jsonl`, await cut("a.jsonl", from, to, (line) => JSON.parse(line).time))
}

describe("walking forward", () => {
  test("chooses on every stretch what a sweep of its train alone ranks first, and trades it as a back-test does", async () => {
    const { code, error, out } = await sweep(...usual(), "--walk-forward", "12/6", "--json")
    expect([code, error]).toEqual([0, ""])
    const { joined, ran, stretches } = walked(out)
    expect([ran, stretches.length]).toEqual([12, 5])
    expect(stretches.map(({ test_from }) => test_from / DAY)).toEqual([12, 18, 24, 30, 36])
    expect(stretches.map(({ train_from }) => train_from / DAY)).toEqual([0, 6, 12, 18, 24])
    expect(stretches.at(-1)?.test_to).toBe(40 * DAY)
    expect(new Set(stretches.map(({ chosen }) => JSON.stringify(chosen))).size).toBeGreaterThan(1)
    let balance = 10_000
    for (const stretch of stretches) {
      const { chosen, ending_equity, starting_equity, test_from, test_to, train_from } = stretch
      await part("train", train_from, test_from)
      await part("test", test_from, test_to)
      const files = (name: string) => [
        "--candles",
        `BTC/USDT=${name}.csv`,
        "--alerts",
        `${name}.jsonl`,
        "--any-time"
      ]
      const tried = await sweep(
        "--strategy",
        "s.json",
        "--grid",
        "g.json",
        ...files("train"),
        "--holdout",
        "0",
        "--json"
      )
      const [first] = JSON.parse(tried.out).rows
      expect(chosen).toEqual({
        sell_minprofitpercent: first.sell_minprofitpercent,
        stop_loss_percentage: first.stop_loss_percentage
      })
      for (const [name, value] of Object.entries(stretch.train)) expect(first[`train_${name}`]).toEqual(value)
      await write("chosen.json", [JSON.stringify({ ...strategy, ...chosen })])
      const args = [
        "backtest",
        "--strategy",
        "chosen.json",
        ...files("test"),
        "--balance",
        String(balance),
        "--json"
      ]
      const cwd = file("")
      const single = await ended(Bun.spawn([...program, ...args], { cwd, stdout: "pipe", stderr: "pipe" }))
      const { figures, open } = JSON.parse(single.out)
      expect(starting_equity).toBe(balance)
      const worth = open.reduce((sum: number, row: { quantity: number }) => sum + row.quantity, 0)
      const fee =
        worth *
        Number((await Bun.file(file("test.csv")).text()).trim().split("\n").at(-1)?.split(",")[4]) *
        0.001
      expect(ending_equity).toBeCloseTo(figures.marked.equity - fee, 4)
      balance = ending_equity
    }
    expect(joined.equity).toBeCloseTo(balance, 6)
    expect(joined.trades).toBe(stretches.reduce((sum, { trades }) => sum + trades, 0))
  })

  test("walks with fills nearer to life where that is asked for, and says so in text and JSON", async () => {
    const args = [...usual(), "--walk-forward", "12/6"]
    const fills = ["--fills", "slippage=0.2%,limits=through"]
    const [plain, nearer, text] = await Promise.all([
      sweep(...args, "--json"),
      sweep(...args, ...fills, "--json"),
      sweep(...args, ...fills, "--csv", "fills.csv")
    ])
    const [head = "", first = ""] = (await Bun.file(file("fills.csv")).text()).split("\n")
    expect([head.endsWith(",equity,fills"), first.endsWith(`,"${fills[1]}"`)]).toEqual([true, true])
    const { fills: shown, joined } = JSON.parse(nearer.out)
    expect(shown).toEqual({ slippage_percent: 0.2, limits: "through", text: "slippage=0.2%,limits=through" })
    expect(joined.equity).toBeLessThan(walked(plain.out).joined.equity)
    expect(JSON.parse(plain.out).fills).toBeUndefined()
    expect(text.out).toContain("Fills nearer to life: slippage of 0.2 % on market orders;")
  })

  test("does not look ahead: other prices and alerts from a test on change no choice up to it", async () => {
    const [from, until] = [24 * 24, HOURS]
    await write("other.csv", [
      ...hours(from),
      ...hours(until, (hour) => 300 + 80 * Math.sin(hour / 5)).slice(from)
    ])
    for (const args of [
      ["--walk-forward", "12/6"],
      ["--walk-forward", "12/6", "--anchored"]
    ]) {
      const [one, other] = await Promise.all([
        sweep(...usual(), ...args, "--json"),
        sweep(...usual("other.csv"), ...args, "--json")
      ])
      const [before, after] = [one, other].map(({ out }) => walked(out).stretches)
      const seen = (stretches: ReadonlyArray<Stretch> = []) =>
        stretches
          .filter(({ test_from }) => test_from <= from * HOUR)
          .map(({ chosen, train, train_from }) => ({ chosen, train, train_from }))
      expect(seen(before)).toHaveLength(3)
      expect(seen(after)).toEqual(seen(before))
      expect(after?.[2]?.test).not.toEqual(before?.[2]?.test)
      if (args.includes("--anchored")) expect(before?.every(({ train_from }) => train_from === 0)).toBe(true)
    }
  })

  test("gives the same with any number of threads, of a sample, as text, CSV and page", async () => {
    const args = ["--walk-forward", "12/6", "--sample", "7", "--seed", "3"]
    const [one, three, text] = await Promise.all([
      sweep(...usual(), ...args, "--json", "--workers", "1", "--csv", "one.csv"),
      sweep(...usual(), ...args, "--json", "--workers", "3", "--csv", "three.csv"),
      sweep(...usual(), ...args, "--html", "w.html")
    ])
    expect(one).toEqual(three)
    expect(await Bun.file(file("one.csv")).text()).toBe(await Bun.file(file("three.csv")).text())
    const { ran, stability, stretches } = walked(one.out)
    expect([ran, stability.length]).toEqual([7, 2])
    const [header = "", ...lines] = (await Bun.file(file("one.csv")).text()).trimEnd().split("\n")
    expect(header).toStartWith(
      "train_from,test_from,test_to,sell_minprofitpercent,stop_loss_percentage,train_period,"
    )
    expect(lines).toHaveLength(stretches.length)
    expect(lines.every((line) => line.split(",").length === header.split(",").length)).toBe(true)
    expect(text.code).toBe(0)
    expect(text.out).toContain("7 of 12 combinations were tried on 5 stretches.")
    expect(text.out).toMatch(/an efficiency of -?[\d.]+ %|there is no efficiency/)
    expect(text.out).not.toContain("best")
    expect(await Bun.file(file("w.html")).text()).toContain('"page":"walk"')
  })

  test("chooses numbers of a rule on each stretch, by what the rule raised before its test", async () => {
    const rule = {
      timeframe: "1h",
      markets: [{ exchange: "binance", pairs: ["BTC/USDT"] }],
      params: { fast: 5 },
      on: [
        { type: "buy", when: "crossover(close, ema(close, fast))" },
        { type: "sell", when: "crossunder(close, ema(close, fast))" }
      ]
    }
    await write("rule.json", [JSON.stringify(rule)])
    await write("rg.json", [JSON.stringify({ "params.fast": [3, 8, 21], stop_loss_percentage: [2, 9] })])
    const given = ["--strategy", "s.json", "--grid", "rg.json", "--rule", "rule.json", "--any-time"]
    const walk = await sweep(...given, "--candles", "BTC/USDT=c.csv", "--walk-forward", "12/6", "--json")
    expect([walk.code, walk.error]).toEqual([0, ""])
    const { stretches } = walked(walk.out)
    expect(stretches.some(({ trades }) => trades > 0)).toBe(true)
    for (const { chosen, test_from, train, train_from } of stretches.slice(0, 3)) {
      await write("until.csv", hours(test_from / HOUR))
      const alone = await sweep(
        ...given,
        "--candles",
        "BTC/USDT=until.csv",
        "--from",
        new Date(train_from).toISOString().slice(0, 10),
        "--holdout",
        "0",
        "--json"
      )
      expect([alone.code, alone.error]).toEqual([0, ""])
      const [first] = JSON.parse(alone.out).rows
      expect(first).toMatchObject(chosen)
      for (const [name, value] of Object.entries(train)) expect(first[`train_${name}`]).toEqual(value)
    }
  })

  test("refuses a length of 0, a length beyond the candles, and the options of a plain ranking", async () => {
    const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["--walk-forward", "12"], "--walk-forward takes two numbers of days above 0, as TRAIN/TEST: 90/30"],
      [["--walk-forward", "12/0"], "--walk-forward takes two numbers of days above 0"],
      [["--walk-forward", "12/6/3"], "--walk-forward takes two numbers of days above 0"],
      [["--walk-forward", "1e1/6"], "--walk-forward takes two numbers of days above 0"],
      [["--walk-forward", "40/6"], "takes more than 40 days, and the candles are of 40"],
      [
        ["--walk-forward", "0.1/0.0001"],
        "makes more than 1000 stretches, which is the most for 12 combinations"
      ],
      [["--walk-forward", "12/6", "--holdout", "20"], "it does not go with --holdout"],
      [["--walk-forward", "12/6", "--search", "halving"], "leave out --search"],
      [["--walk-forward", "12/6", "--map", "stop_loss_percentage,sell_minprofitpercent"], "leave out --map"],
      [["--anchored"], "--anchored goes with --walk-forward TRAIN/TEST"]
    ]
    const all = await Promise.all(refusals.map(([args]) => sweep(...usual(), ...args, "--workers", "1")))
    for (const [at, { code, error, out }] of all.entries())
      expect([code, out, error]).toEqual([2, "", expect.stringContaining(refusals[at]?.[1] ?? "?")])
  })
})
