// An embedder's own decisions in a back-test: what they may do, and what becomes of hooks that misbehave.
import { describe, expect, test } from "bun:test"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import {
  type HookName,
  type Hooks,
  hold,
  leave,
  MAX_OWN_TEXT,
  OwnDecisions,
  veto
} from "../../src/trading/OwnDecisions.ts"
import { alert, type Given, MINUTE, run, told } from "./scenario.ts"
import { drawing, world } from "./world.ts"

/** A run with hooks, and the hooks that failed in it. */
const decided = (hooks: Hooks, given: Given) => {
  const failures: Array<HookName> = []
  const own = new OwnDecisions(hooks, (hook) => void failures.push(hook))
  const result = run({ ...given, own })
  return { failures, trades: told(result), ignored: result.ignored.map(({ reason }) => reason), result }
}

const FLAT = [100, 100, 100, 100] as const
const BUY = { candles: [FLAT, FLAT, [100, 130, 100, 130] as const, FLAT], alerts: [alert(1, "buy")] }
const SOLD = { ...BUY, alerts: [...BUY.alerts, alert(3, "sell")] }

/** What a hook without types may return. */
const wrong = (value: unknown) => JSON.parse("0", () => value)
const fail = (): never => {
  throw new Error("no")
}

const misbehaving: ReadonlyArray<readonly [string, Hooks]> = [
  ["an entry that throws", { entry: fail }],
  ["an entry that returns nothing", { entry: () => wrong(undefined) }],
  ["an entry that returns a promise", { entry: () => wrong(Promise.resolve()) }],
  ["an entry on the other side", { entry: (_, proposal) => ({ ...proposal, side: "short" }) }],
  ["an entry of another alert", { entry: (_, proposal) => ({ ...proposal, alert: 99 }) }],
  ["an entry with a target of no size", { entry: (_, proposal) => ({ ...proposal, tp: Number.NaN }) }],
  ["a veto without a text", { entry: () => ({ _tag: "Veto", text: wrong(7) }) }],
  ["a size that is not a number", { size: () => Number.NaN }],
  ["a size without end", { size: () => Number.POSITIVE_INFINITY }],
  ["a negative size", { size: () => -1 }],
  ["a size as a text", { size: () => wrong("1000") }],
  ["a size that throws", { size: fail }]
]

describe("entries", () => {
  test("that are vetoed order nothing and have a reason of their own", () => {
    const { failures, ignored, result } = decided({ entry: () => veto("no") }, SOLD)
    expect({ failures, ignored, fills: result.postings.length }).toEqual({
      failures: [],
      ignored: ["vetoed", "no_position"],
      fills: 1
    })
  })

  for (const [name, hooks] of misbehaving)
    test(`${name} is a veto, and is reported once`, () => {
      const twice = { ...BUY, alerts: [alert(1, "buy"), alert(2, "buy")] }
      const { failures, ignored, result } = decided(hooks, twice)
      expect(ignored).toEqual(["vetoed", "vetoed"])
      expect(failures).toHaveLength(1)
      expect(result.state.slots).toEqual({})
    })

  test("beyond what is free are vetoed, and all that is free may be spent", () => {
    const beyond = decided({ size: ({ free }) => free * 1.000001 }, SOLD)
    expect(beyond.ignored).toEqual(["vetoed", "no_position"])
    expect(decided({ size: ({ free }) => free }, SOLD).trades).toEqual(["long 100@100 -> 100 signal x1 @3"])
  })

  test("are as large as the hook wants, and nothing is too small for a reason", () => {
    expect(decided({ size: (_, amount) => amount / 4 }, SOLD).trades).toEqual([
      "long 25@100 -> 100 signal x1 @3"
    ])
    expect(decided({ size: () => 0 }, SOLD).ignored).toEqual(["below_min_notional", "no_position"])
  })

  test("may get other targets, and one on the wrong side is a bad target", () => {
    expect(decided({ entry: (_, it) => ({ ...it, tp: 110 }) }, BUY).trades).toEqual([
      "long 100@100 -> 110 tp x1 @2"
    ])
    expect(decided({ entry: (_, it) => ({ ...it, tp: 90 }) }, BUY).ignored).toEqual(["bad_target"])
  })

  test("stay on the market of the alert, whatever else an answer names", () => {
    const elsewhere = { pair: "ETH/USDT", market: { exchange: "kraken", pair: "ETH/USDT", kind: "swap" } }
    const { trades } = decided({ entry: (_, proposal) => ({ ...proposal, ...elsewhere }) }, SOLD)
    expect(trades).toEqual(["long 100@100 -> 100 signal x1 @3"])
  })

  test("that average are proposals too, and a vetoed one waits like one that is too small", () => {
    const calls: Array<string> = []
    const hooks: Hooks = {
      entry: (_, proposal) => {
        calls.push(proposal.purpose)
        return proposal.purpose === "dca" ? veto("once is enough") : proposal
      }
    }
    const given = {
      settings: {
        buyPercent: 10,
        dca: { waitMinutes: 0, maxRetries: 3, triggerPercent: 5, orderSizePercent: 100 }
      },
      candles: [FLAT, FLAT, [94, 94, 90, 90], [90, 90, 80, 80]] as const,
      alerts: [alert(1, "buy")]
    }
    const { result } = decided(hooks, given)
    expect(calls).toEqual(["entry", "dca"])
    expect(result.open.map(({ position }) => position?.entries)).toEqual([1])
  })
})

