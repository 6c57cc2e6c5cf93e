import { expect, test } from "bun:test"
import * as BigDecimal from "effect/BigDecimal"
import { marketKey, Pair } from "../../src/domain/Market.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import { MAX_DECISIONS } from "../../src/trading/Overrun.ts"
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

test("a balance rule fires with nothing open where equity is not the baseline", () => {
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

test("a bot that comes to no end with a price is left off, and nothing of what it decided is kept", () => {
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

test("a bot that comes to no end with an alert gives no answer to it", () => {
  const live = meltingBot()
  expect(live.alert("buy")).toBe("waits for undefined")
  expect(live.decisions.at(-1)?.overrun).toBe(true)
})

test("a back-test of such a bot ends at that candle and says so", () => {
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
