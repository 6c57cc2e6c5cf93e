import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { Pair } from "../../src/domain/Market.ts"
import type { TimedAlert } from "../../src/trading/Backtest.ts"
import { FIGURES, read, WIDTH, write } from "../../src/trading/sweep/SweepFigures.ts"
import {
  combination,
  combinationText,
  count,
  fields,
  type Grid,
  sample,
  valueText
} from "../../src/trading/sweep/SweepGrid.ts"
import { parse } from "../../src/trading/sweep/SweepGridFile.ts"
import { correlation, median, order, score } from "../../src/trading/sweep/SweepRanking.ts"
import { split, splitTime } from "../../src/trading/sweep/SweepSplit.ts"

describe("the grid", () => {
  const axes = FastCheck.array(FastCheck.uniqueArray(FastCheck.integer(), { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 4
  })
  const gridOf = (values: ReadonlyArray<ReadonlyArray<number>>): Grid =>
    values.map((own, place) => ({ field: `f${place}`, values: own }))

  test("has every combination once, in the sequence of nested loops", () => {
    FastCheck.assert(
      FastCheck.property(axes, (values) => {
        const grid = gridOf(values)
        const loops = values.reduce<ReadonlyArray<ReadonlyArray<number>>>(
          (outer, own) => outer.flatMap((left) => own.map((value) => [...left, value])),
          [[]]
        )
        expect(count(grid)).toBe(loops.length)
        expect(loops.map((_, index) => combination(grid, index))).toEqual([...loops])
      })
    )
  })

  test("names the fields", () => {
    const grid: Grid = [
      { field: "stop_loss", values: [true, false] },
      { field: "stop_loss_percentage", values: [1, null] }
    ]
    expect([0, 1, 2, 3].map((index) => fields(grid, index))).toEqual([
      { stop_loss: true, stop_loss_percentage: 1 },
      { stop_loss: true, stop_loss_percentage: null },
      { stop_loss: false, stop_loss_percentage: 1 },
      { stop_loss: false, stop_loss_percentage: null }
    ])
  })

  test("prints values in plain text, and a combination in words", () => {
    const steps = [
      { profit_percent: 1, close_percent: 50 },
      { profit_percent: 1e-7, close_percent: 12.5 }
    ]
    const grid: Grid = [
      { field: "take_profit_steps", values: [null, steps] },
      { field: "on_opposite", values: ["reverse"] },
      { field: "stop_loss", values: [true] }
    ]
    expect([1e-7, null, false, "close", steps].map(valueText)).toEqual([
      "0.0000001",
      "",
      "false",
      "close",
      "1%:50 0.0000001%:12.5"
    ])
    expect([0, 1].map((index) => combinationText(grid, index))).toEqual([
      "take_profit_steps -, on_opposite reverse, stop_loss true",
      "take_profit_steps 1%:50 0.0000001%:12.5, on_opposite reverse, stop_loss true"
    ])
  })

  test("gives samples without repeats, sorted, and the same for the same seed", () => {
    const whole = FastCheck.tuple(
      FastCheck.integer({ min: 1, max: 500 }),
      FastCheck.nat(),
      FastCheck.nat(600)
    )
    FastCheck.assert(
      FastCheck.property(whole, ([total, seed, size]) => {
        const drawn = sample(total, size, seed)
        expect(drawn).toEqual(sample(total, size, seed))
        expect(drawn.length).toBe(Math.min(size, total))
        expect(
          drawn.every((index, place) => index >= 0 && index < total && index > (drawn[place - 1] ?? -1))
        ).toBe(true)
      })
    )
    expect(sample(2 ** 53, 3, 1)).not.toEqual(sample(2 ** 53, 3, 2))
  })

  test("gives samples without bias", () => {
    const hits = new Float64Array(10)
    for (let seed = 0; seed < 3000; seed++)
      for (const index of sample(10, 3, seed)) hits[index] = (hits[index] ?? 0) + 1
    for (const hit of hits) expect(Math.abs(hit - 900)).toBeLessThan(120)
  })
})

describe("the grid file", () => {
  const step = (profit_percent: number, close_percent: number) => ({ profit_percent, close_percent })

  test("takes texts and lists of steps for the settings that have them", () => {
    const steps = [null, [step(1, 50), step(3, 50)]]
    expect(parse({ on_opposite: ["ignore", "close", "reverse", null], take_profit_steps: steps })).toEqual(
      Either.right([
        { field: "on_opposite", values: ["ignore", "close", "reverse", null] },
        { field: "take_profit_steps", values: steps }
      ])
    )
  })
  test("takes numbers out of bounds, whose combinations are invalid", () => {
    expect(parse({ stop_loss_percentage: [4, 120, null] })).toEqual(
      Either.right([{ field: "stop_loss_percentage", values: [4, 120, null] }])
    )
  })
  test("refuses a stranger's million values at once, and shows names without control characters and cut", () => {
    const refused = (body: unknown) => Either.getOrElse(Either.flip(parse(body)), () => "")
    expect(refused({ on_opposite: Array(1_000_000).fill("close") })).toBe(
      "on_opposite has more than 10000 values"
    )
    expect(refused({ take_profit_steps: [Array(1_000_000).fill(1)] })).toBe(
      "take_profit_steps[0] must hold at most 5000 values"
    )
    const hostile = "\u001b[31m\n".repeat(999)
    for (const body of [{ [hostile]: [1] }, { take_profit_steps: [[{ ...step(1, 50), [hostile]: 1 }]] }]) {
      expect(refused(body)).toContain("?[31m??[31m?")
      expect(refused(body)).not.toMatch(/\p{C}/u)
      expect(refused(body).length).toBeLessThan(250)
    }
  })
  test("has exact steps that stop at or before the end", () => {
    expect(parse({ buy_percentage: { from: 0.1, to: 0.5, step: 0.1 } })).toEqual(
      Either.right([{ field: "buy_percentage", values: [0.1, 0.2, 0.3, 0.4, 0.5] }])
    )
    expect(parse({ buy_percentage: { from: 1, to: 6, step: 2 }, stop_loss: [true, false] })).toEqual(
      Either.right([
        { field: "buy_percentage", values: [1, 3, 5] },
        { field: "stop_loss", values: [true, false] }
      ])
    )
  })
  test.each([
    [[], "must be an object"],
    [{}, "names no field"],
    [{ stop_los: [1] }, "there is no setting stop_los; the nearest are stop_loss,"],
    [{ dca_triger: [1] }, "the nearest are dca_"],
    [{ stop_loss_percent: [1] }, "send this setting as stop_loss_percentage, not as stop_loss_percent"],
    [{ exchanges: [1] }, "exchanges is the same in every run"],
    [{ buy_percentage: [] }, "buy_percentage has no values"],
    [{ buy_percentage: [1, "1"] }, "buy_percentage[1] must be a number"],
    [{ buy_percentage: [1, Infinity] }, "buy_percentage[1] must be"],
    [{ buy_percentage: [[1]] }, "buy_percentage[0] must be a number"],
    [{ buy_percentage: [null] }, "buy_percentage[0] must be a number"],
    [{ stop_loss: [true, 1] }, "stop_loss[1] must be true or false"],
    [{ stop_loss: { from: 0, to: 1, step: 1 } }, "stop_loss must be a list of values"],
    [{ on_opposite: ["close", "turn"] }, "on_opposite[1] must be one of ignore, close, reverse"],
    [{ on_opposite: ["close", 1] }, "on_opposite[1] must be one of ignore, close, reverse"],
    [{ on_opposite: ["close", null, null] }, "on_opposite lists a value twice"],
    [{ default_exchange_name: ["okx"] }, "default_exchange_name is the same in every run"],
    [{ signal_id: [1] }, "signal_id is the same in every run"],
    [{ take_profit_steps: [step(1, 50)] }, "take_profit_steps[0] must be a list"],
    [{ take_profit_steps: [null, []] }, "take_profit_steps[1] must have 1 to 5 steps"],
    [
      { take_profit_steps: [null, [step(1, 50), { profit_percent: 2 }]] },
      "take_profit_steps[1][1].close_percent is required"
    ],
    [
      { take_profit_steps: [[step(1, 50), step(1, 50)]] },
      "take_profit_steps[0][1].profit_percent must be above that of the step before"
    ],
    [
      { take_profit_steps: [[step(1, 50), step(2, 50.1)]] },
      "take_profit_steps[0] must close at most 100 percent"
    ],
    [{ take_profit_steps: [[step(0, 50)]] }, "take_profit_steps[0][0].profit_percent must be above 0"],
    [
      { take_profit_steps: [[{ ...step(1, 50), price: 3 }]] },
      "take_profit_steps[0][0].price is not allowed here"
    ],
    [{ take_profit_steps: ["1%:50"] }, "take_profit_steps[0] must be a list"],
    [
      { take_profit_steps: [[step(1, 50)], [{ close_percent: 50, profit_percent: 1 }]] },
      "take_profit_steps lists a value twice"
    ],
    [JSON.parse('{"__proto__": [1]}'), "there is no setting __proto__"],
    [{ constructor: [1] }, "there is no setting constructor"],
    [{ buy_percentage: [1, 2, 1] }, "buy_percentage lists a value twice"],
    [{ buy_percentage: 5 }, "buy_percentage must be a list of values"],
    [{ buy_percentage: { from: 1, to: 2 } }, "takes the numbers from, to and step"],
    [{ buy_percentage: { from: 1, to: 2, step: 1, by: 1 } }, "takes the numbers from, to and step"],
    [{ buy_percentage: { from: 1, to: 2, step: 0 } }, "needs a step above 0"],
    [{ buy_percentage: { from: 2, to: 1, step: 1 } }, "needs a from that is not above to"],
    [{ buy_percentage: { from: 0, to: 1e300, step: 1e-300 } }, "has more than 1000000 values"]
  ])("refuses %j", (body, words) => {
    const told = parse(body)
    expect(Either.isLeft(told) && told.left).toContain(words)
  })
})

describe("the split", () => {
  const seriesOf = (pair: string, times: ReadonlyArray<number>) => {
    const at = Float64Array.from(times)
    const columns = { at, open: at, high: at, low: at, close: at, length: at.length }
    return { exchange: "binance" as const, pair: Pair.make(pair), columns }
  }
  const times = FastCheck.uniqueArray(FastCheck.integer({ min: 0, max: 1000 }), {
    minLength: 1,
    maxLength: 40
  })
  const alertAt = (at: number): TimedAlert => ({ type: "buy", pair: Pair.make("BTC/USDT"), at })

  test("is at the time of a candle, and each candle is on exactly one side", () => {
    const worlds = FastCheck.tuple(times, times, FastCheck.array(FastCheck.nat(1100)), FastCheck.nat(99))
    FastCheck.assert(
      FastCheck.property(worlds, ([one, two, alerts, percent]) => {
        const ordered = [one, two].map((own) => own.toSorted((left, right) => left - right))
        const series = [seriesOf("BTC/USDT", ordered[0] ?? []), seriesOf("ETH/USDT", ordered[1] ?? [])]
        const time = splitTime(series, percent)
        if (time === undefined) return
        const all = [...one, ...two]
        const [first, last] = [Math.min(...all), Math.max(...all)]
        expect(all).toContain(time)
        expect(time).toBeGreaterThan(first)
        const held = last - ((last - first) * percent) / 100
        expect(all.filter((at) => at >= held - 1e-9 && at < time)).toEqual([])
        const { test: later, train } = split({ series, alerts: alerts.map(alertAt) }, time)
        for (const [place, own] of ordered.entries()) {
          const before = [...(train.series[place]?.columns.at ?? [])]
          const after = [...(later.series[place]?.columns.at ?? [])]
          expect([...before, ...after]).toEqual(own)
          expect(before.every((at) => at < time) && after.every((at) => at >= time)).toBe(true)
          expect(train.series[place]?.columns.length).toBe(before.length)
        }
        expect(train.alerts.every(({ at }) => at < time) && later.alerts.every(({ at }) => at >= time)).toBe(
          true
        )
        expect(train.alerts.length + later.alerts.length).toBe(alerts.length)
      })
    )
  })

  test("is undefined for 0 percent, and if all candles have one time", () => {
    expect(splitTime([seriesOf("BTC/USDT", [1, 2, 3])], 0)).toBeUndefined()
    expect(splitTime([seriesOf("BTC/USDT", [5])], 30)).toBeUndefined()
    expect(splitTime([seriesOf("BTC/USDT", [0, 10, 20, 30])], 30)).toBe(30)
    expect(splitTime([seriesOf("BTC/USDT", [0, 10, 20, 30])], 40)).toBe(20)
  })
})

describe("the ranking", () => {
  const scores = FastCheck.array(FastCheck.constantFrom(-1, 0, 1, 2, Infinity, -Infinity))

  test("goes from best to worst, and equal ones keep the sequence of the grid", () => {
    FastCheck.assert(
      FastCheck.property(scores, (all) => {
        const expected = all
          .map((value, place) => ({ value, place }))
          .sort((left, right) =>
            left.value === right.value ? left.place - right.place : left.value < right.value ? 1 : -1
          )
        expect([...order(Float64Array.from(all))]).toEqual(expected.map(({ place }) => place))
      })
    )
  })

  test.each([
    ["roi_pct", [3, 2], [1, 2], true],
    ["roi_pct", [0, 0], [-1, 2], true],
    ["max_drawdown_pct", [-1, 2], [-5, 2], true],
    ["max_drawdown_pct", [-5, 2], [0, 0], true],
    ["fees_paid", [3, 2], [1, 2], false],
    ["fees_paid", [3, 2], [0, 0], true],
    ["volatility_pct", [1, 2], [2, 2], true],
    ["profit_factor", [Number.NaN, 2], [9, 2], true]
  ] as const)("by %s: %p before %p is %p", (rank, left, right, before) => {
    const of = ([figure, trades]: readonly [number, number]) => score(rank, { figure, trades })
    expect(of(left) > of(right)).toBe(before)
  })

  test("the rank correlation is 1, -1, right with ties, and undefined where it must be", () => {
    const of = (left: ReadonlyArray<number>, right: ReadonlyArray<number>) =>
      correlation(Float64Array.from(left), Float64Array.from(right))
    expect(of([1, 2, 3], [10, 200, 3000])).toBe(1)
    expect(of([1, 2, 3], [3, 2, -Infinity])).toBe(-1)
    expect(of([1, 2, 2, 3], [1, 3, 2, 4])).toBeCloseTo(0.9487, 4)
    expect(of([1, 1, 1], [1, 2, 3])).toBeUndefined()
    expect(of([1, 2], [1, 2])).toBeUndefined()
  })

  test("the median of an even number is the lower one", () => {
    expect(median(Float64Array.of(3, 1, 2))).toBe(2)
    expect(median(Float64Array.of(4, 3, 1, 2))).toBe(2)
    expect(median(new Float64Array())).toBeUndefined()
  })
})

test("a summary written as numbers is read back unchanged", () => {
  const into = new Float64Array(2 * WIDTH)
  const [starting_equity, rest] = [
    10_000,
    Object.fromEntries(FIGURES.map((name, place) => [name, place - 0.5]))
  ]
  const summary = {
    ...read(into, 0),
    ...rest,
    starting_equity,
    profit_factor: null,
    period: { start: "1970-01-01", end: "12022-12-13", timezone: "UTC" } as const
  }
  write(summary, into, WIDTH)
  expect(read(into, WIDTH)).toEqual(summary)
})
