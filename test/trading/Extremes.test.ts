import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import type { AlertType } from "../../src/domain/Alert.ts"
import { type MarketId, marketKey } from "../../src/domain/Market.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import { watch } from "../../src/trading/Watch.ts"
import { WindowIndex } from "../../src/trading/watch/WindowIndex.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { alert, run, settings, told } from "./scenario.ts"

// The adversary is a neighbour whose numbers are as large as a double goes. Older versions stored such settings and
// such alerts, so that the core has to live with them, whatever the doors refuse by now.

const IDS: ReadonlyArray<MarketId> = [SPOT, SWAP]

const extreme = FastCheck.constantFrom(
  1e308,
  Number.MAX_VALUE,
  1e300,
  1e12,
  1,
  1e-9,
  1e-300,
  Number.MIN_VALUE
)
const below100 = FastCheck.constantFrom(99.999999999, 50, 1e-9, 1e-300, Number.MIN_VALUE)
const optional = { requiredKeys: [] } satisfies { requiredKeys: [] }
const noCooldown = FastCheck.constant(0)

const extremeSettings: FastCheck.Arbitrary<Settings> = FastCheck.record(
  {
    minProfitPercent: extreme,
    trailingSell: FastCheck.record({ armPercent: extreme, percent: below100 }),
    trailingBuy: FastCheck.record({ percent: below100 }),
    stopLoss: FastCheck.record({ percent: below100 }),
    balanceTakeProfit: FastCheck.record({ triggerPercent: extreme, cooldownMinutes: noCooldown }),
    balanceStopLoss: FastCheck.record({ triggerPercent: below100, cooldownMinutes: noCooldown }),
    dca: FastCheck.record({
      waitMinutes: noCooldown,
      maxRetries: FastCheck.constantFrom(1, 200),
      triggerPercent: below100,
      orderSizePercent: FastCheck.constantFrom(1000, 1e-300)
    })
  },
  optional
).map((values) => ({ ...settings({ buyPercent: 20 }), ...values }))

const targets = FastCheck.record({ tp: extreme, sl: extreme }, optional)

interface Scene {
  readonly settings: Settings
  readonly alerts: ReadonlyArray<{ readonly type: AlertType; readonly tp?: number; readonly sl?: number }>
  readonly moves: ReadonlyArray<number>
}

const scenes: FastCheck.Arbitrary<Scene> = FastCheck.record({
  settings: extremeSettings,
  alerts: FastCheck.array(
    FastCheck.tuple(
      FastCheck.constantFrom<AlertType>("buy", "long", "short", "sell", "close_long", "close_short"),
      targets
    ).map(([type, more]) => ({ type, ...more })),
    { minLength: 1, maxLength: 4 }
  ),
  moves: FastCheck.array(FastCheck.double({ min: 0.8, max: 1.25, noNaN: true }), { maxLength: 8 })
})

/** Plays a scene; after each event `see` gets the bot. */
const play = (scene: Scene, see: (live: Live, price: number) => void): void => {
  const live = new Live(scene.settings)
  let price = 100
  for (const id of IDS) live.quote(id, price)
  for (const { type, ...more } of scene.alerts) {
    live.alert(type, more)
    live.fillAll()
    see(live, price)
  }
  for (const move of scene.moves) {
    price *= move
    live.now += 60_000
    for (const id of IDS) {
      live.quote(id, price)
      live.decide({ _tag: "Price", market: id, rules: "all" })
      live.fillAll()
      see(live, price)
    }
  }
}

test("no window has a NaN bound, whatever the settings and targets of an account", () => {
  FastCheck.assert(
    FastCheck.property(scenes, (scene) => {
      play(scene, (live) => {
        for (const window of watch(live.context, live.state).values()) {
          expect([window.below, window.above, window.at].some(Number.isNaN)).toBe(false)
          expect(Number.isFinite(window.trail?.extreme ?? 0)).toBe(true)
        }
      })
    }),
    { numRuns: 300 }
  )
})