describe("own exits", () => {
  const rising = (length: number) =>
    Array.from({ length }, (_, at) => [100 + at, 101 + at, 100 + at, 101 + at] as const)

  test("close at the price of their window, within a candle", () => {
    const calls: Array<number> = []
    const hooks: Hooks = {
      exit: ({ price }) => {
        calls.push(price)
        return price >= 120.5 ? leave("high enough") : hold({ above: 120.5 })
      }
    }
    const { trades } = decided(hooks, { candles: rising(60), alerts: [alert(1, "buy")] })
    expect(trades).toEqual(["long 99.009900@101 -> 120.5 own_exit x1 @20".replace("99.009900", "99.0099")])
    expect(calls.filter((price) => price > 105 && price < 120)).toEqual([])
  })

  test("close at their time", () => {
    const hooks: Hooks = {
      exit: ({ now }) => (now >= 30 * MINUTE ? leave("late") : hold({ at: 30 * MINUTE }))
    }
    const { trades } = decided(hooks, { candles: rising(60), alerts: [alert(1, "buy")] })
    expect(trades).toEqual(["long 99.0099@101 -> 130 own_exit x1 @30"])
  })

  for (const [name, exit] of [
    ["throws", fail],
    ["returns nothing", () => wrong(undefined)],
    ["returns a window that is no number", () => hold({ above: Number.NaN })],
    ["leaves without a text", () => ({ _tag: "Leave", text: wrong(7) }) as const]
  ] as const)
    test(`an exit that ${name} closes nothing, and our exits continue`, () => {
      const given = {
        settings: { stopLoss: { percent: 10 } },
        candles: [FLAT, FLAT, [100, 100, 80, 80]] as const,
        alerts: [alert(1, "buy")]
      }
      const { failures, trades } = decided({ exit }, given)
      expect(trades).toEqual(["long 100@100 -> 90 stop_loss x1 @2"])
      expect(failures).toEqual(["exit"])
    })

  test("that fail are tried again after a minute", () => {
    let calls = 0
    const hooks: Hooks = {
      exit: ({ now }) =>
        calls++ < 3 ? fail() : now >= 20 * MINUTE ? leave("now") : hold({ at: 20 * MINUTE })
    }
    const { trades } = decided(hooks, { candles: rising(60), alerts: [alert(1, "buy")] })
    expect(trades).toEqual(["long 99.0099@101 -> 120 own_exit x1 @20"])
  })

  test("that move their window without end are called a bounded number of times in a candle", () => {
    let calls = 0
    const hooks: Hooks = {
      exit: ({ price }) => {
        calls++
        return hold({ above: price * 1.000001, below: price * 0.999999 })
      }
    }
    const candles = [FLAT, FLAT, [100, 200, 50, 150], FLAT] as const
    const { result } = decided(hooks, { candles, alerts: [alert(1, "buy")] })
    expect(result.open).toHaveLength(1)
    expect(calls).toBeLessThan(1000)
  })

  test("come after a stop, and are not called while the price is inside their window", () => {
    let calls = 0
    const hooks: Hooks = {
      exit: ({ price }) => {
        calls++
        return price <= 90 ? leave("mine") : hold({ below: 90 })
      }
    }
    const calm = Array.from({ length: 5000 }, () => FLAT)
    const candles = [...calm, [100, 100, 80, 80] as const]
    const given = { settings: { stopLoss: { percent: 10 } }, candles, alerts: [alert(1, "buy")] }
    expect(decided(hooks, given).trades).toEqual(["long 100@100 -> 90 stop_loss x1 @5000"])
    expect(calls).toBeLessThan(20)
  })
})

