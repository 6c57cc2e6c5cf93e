// Alerts that an embedder's own decisions wrap, in back-tests and with real money: what a hook may answer, and what becomes
// of one that misbehaves.
import { describe, expect, test } from "bun:test"
import * as Backtest from "../../src/trading/Backtest.ts"
import { explain } from "../../src/trading/Notes.ts"
import type { Arrival, Decided } from "../../src/trading/OwnAlert.ts"
import { type HookName, type Hooks, OwnDecisions, veto } from "../../src/trading/OwnDecisions.ts"
import { Live, SPOT } from "./live.ts"
import { alert, type Given, run, settings, told } from "./scenario.ts"
import { world } from "./world.ts"

const decided = (wrap: Hooks["alert"], given: Given) => {
  const failures: Array<HookName> = []
  const hooks: Hooks = wrap === undefined ? {} : { alert: wrap }
  const result = run({ ...given, own: new OwnDecisions(hooks, (hook) => void failures.push(hook)) })
  return { failures, trades: told(result), ignored: result.ignored.map(({ reason }) => reason), result }
}

const FLAT = [100, 100, 100, 100] as const
const GIVEN: Given = {
  candles: [FLAT, FLAT, FLAT, [100, 130, 80, 100], FLAT],
  alerts: [alert(1, "buy"), alert(2, "sell")]
}
const BOUGHT = "long 100@100 -> 100 signal x1 @2"

const wrong = (value: unknown) => JSON.parse("0", () => value)

describe("an alert", () => {
  test("that is decided as it came changes nothing, however often it was tried before", () => {
    expect(decided((_, __, decide) => decide(), GIVEN).trades).toEqual([BOUGHT])
    const often = decided((_, __, decide) => {
      for (let tries = 0; tries < 7; tries++) decide({ act: "close" })
      return decide()
    }, GIVEN)
    expect(often).toMatchObject({ trades: [BOUGHT], failures: [] })
  })

  test("shows what the bot would do, and the position", () => {
    const seen: Array<readonly [Arrival, Decided]> = []
    decided((_, arrival, decide) => {
      const made = decide()
      seen.push([arrival, made])
      return made
    }, GIVEN)
    expect(seen).toMatchObject([
      [
        { act: "open", side: "long" },
        { answer: "opened", orders: [{ side: "buy", purpose: "entry", quantity: 100, price: 100 }] }
      ],
      [
        { act: "close", side: "long", position: { quantity: 100, average: 100 } },
        { answer: "closed", orders: [{ side: "sell", purpose: "exit", quantity: 100, price: 100 }] }
      ]
    ])
  })

  test("that closes may be vetoed: the position stays", () => {
    const { failures, ignored, result } = decided(
      (_, { act }, decide) => (act === "close" ? veto("not yet") : decide()),
      GIVEN
    )
    expect({ failures, ignored, open: result.open.length }).toEqual({
      failures: [],
      ignored: ["vetoed"],
      open: 1
    })
  })

  test("that closes may set a target of the position in place of it", () => {
    const { ignored, trades } = decided(
      (_, { act, position }, decide) =>
        act === "close" ? decide({ act: "open", sl: 0.9 * (position?.average ?? 0) }) : decide(),
      GIVEN
    )
    expect({ ignored, trades }).toEqual({ ignored: [], trades: ["long 100@100 -> 90 sl x1 @3"] })
  })

  test("that opens may get targets, or lose them", () => {
    expect(
      decided((_, { act }, decide) => decide(act === "open" ? { tp: 120 } : {}), {
        ...GIVEN,
        alerts: [alert(1, "buy")]
      }).trades
    ).toEqual(["long 100@100 -> 120 tp x1 @3"])
    expect(
      decided((_, __, decide) => decide({ sl: undefined }), {
        ...GIVEN,
        alerts: [alert(1, "buy", { sl: 90 })]
      }).trades
    ).toEqual([])
  })

  test("that opens may close the position", () => {
    const { trades } = decided(
      (_, { position }, decide) => decide(position === undefined ? {} : { act: "close" }),
      {
        ...GIVEN,
        alerts: [alert(1, "buy"), alert(2, "buy")]
      }
    )
    expect(trades).toEqual([BOUGHT])
  })
})

const keep = (wrap: Hooks["alert"]) => wrap
const misbehaving: ReadonlyArray<readonly [string, Hooks["alert"]]> = [
  [
    "throws",
    keep(() => {
      throw new Error("no")
    })
  ],
  ["answers nothing", () => wrong(undefined)],
  ["answers with a promise", () => wrong(Promise.resolve())],
  ["makes up a decision", () => ({ answer: "opened", orders: [] })],
  ["copies a decision", (_, __, decide) => ({ ...decide() })],
  [
    "tries without end",
    (_, __, decide) => {
      for (;;) decide()
    }
  ],
  ["names a target that is no number", (_, __, decide) => decide({ tp: Number.NaN })],
  ["names a target below zero", (_, __, decide) => decide({ sl: -1 })],
  ["does something unheard of", (_, __, decide) => decide({ act: wrong("double") })],
  ["vetoes without a text", () => ({ _tag: "Veto", text: wrong(7) })]
]