test("an account with extreme numbers changes nothing about whose windows a price leaves", () => {
  FastCheck.assert(
    FastCheck.property(scenes, FastCheck.double({ min: 0.5, max: 2, noNaN: true }), (scene, move) => {
      const neighbour = new Live(settings({ stopLoss: { percent: 5 }, minProfitPercent: 5 }))
      neighbour.quote(SPOT, 100)
      neighbour.alert("buy")
      neighbour.fillAll()
      const window = watch(neighbour.context, neighbour.state).get(marketKey(SPOT))
      if (window === undefined) throw new Error("the neighbour holds a position")
      play(scene, (live, price) => {
        for (const own of watch(live.context, live.state).values()) {
          const [alone, together] = [new WindowIndex(), new WindowIndex()]
          alone.put(1, window)
          together.put(1, window)
          together.put(2, own)
          for (const next of [price, price * move, 94, 106]) {
            const isLeft = alone.tick(next, next, live.now).includes(1)
            expect(together.tick(next, next, live.now).includes(1)).toBe(isLeft)
          }
        }
      })
    }),
    { numRuns: 300 }
  )
})

test("the index keeps its bounds when a window with NaN is added", () => {
  const crowd = new WindowIndex()
  crowd.put(1, { below: 95, above: 105, at: Number.POSITIVE_INFINITY })
  crowd.put(2, { below: Number.NaN, above: Number.NaN, at: Number.NaN })
  expect(crowd.bounds).toEqual({ below: 95, above: 105, at: Number.POSITIVE_INFINITY })
  expect(crowd.tick(94, 94, 1)).toEqual([1])
  expect(crowd.tick(106, 106, 2)).toEqual([1])
})

test("a stop loss fires beside an alert's target that no price reaches", () => {
  const live = new Live(settings({ stopLoss: { percent: 5 } }))
  live.quote(SPOT, 100)
  live.alert("buy", { tp: 1e308 })
  live.fillAll()
  const window = watch(live.context, live.state).get(marketKey(SPOT))
  expect(window?.above).toBe(Number.POSITIVE_INFINITY)
  expect(window?.below).toBeCloseTo(95, 6)
})

const FALL = [
  [100, 100, 100, 100],
  [100, 101, 99, 100],
  [100, 100, 80, 82],
  [82, 83, 81, 82]
] as const

const RISE = [
  [100, 100, 100, 100],
  [100, 101, 99, 100],
  [100, 120, 100, 118],
  [118, 119, 117, 118]
] as const

test("in a back-test a balance take profit fires beside a minimum profit that no price makes", () => {
  const given = { candles: RISE, alerts: [alert(0, "buy")] }
  const balanceTakeProfit = { triggerPercent: 10, cooldownMinutes: 0 }
  const taken = ["long 100@100 -> 110 balance_take_profit x1 @2"]
  expect(told(run({ ...given, settings: { balanceTakeProfit } }))).toEqual(taken)
  expect(told(run({ ...given, settings: { balanceTakeProfit, minProfitPercent: 1e308 } }))).toEqual(taken)
})

test("in a back-test a short's balance take profit fires beside an arm level that no price reaches", () => {
  const trailingSell = { armPercent: 1e308, percent: 1 }
  const balanceTakeProfit = { triggerPercent: 10, cooldownMinutes: 0 }
  const short = { candles: FALL, alerts: [alert(0, "short", { sl: 1e308 })] }
  expect(told(run({ ...short, settings: { balanceTakeProfit, trailingSell } }))).toEqual([
    "short 100@100 -> 90 balance_take_profit x1 @2"
  ])
})

test("an armed bot keeps deciding although its stop is too far away for any exchange", () => {
  const live = new Live(settings({ minProfitPercent: 5 })).arm({ protect: true })
  live.quote(SWAP, 100)
  expect(live.alert("short", { sl: 1e308 })).toBe("opened")
  live.fillAll()
  expect(live.slot(SWAP)?.stop).toBeUndefined()
  live.tick(SWAP, 90, 1)
  expect(live.slot(SWAP)?.order?.exitReason).toBe("take_profit")
})
