// A comparison of what a whole engine did at an exchange with a script: whatever was different, alone or with others, its
// part has all of it, and nothing is left over.
import { expect, test } from "bun:test"
import { Effect, Logger, LogLevel } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
import { type Comparison, compare } from "../../src/trading/compare/Compare.ts"
import type { Part } from "../../src/trading/compare/Parts.ts"
import { comparisonOf, disarmedOf, type Life, type Minute } from "../lib/comparedLife.ts"
import { onEach } from "../lib/storages.ts"
import { addsUp, partsOf } from "../trading/compare/life.ts"
import { type Draw, drawing } from "../trading/world.ts"

const MINUTES = 50
const cents = (price: number) => Math.round(price * 100) / 100

/** Makes one circumstance different in a minute of a life. */
type Cause = (minute: Minute, draw: Draw, index: number) => Partial<Minute>

const CAUSES: Readonly<Record<Exclude<Part, "fees" | "no_candles" | "outages">, Cause>> = {
  settings: (_, draw, index) =>
    index === 15
      ? { update: { buy_percentage: draw.pick(5, 10) } }
      : index === 30
        ? { update: { stop_loss_percentage: draw.pick(1, 4) } }
        : {},
  // The server has no price until the alert is given up, or gets one when it is late.
  alerts: ({ alert }, draw) => (alert !== undefined && draw.chance(0.4) ? { unpriced: true } : {}),
  orders: ({ alert }, draw) => {
    if (alert !== "buy") return {}
    return { acts: [draw.pick<Scripted.Act>({}, Scripted.rejects(), Scripted.fillsPartly(0.5))] }
  },
  price: ({ alert, price }, draw) => {
    if (alert === undefined) return {}
    const slipped = cents(price * (alert === "buy" ? 1 + draw.next() / 200 : 1 - draw.next() / 200))
    return { acts: [Scripted.fills(slipped)] }
  },
  latency: ({ price }, draw) =>
    draw.chance(0.6) ? { tick: cents(price * (1 + (draw.next() - 0.5) / 100)) } : {},
  by_hand: (_, draw) => (draw.chance(0.06) ? { close: true } : {})
}

/** A life of a seed with these circumstances. Prices walk; alerts buy and sell. */
const lifeOf = (seed: number, causes: ReadonlyArray<Part>): Life => {
  const draw = drawing(seed)
  let price = 100
  const minutes = Array.from({ length: MINUTES }, (_, index): Minute => {
    const before = price
    price = cents(price * (1 + (draw.next() - 0.5) / 60))
    const alert = index > 0 && draw.chance(0.2) ? draw.pick("buy", "buy", "sell") : undefined
    const minute: Minute = { price, ...(alert === undefined ? {} : { alert }) }
    const made: Minute = Object.assign(
      { ...minute },
      ...causes.map((cause) => changeOf(cause)(minute, draw, index))
    )
    // A price that the server did not get, and nobody else either: it would be an outage that is not on record.
    if (made.unpriced !== true) return made
    const { tick: _tick, ...still } = made
    price = before
    return { ...still, price }
  })
  const off = MINUTES / 2 + Math.floor(draw.next() * 8)
  return {
    settings: {
      buy_percentage: 40,
      stop_loss: true,
      stop_loss_percentage: 2,
      ...SETTINGS[seed % (causes.length > 1 ? SETTINGS.length : 2)]
    },
    minutes: causes.includes("outages")
      ? minutes.map((one, index) => (index >= off && index < off + 10 ? { ...one, off: true } : one))
      : minutes,
    ...(causes.includes("fees") ? { fee: 3 } : {})
  }
}

const none: Cause = () => ({})
const changeOf = (part: Part): Cause =>
  part === "fees" || part === "no_candles" || part === "outages" ? none : CAUSES[part]

/**
 * Those beyond the second average down. One real price leads to further orders then, which is more than one part.
 */
const SETTINGS = [
  {},
  { stop_loss_percentage: 1 },
  { sell_minprofitpercent: 1 },
  {
    strategy_dca_switch: true,
    dca_aftertime: 0,
    dca_maxretries: 2,
    dca_percentagetrigger: 0.8,
    dca_ordersize: 50
  }
] as const

const ALONE: ReadonlyArray<Part> = [
  "settings",
  "alerts",
  "outages",
  "orders",
  "price",
  "fees",
  "latency",
  "by_hand"
]

onEach(({ isPostgres, place, virtually }) => {
  if (isPostgres) return
  const compared = async (seeds: ReadonlyArray<number>, causes: ReadonlyArray<Part>) => {
    let differing = 0
    for (const seed of seeds)
      await virtually(
        Effect.gen(function* () {
          const comparison = yield* comparisonOf(yield* place, lifeOf(seed, causes))
          check(seed, comparison, causes)
          if (isDifferent(comparison)) differing++
        }).pipe(Logger.withMinimumLogLevel(LogLevel.Error), Effect.withTracerEnabled(false))
      )
    expect(differing > 0).toBe(causes.length > 0)
  }

  test("a life without any difference is its test, trade by trade", () => compared([1, 2, 3], []), 60_000)
  for (const part of ALONE)
    test(
      `all of a difference is put down to ${part} where nothing else was different`,
      () => compared([1, 2, 3, 4], [part]),
      60_000
    )
  test(
    "a period with real money is compared after it was disarmed as it was before",
    () =>
      virtually(
        Effect.gen(function* () {
          const life = lifeOf(4, ["price", "fees"])
          const flat = { ...life, minutes: [...life.minutes, { price: 100, close: true }, { price: 100 }] }
          const { after, before, present } = yield* disarmedOf(yield* place, flat)
          expect([before.isLive, after.isLive, present.isLive]).toEqual([true, true, true])
          expect(present.period).toBe(before.period + 2)
          expect(after).toEqual({ ...before, until: after.until, market: after.market, fees: after.fees })
          expect(before.trades.length).toBeGreaterThan(1)
          expect(present.orders.length).toBeGreaterThan(0)
          check(4, compare(after), ["price", "fees"])
        }).pipe(Logger.withMinimumLogLevel(LogLevel.Error), Effect.withTracerEnabled(false))
      ),
    60_000
  )
  test(
    "all of a difference is put down to its parts where everything was different at once",
    () => compared([10, 11, 12, 13, 30, 32, 44, 47], ALONE),
    120_000
  )
})

/** Whether something was different, although it may add up to nothing. */
const isDifferent = ({ trades }: Comparison) => trades.some(({ difference }) => !Decimal.isZero(difference))

const check = (seed: number, comparison: Comparison, causes: ReadonlyArray<Part>) => {
  expect(addsUp(comparison)).toBe(true)
  const others = partsOf(comparison).filter((part) => !causes.some((cause) => cause === part))
  expect({ seed, others }).toEqual({ seed, others: [] })
}
