import { expect, test } from "bun:test"
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import { boardOf, numbers, OVERRUN, PLACE_WIDTH } from "../../src/cli/sweep/Job.ts"
import { outcomeOf } from "../../src/cli/sweep/RankedResults.ts"
import { json } from "../../src/cli/sweep/ResultFile.ts"
import { report } from "../../src/cli/sweep/rankingReport.ts"
import { type MarketId, marketKey, Pair } from "../../src/domain/Market.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import { MAX_DECISIONS } from "../../src/trading/Overrun.ts"
import { trial } from "../../src/trading/Sweep.ts"
import { placeOf } from "../../src/trading/sweep/SweepFigures.ts"
import { melting } from "../lib/melting.ts"
import { Live, SPOT } from "./live.ts"
import { alert, BTC, columns, market, run, settings, told } from "./scenario.ts"

// The adversary is a rule that holds again right after it has acted: a trigger smaller than the tolerance of prices, and
// then a balance that melts whenever somebody looks at it, which stands for every such rule that nobody thought of.

const NO_COOLDOWN = { cooldownMinutes: 0 }

const meltingBot = () => {
  const live = new Live(settings({ balanceStopLoss: { triggerPercent: 1e-3, ...NO_COOLDOWN } }))
  const cash = melting()
  live.state = { ...live.state, cash, baseline: cash }
  live.quote(SPOT, 100)
  return live
}

test.each([
  ["balanceStopLoss", 1e-11],
  ["balanceTakeProfit", 1e-13]
])(
  "a %s of %d percent without a cooldown does not fire on the baseline that it has just set",
  (name, triggerPercent) => {
    const live = new Live(settings({ [name]: { triggerPercent, ...NO_COOLDOWN } }))
    live.quote(SPOT, 100)
    expect(live.decide({ _tag: "Price", market: SPOT, rules: "all" }).notes).toEqual([])
    expect(live.decide({ _tag: "Time" }).notes).toEqual([])
    live.alert("buy")
    live.fillAll()
    expect(live.decisions.flatMap(({ notes }) => notes).length).toBeLessThan(10)
    expect(live.slot()).toBeUndefined()
  }
)

test("a balance rule fires without open positions if equity differs from the baseline", () => {
  const live = new Live(settings({ balanceStopLoss: { triggerPercent: 1, ...NO_COOLDOWN } }))
  live.state = { ...live.state, cash: BigDecimal.unsafeFromString("9000") }
  live.quote(SPOT, 100)
  const { notes } = live.decide({ _tag: "Price", market: SPOT, rules: "all" })
  expect(notes.map(({ rule }) => rule)).toEqual(["balance_stop_loss", "rebased"])
})

test("in a back-test a trigger smaller than the tolerance closes each position once", () => {
  const candles = Array.from({ length: 5 }, () => [100, 101, 99, 100] as const)
  const balanceStopLoss = { triggerPercent: 1e-11, ...NO_COOLDOWN }
  const result = run({ settings: { balanceStopLoss }, candles, alerts: [alert(0, "buy"), alert(2, "buy")] })
  expect(result.overrunAt).toBeUndefined()
  expect(told(result)).toHaveLength(2)
})

test("a bot that overruns on a price is stopped, and nothing of the decision is kept", () => {
  const live = meltingBot()
  const decision = live.decide({ _tag: "Price", market: SPOT, rules: "all" })
  expect(decision).toEqual({
    changes: [],
    orders: [],
    trades: [],
    postings: [],
    notes: [],
    cancels: [],
    overrun: true
  })
})

test("a bot that overruns on an alert does not answer it", () => {
  const live = meltingBot()
  expect(live.alert("buy")).toBe("waits for undefined")
  expect(live.decisions.at(-1)?.overrun).toBe(true)
})

test("a back-test of a bot that overruns ends at that candle with an error", () => {
  const rows = Array.from({ length: 5 }, () => [100, 101, 99, 100] as const)
  const balance = melting()
  const result = Backtest.run({
    settings: settings({ balanceStopLoss: { triggerPercent: 1e-3, ...NO_COOLDOWN } }),
    balance,
    series: [{ exchange: "binance", pair: BTC, columns: columns(rows) }],
    alerts: [alert(3, "buy")],
    market: (id) => market(id),
    fees: () => ({ makerFeePercent: BigDecimal.fromBigInt(0n), takerFeePercent: BigDecimal.fromBigInt(0n) })
  })
  expect(result.overrunAt).toBe(180_000)
})

test("a bot may act in every one of its slots at one event, however many there are", () => {
  const pairs = Array.from({ length: MAX_DECISIONS + 100 }, (_, index) => Pair.make(`C${index}/USDT`))
  const live = new Live(settings({ buyPercent: 1, exchanges: [{ exchange: "binance", pairs }] }))
  live.quote(SPOT, 100)
  live.chosen = { ...live.chosen, exchanges: [{ exchange: "binance", pairs: [BTC] }] }
  live.alert("buy")
  live.fillAll()
  const bought = live.slot()
  if (bought === undefined) throw new Error("the bot holds a position")
  const slots = pairs.map((pair) => ({ ...bought, pair }))
  live.state = { ...live.state, slots: Object.fromEntries(slots.map((slot) => [marketKey(slot), slot])) }
  for (const slot of slots) live.quote(slot, 90)
  live.chosen = { ...live.chosen, stopLoss: { percent: 5 } }
  const decision = live.decide({ _tag: "SettingsChanged" })
  expect(decision.overrun).toBeUndefined()
  expect(decision.orders).toHaveLength(slots.length)
})

test("a sweep tells of such a combination alone, and has figures of the others", () => {
  const rows = Array.from({ length: 5 }, () => [100, 101, 99, 100] as const)
  const recording = {
    series: [{ exchange: "binance", pair: BTC, columns: columns(rows) } as const],
    alerts: [alert(3, "buy")]
  }
  const fees = { makerFeePercent: BigDecimal.fromBigInt(0n), takerFeePercent: BigDecimal.fromBigInt(0n) }
  const ground = { market: (id: MarketId) => market(id), fees: () => fees }
  const balanceStopLoss = { triggerPercent: 1e-3, ...NO_COOLDOWN }
  const sunk = trial(settings({ balanceStopLoss }), { ...ground, balance: melting() }, recording)
  const sound = trial(
    settings({ balanceStopLoss }),
    { ...ground, balance: BigDecimal.fromBigInt(1_000n) },
    recording
  )
  expect(sunk._tag).toBe("None")
  expect(Option.getOrThrow(sound).summary.starting_equity).toBe(1_000)
})

test("a sweep ranks what has figures, and names the rest", () => {
  const board = boardOf([0, 1, 2])
  board.broken[1] = OVERRUN
  const results = numbers(3 * PLACE_WIDTH)
  results[0 * PLACE_WIDTH + placeOf("roi_pct")] = 1
  results[2 * PLACE_WIDTH + placeOf("roi_pct")] = 2
  const outcome = outcomeOf({
    grid: [{ field: "buy_percentage", values: [10, 20, 30] }],
    combinations: 3,
    rank: "roi_pct",
    holdout: 0,
    splitAt: undefined,
    board,
    results
  })
  expect([[...outcome.ranked], [...outcome.overrun], outcome.skipped]).toEqual([[2, 0], [1], 0])
  expect(JSON.parse([...json(outcome)].join(""))).toMatchObject({ ran: 2, overrun: [{ buy_percentage: 20 }] })
  expect(report(outcome, 10)).toContain("1 of them overran and have no result")
  expect(report(outcome, 10)).toContain("buy_percentage 20")
})
