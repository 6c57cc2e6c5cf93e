// An embedder's own decisions on a server: their words on the timeline, previews, restarts, and hooks that misbehave.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { Effect, Either, Layer, Logger, TestClock } from "effect"
import * as Memory from "../../src/Memory.ts"
import { Backtester } from "../../src/services/Backtester.ts"
import { Decisions } from "../../src/services/engine/Decisions.ts"
import { Meters } from "../../src/services/health/Meters.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import * as Contract from "../../src/testing/Contract.ts"
import { suite } from "../../src/testing/contracts/Decisions.ts"
import { strategyRequest } from "../../src/testing/Fixtures.ts"
import { type Hooks, hold, leave, veto } from "../../src/trading/OwnDecisions.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { folder } from "./ports.ts"

const MINUTE = 60_000

const doubling: Hooks = {
  alert: ({ now }, { act, position }, decide) =>
    act === "close" && position !== undefined && Math.floor(now / 3_600_000) % 24 < 8
      ? decide({ act: "open", sl: position.average })
      : decide(),
  entry: ({ now }, proposal) => (Math.floor(now / 3_600_000) % 24 < 8 ? veto("at night") : proposal),
  size: ({ free }, amount) => Math.min(amount, free / 2),
  exit: ({ price }, { average, side }) =>
    side === "long" && price >= 2 * average
      ? leave("doubled")
      : hold(side === "long" ? { above: 2 * average } : {})
}

Contract.tests(suite, Decisions.with(doubling), test)
Contract.tests(suite, Decisions.with({}), test)

const wrong = (value: unknown) => JSON.parse("0", () => value)
const fail = (): never => {
  throw new Error("no")
}

describe("the contract of own decisions finds", () => {
  let count = 0
  const broken: ReadonlyArray<readonly [string, Hooks]> = [
    ["a hook with a state of its own", { size: () => count++ }],
    ["a hook that throws", { entry: fail }],
    ["a size beyond what is free", { size: ({ free }) => free + 1 }],
    ["a size that is no number", { size: () => Number.NaN }],
    ["an answer to an alert that is its own", { alert: () => ({ answer: "opened", orders: [] }) }],
    ["an alert that answers anew each time", { alert: (_, __, decide) => decide({ tp: 1 + count++ }) }],
    ["a position opened by what closes", { alert: (_, __, decide) => decide({ act: "open", tp: 1 }) }],
    ["an answer of another kind", { exit: () => wrong(Promise.resolve()) }],
    [
      "an exit inside its own window",
      {
        exit: ({ price }, { average }) =>
          price > average * 1.1 ? leave("up") : hold({ above: average * 1.2 })
      }
    ],
    [
      "an exit before its own time",
      { exit: ({ now }, { openedAt }) => (now > openedAt + 20 * 86_400_000 ? leave("old") : hold()) }
    ]
  ]
  for (const [name, hooks] of broken)
    test(name, async () => {
      const outcomes = await Promise.all(
        suite.cases.map((one) =>
          Contract.check(one, Decisions.with(hooks)).then(
            () => "kept",
            () => "broken"
          )
        )
      )
      expect(outcomes).toContain("broken")
    })
})

/** What is logged. */
const logging = () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => void lines.push(String(message)))
  return { lines, layer: Logger.replace(Logger.defaultLogger, logger) }
}

const texts = ({ account, strategy }: Flow.User) =>
  Effect.flatMap(Timeline, (timeline) =>
    Effect.map(timeline.list(account, strategy, { limit: 100 }), (rows) =>
      rows.map(({ text }) => text).reverse()
    )
  )

/** A test on a server in memory with hooks. */
const on = <A, E>(hooks: Hooks, self: Effect.Effect<A, E, Memory.Services>) =>
  Effect.suspend(() => {
    const { layer, lines } = logging()
    const server = Memory.layerWith(Decisions.with(hooks)).pipe(Layer.provide(layer))
    return Effect.map(Effect.provide(self, server), (found) => ({ found, lines }))
  })