test("an own text is one line of plain characters with a bound", () => {
  const own = (text: string) =>
    new OwnDecisions({ exit: () => leave(text) }, () => {}).exit(
      wrong({ market: {} }),
      wrong({ side: "long" })
    )
  expect(own("high\n\u202eenough\u0000.")).toEqual(leave("high enough"))
  expect(own("")).toEqual(leave("no reason given"))
  const long = own("x".repeat(1_000_000))
  expect(long?._tag === "Leave" ? long.text.length : 0).toBe(MAX_OWN_TEXT)
})

describe("in random worlds", () => {
  const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1)
  const owned = (hooks: Hooks) =>
    new OwnDecisions(hooks, (hook, error) => expect.unreachable(`${hook}: ${error}`))

  test("hooks that agree with everything change nothing at all", () => {
    const own = owned({ entry: (_, it) => it, size: (_, amount) => amount, exit: () => hold() })
    for (const seed of SEEDS) {
      const { backtest } = world(seed, 2)
      expect(Backtest.run({ ...backtest, own })).toEqual(Backtest.run(backtest))
    }
  })

  test("with a veto of everything no order is ever placed", () => {
    const own = owned({ entry: () => veto("never") })
    let fills = 0
    let vetoes = 0
    for (const seed of SEEDS) {
      const { ignored, state } = Backtest.run({ ...world(seed, 2).backtest, own, filled: () => void fills++ })
      expect(state.slots).toEqual({})
      vetoes += ignored.filter(({ reason }) => reason === "vetoed").length
    }
    expect(fills).toBe(0)
    expect(vetoes).toBeGreaterThan(100)
  })

  test("with any size no entry spends more than is free", () => {
    const draw = drawing(7)
    let free = 0
    let entries = 0
    const own = owned({
      size: (context, amount) => {
        free = context.free
        return draw.pick(context.free, amount, context.free * draw.next(), context.free * 2, 0)
      }
    })
    for (const seed of SEEDS) {
      const filled: Backtest.Backtest["filled"] = (order) => {
        if (order.purpose === "exit") return
        entries++
        expect(Decimal.toNumber(order.reserved)).toBeLessThanOrEqual(free)
      }
      const { state } = Backtest.run({ ...world(seed, 2).backtest, own, filled })
      expect(Decimal.lessThan(state.cash, Decimal.zero)).toBe(false)
    }
    expect(entries).toBeGreaterThan(100)
  })

  test("hooks with a state of their own break nothing: each order is filled once and the books balance", () => {
    const draw = drawing(11)
    const own = owned({
      entry: (_, proposal) => (draw.chance(0.3) ? veto("a whim") : proposal),
      size: ({ free }) => free * draw.next(),
      exit: ({ now, price }) =>
        draw.chance(0.1)
          ? leave("a whim")
          : hold({
              below: price * draw.next(),
              above: price * (1 + draw.next()),
              at: now + draw.next() * 1e7
            })
    })
    let exits = 0
    for (const seed of SEEDS) {
      const { postings, trades } = Backtest.run({ ...world(seed, 2).backtest, own })
      exits += trades.filter(({ exitReason }) => exitReason === "own_exit").length
      for (const { lines } of postings)
        expect(
          Decimal.isZero(lines.reduce((sum, { amount }) => Decimal.add(sum, amount), Decimal.zero))
        ).toBe(true)
    }
    expect(exits).toBeGreaterThan(50)
  })
})