describe("a hook that", () => {
  for (const [name, wrap] of misbehaving)
    test(`${name} vetoes what opens, lets close what closes, and is reported once`, () => {
      const opening = decided(wrap, GIVEN)
      expect(opening).toMatchObject({ failures: ["alert"], ignored: ["vetoed", "no_position"], trades: [] })
      const closing = decided(
        (context, arrival, decide) =>
          arrival.act === "open" ? decide() : (wrap?.(context, arrival, decide) ?? wrong(undefined)),
        GIVEN
      )
      expect(closing).toMatchObject({ failures: ["alert"], ignored: [], trades: [BOUGHT] })
    })

  test("keeps a decision for the next alert is refused", () => {
    let kept: Decided | undefined
    const { failures, ignored } = decided(
      (_, __, decide) => {
        kept ??= decide()
        return kept
      },
      { ...GIVEN, alerts: [alert(1, "buy"), alert(2, "buy")] }
    )
    expect({ failures, ignored }).toEqual({ failures: ["alert"], ignored: ["vetoed"] })
  })

  test("would open by an alert that closes is refused, and nothing is opened", () => {
    const { failures, result } = decided(
      (_, { act }, decide) => (act === "close" ? decide({ act: "open", tp: 120 }) : veto("no")),
      GIVEN
    )
    expect(result.postings).toHaveLength(1)
    // The alert that closes found no position, and so came to no market.
    expect(failures).toEqual([])
    const pending = decided(
      (_, { act }, decide) => (act === "close" ? decide({ act: "open", tp: 120 }) : decide()),
      {
        ...GIVEN,
        settings: { trailingBuy: { percent: 5 } }
      }
    )
    expect(pending).toMatchObject({ failures: ["alert"], ignored: [], trades: [] })
    expect(pending.result.open).toEqual([])
  })
})

describe("with real money", () => {
  const armed = (wrap: Hooks["alert"]) => {
    const live = new Live(settings({ stopLoss: { percent: 10 } })).arm({ protect: true }).quote(SPOT, 100)
    live.own = new OwnDecisions(wrap === undefined ? {} : { alert: wrap }, (hook, error) =>
      expect.unreachable(`${hook}: ${error}`)
    )
    return live
  }

  test("tries leave nothing behind: one order is placed, and one stop", () => {
    const live = armed((_, __, decide) => {
      decide({ tp: 150 })
      decide({ act: "close" })
      return decide()
    })
    expect(live.alert("buy")).toBe("opened")
    const [entry] = live.decisions.at(-1)?.orders ?? []
    if (entry === undefined) return expect.unreachable("nothing was ordered")
    expect(live.decisions.flatMap(({ orders }) => orders)).toHaveLength(1)
    expect(live.part(entry, "100", 100, true).orders.map(({ type }) => type)).toEqual(["stop"])
  })

  test("a veto of what closes keeps the stop, and the timeline has the words", () => {
    const live = armed((_, { act }, decide) => (act === "close" ? veto("the week is young") : decide()))
    live.alert("buy")
    const [entry] = live.decisions.at(-1)?.orders ?? []
    if (entry === undefined) return expect.unreachable("nothing was ordered")
    live.part(entry, "100", 100, true)
    expect(live.alert("sell")).toBe("vetoed")
    const last = live.decisions.at(-1)
    expect([last?.cancels, last?.orders]).toEqual([[], []])
    expect(last?.notes.map(explain)).toEqual([
      "Own decisions are against closing the position in BTC/USDT at 100: the week is young."
    ])
  })

  test("a changed alert is on the timeline, with the words and the numbers", () => {
    const live = armed((_, __, decide) => decide({ tp: 150, text: "higher\nalways." }))
    live.alert("buy")
    expect(live.decisions.at(-1)?.notes.map(explain)[0]).toBe(
      "Own decisions took the alert on BTC/USDT at 100 as buy; tp 150: higher always."
    )
  })
})

test("in random worlds a hook that agrees with everything changes nothing at all", () => {
  const own = new OwnDecisions({ alert: (_, __, decide) => decide() }, (hook, error) =>
    expect.unreachable(`${hook}: ${error}`)
  )
  for (let seed = 1; seed <= 40; seed++) {
    const { backtest } = world(seed, 2)
    expect(Backtest.run({ ...backtest, own })).toEqual(Backtest.run(backtest))
  }
})