const buying = (hooks: Hooks, changes: Flow.Body = {}) =>
  on(
    hooks,
    Effect.gen(function* () {
      const ann = yield* Flow.ann({ taker_fee: 0, ...changes })
      yield* Flow.quote(100)
      const tried = yield* Flow.preview(ann.identity, ann.signal, "buy")
      const id = yield* Flow.say(ann.identity, ann.signal, "buy")
      const reasons = yield* Flow.became(ann.account, id)
      expect(tried.map(({ reason }) => reason)).toEqual([...reasons])
      return { reasons, holds: yield* Flow.holds(ann.strategy), texts: yield* texts(ann) }
    })
  )

describe("own decisions", () => {
  it.effect("veto an entry, and the timeline has their words", () =>
    Effect.gen(function* () {
      const { found, lines } = yield* buying({ entry: () => veto("too wild\ntoday.") })
      expect(found).toEqual({
        reasons: ["vetoed"],
        holds: [],
        texts: [
          "Alert 1 said buy BTC/USDT: ignored, this server's own decisions are against it.",
          "Own decisions are against an entry in BTC/USDT at 100: too wild today."
        ]
      })
      expect(lines).toEqual([])
    })
  )

  it.effect("veto an alert that closes, and set a stop by another, and the timeline says both", () =>
    Effect.gen(function* () {
      const closing: Hooks = {
        alert: ({ price }, { act, position }, decide) => {
          if (act === "open" || position === undefined) return decide()
          return price < position.average
            ? veto("not at a loss")
            : decide({ act: "open", sl: 99, text: "kept" })
        }
      }
      const { found } = yield* on(
        closing,
        Effect.gen(function* () {
          const ann = yield* Flow.ann({ taker_fee: 0 })
          yield* Flow.quote(100)
          yield* Flow.became(ann.account, yield* Flow.say(ann.identity, ann.signal, "buy"))
          yield* Flow.quote(95)
          const loss = yield* Flow.became(ann.account, yield* Flow.say(ann.identity, ann.signal, "sell"))
          yield* Flow.quote(110)
          const tried = yield* Flow.preview(ann.identity, ann.signal, "sell")
          const gain = yield* Flow.became(ann.account, yield* Flow.say(ann.identity, ann.signal, "sell"))
          yield* Flow.quote(98)
          yield* Flow.caughtUp
          return {
            reasons: [...loss, ...gain, ...tried.map(({ reason }) => reason)],
            trades: (yield* Flow.tradesOf(ann.strategy)).map(Flow.told),
            texts: yield* texts(ann)
          }
        })
      )
      expect(found.reasons).toEqual(["vetoed", "targets_updated", "targets_updated"])
      expect(found.trades).toEqual(["long 10 @ 100 -> 98 sl x1"])
      expect(found.texts).toContain(
        "Own decisions are against closing the position in BTC/USDT at 95: not at a loss."
      )
      expect(found.texts).toContain("Own decisions took the alert on BTC/USDT at 110 as buy; sl 99: kept.")
    })
  )

  it.effect("size an entry", () =>
    Effect.map(buying({ size: (_, amount) => amount / 2 }), ({ found }) =>
      expect(found.holds).toEqual(["BTC/USDT spot long 5 @ 100"])
    )
  )

  for (const [name, hooks] of [
    ["not a number", { size: () => Number.NaN }],
    ["negative", { size: () => -5 }],
    ["beyond the balance", { size: () => 1e9 }],
    ["an exception", { size: fail }],
    ["a promise that is rejected", { size: () => wrong(Promise.reject(new Error("late"))) }]
  ] as const)
    it.effect(`with a size that is ${name} order nothing, and the timeline says so`, () =>
      Effect.gen(function* () {
        const { found, lines } = yield* buying(hooks)
        expect(found).toMatchObject({ reasons: ["vetoed"], holds: [] })
        const because =
          name === "beyond the balance"
            ? "its size of 1000000000 is beyond the free 10000"
            : "it failed, and a failure is a veto"
        expect(found.texts[1]).toBe(`Own decisions are against an entry in BTC/USDT at 100: ${because}.`)
        // Once, although the preview called it too.
        expect(lines.length).toBe(name === "beyond the balance" ? 0 : 1)
      })
    )

  it.effect("drop an entry that had armed, where the price turned at the wrong time", () =>
    Effect.gen(function* () {
      const { found } = yield* on(
        { entry: ({ price }, proposal) => (price < 100 ? veto("too cheap") : proposal) },
        Effect.gen(function* () {
          const ann = yield* Flow.ann({ strategy_trailing_buy_switch: true, trailing_buy_percentage: 2 })
          yield* Flow.quote(100)
          yield* Flow.say(ann.identity, ann.signal, "buy")
          yield* Flow.quote(90)
          yield* Flow.quote(92)
          yield* Flow.caughtUp
          return { holds: yield* Flow.holds(ann.strategy), texts: yield* texts(ann) }
        })
      )
      expect(found.holds).toEqual([])
      expect(found.texts.slice(-2)).toEqual([
        expect.stringMatching(/^Dropped the waiting entry in BTC\/USDT at 92: vetoed/),
        "Own decisions are against an entry in BTC/USDT at 92: too cheap."
      ])
    })
  )

  it.effect("are not called by prices inside the window of their exit, and close beyond it", () =>
    Effect.gen(function* () {
      let calls = 0
      const { found } = yield* on(
        {
          exit: ({ price }) => {
            calls++
            return price >= 120 ? leave("high enough") : hold({ above: 120 })
          }
        },
        Effect.gen(function* () {
          const ann = yield* Flow.ann({ taker_fee: 0 })
          yield* Flow.quote(100)
          yield* Flow.say(ann.identity, ann.signal, "buy")
          const before = calls
          for (let step = 0; step < 1000; step++) yield* Flow.quote(101 + (step % 18))
          yield* Flow.caughtUp
          expect(calls).toBe(before)
          yield* Flow.quote(121)
          yield* Flow.caughtUp
          return { trades: (yield* Flow.tradesOf(ann.strategy)).map(Flow.told), texts: yield* texts(ann) }
        })
      )
      expect(found.trades).toEqual(["long 10 @ 100 -> 121 own_exit x1"])
      expect(found.texts).toContain(
        "Ordered to sell 10 BTC on BTC/USDT at 121: own decisions, high enough; at that price 21 % profit after fees, average 100."
      )
    })
  )

  it.effect("close at a time without a price of that time", () =>
    Effect.gen(function* () {
      const { found } = yield* on(
        { exit: ({ now }) => (now >= 2 * MINUTE ? leave("late") : hold({ at: 2 * MINUTE })) },
        Effect.gen(function* () {
          const ann = yield* Flow.ann({ taker_fee: 0 })
          yield* Flow.quote(100)
          yield* Flow.say(ann.identity, ann.signal, "buy")
          yield* TestClock.adjust(2 * MINUTE - 1000)
          yield* Flow.quote(105)
          yield* Flow.caughtUp
          expect(yield* Flow.tradesOf(ann.strategy)).toEqual([])
          yield* TestClock.adjust(1000)
          yield* Flow.caughtUp
          return (yield* Flow.tradesOf(ann.strategy)).map(Flow.told)
        })
      )
      expect(found).toEqual(["long 10 @ 100 -> 105 own_exit x1"])
    })
  )

  it.effect("whose exit fails close nothing, note it once, and a stop goes on", () =>
    Effect.gen(function* () {
      const { found, lines } = yield* on(
        { exit: fail },
        Effect.gen(function* () {
          const ann = yield* Flow.ann({ taker_fee: 0, stop_loss: true, stop_loss_percentage: 10 })
          yield* Flow.quote(100)
          yield* Flow.say(ann.identity, ann.signal, "buy")
          for (let step = 0; step < 10; step++) {
            yield* TestClock.adjust(MINUTE)
            yield* Flow.quote(99 + (step % 3))
          }
          yield* Flow.quote(90)
          yield* Flow.caughtUp
          const { account, strategy } = ann
          return {
            trades: (yield* Flow.tradesOf(strategy)).map(Flow.told),
            rules: yield* Flow.rulesOf(account, strategy)
          }
        })
      )
      expect(found.trades).toEqual(["long 10 @ 100 -> 90 stop_loss x1"])
      expect(found.rules.filter((rule) => rule === "own_exit_failed")).toHaveLength(1)
      expect(lines).toHaveLength(1)
    })
  )

  it.effect("that are slow are logged once, and do what they say", () =>
    Effect.gen(function* () {
      const meters = yield* Meters
      let time = 0
      const slow: Hooks = {
        size: (_, amount) => {
          time += 500
          return amount
        }
      }
      const { layer, lines } = logging()
      const decisions = Decisions.with(slow).pipe(
        Layer.provide(Layer.succeed(Meters, Object.assign(Object.create(meters), { now: () => time })))
      )
      yield* Effect.gen(function* () {
        const { own } = yield* Decisions
        const [context, proposal] = [wrong({ free: 10 }), wrong({})]
        expect([own?.size(context, 5, proposal), own?.size(context, 6, proposal)]).toEqual([5, 6])
        yield* Effect.yieldNow()
      }).pipe(Effect.provide(Layer.provide(decisions, layer)))
      expect(lines).toEqual(["the own decision size took 500 ms: prices and alerts wait for it"])
    })
  )

  it.scoped("go on over a restart in the middle, with what they have to remember in their arguments", () =>
    Effect.gen(function* () {
      const db = join(yield* folder, "signalbox.db")
      const hooks: Hooks = {
        size: (_, amount) => amount / 2,
        exit: ({ price }) => (price >= 120 ? leave("high enough") : hold({ above: 120 }))
      }
      const bought = yield* Effect.provide(Disk.bought(db, { taker_fee: 0 }), Decisions.with(hooks))
      const trades = yield* Effect.provide(
        Disk.run(
          db,
          Effect.gen(function* () {
            expect(yield* Flow.holds(bought.strategy)).toEqual(["BTC/USDT spot long 5 @ 100"])
            yield* Flow.quote(119)
            yield* Flow.quote(125)
            yield* Flow.caughtUp
            return (yield* Flow.tradesOf(bought.strategy)).map(Flow.told)
          })
        ),
        Decisions.with(hooks)
      )
      expect(trades).toEqual(["long 5 @ 100 -> 125 own_exit x1"])
    })
  )

  it.scoped(
    "that failed leave a state which a server without them reads, and the position goes on by our rules",
    () =>
      Effect.gen(function* () {
        const db = join(yield* folder, "signalbox.db")
        const { strategy } = yield* Effect.provide(
          Disk.bought(db, { taker_fee: 0, stop_loss: true, stop_loss_percentage: 10 }),
          Layer.provide(Decisions.with({ exit: fail }), logging().layer)
        )
        const trades = yield* Disk.run(
          db,
          Effect.gen(function* () {
            const record = yield* (yield* Portfolio).bot(strategy)
            expect(record?.state.slots["binance:BTC/USDT:spot"]?.position?.ownFailedAt).toBe(0)
            yield* Flow.quote(90)
            yield* Flow.caughtUp
            return (yield* Flow.tradesOf(strategy)).map(Flow.told)
          })
        )
        expect(trades).toEqual(["long 10 @ 100 -> 90 stop_loss x1"])
      })
  )

  it.effect("decide in the back-tests of the same server", () =>
    Effect.gen(function* () {
      const began = Date.UTC(2025, 0, 1) / 1000
      const csv = Array.from({ length: 30 }, (_, at) => `${(began + at * 60) * 1000},100,100,100,100,1`).join(
        "\n"
      )
      const buy = { time: (began + 60) * 1000, coin: "BTC", quote_currency: "USDT", type: "buy" }
      const body = JSON.stringify({
        strategy: strategyRequest(),
        candles: [{ pair: "BTC/USDT", csv }],
        alerts: { text: JSON.stringify(buy) }
      })
      const tested = (hooks: Hooks) =>
        on(
          hooks,
          Effect.gen(function* () {
            const ann = yield* Flow.ann()
            const bytes = Effect.succeed(new TextEncoder().encode(body))
            return yield* Effect.either((yield* Backtester).run(ann.account, bytes))
          })
        )
      const { found } = yield* tested({ entry: () => veto("never") })
      expect(Either.isRight(found) ? JSON.parse(found.right) : found.left).toMatchObject({
        ignored: [{ reason: "vetoed", count: 1 }],
        open: []
      })
      const kept = yield* tested({})
      expect(Either.isRight(kept.found) ? JSON.parse(kept.found.right).open.length : kept.found.left).toBe(1)
    })
  )
})
