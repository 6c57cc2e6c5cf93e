// Rules at work over closed candles of an exchange: when they begin, what they raise after an outage, a correction, a new
// year or a change, and what their owners are told.
import { describe, expect } from "bun:test"
import { Clock, Effect, Layer, Logger, LogLevel, Option, TestClock } from "effect"
import type { AccountId } from "../../src/domain/Account.ts"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import { between } from "../../src/domain/candles/CandleRange.ts"
import { millisOf } from "../../src/domain/candles/Timeframe.ts"
import type { SignalId } from "../../src/domain/Signal.ts"
import type { RuleDocument } from "../../src/domain/signalRule/RuleDocument.ts"
import * as Memory from "../../src/Memory.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { Journal } from "../../src/services/Journal.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { type CandleSource, ClosedCandles, HistoryFailed } from "../../src/services/rules/ClosedCandles.ts"
import { RuleDesk } from "../../src/services/rules/RuleDesk.ts"
import { RuleLimits } from "../../src/services/rules/RuleLimits.ts"
import { Signals } from "../../src/services/Signals.ts"
import { rule as aRule, signalDraft } from "../../src/testing/Fixtures.ts"
import { type Bar, barAt } from "../../src/trading/indicators/Plan.ts"
import { it } from "../lib/effect.ts"
import { barsOf, closing, runOf, seriesOf, walk } from "../trading/ruleWorld.ts"
import { sender } from "./ports.ts"

const MINUTE = 60_000
const BEGIN = Date.UTC(2024, 1, 29)

/** An exchange: its candles, from which on it serves them, and why it does not now. */
interface Exchange {
  columns: Columns
  since: number
  failure: string | undefined
  readonly requests: Array<readonly [from: number, until: number]>
  /** Whether the database cannot be read. */
  isBroken: boolean
}

const sourceOf = (exchange: Exchange): CandleSource => ({
  follow: () => Effect.void,
  next: Effect.never,
  history: (_, from, until) =>
    Effect.suspend(() => {
      exchange.requests.push([from, until])
      if (exchange.failure !== undefined)
        return new HistoryFailed({ reason: exchange.failure, isLasting: false })
      const found = between(exchange.columns, Math.max(from, exchange.since), until)
      return Effect.succeed(barsOf(found))
    })
})

interface World {
  readonly exchange: Exchange
  readonly ann: AccountId
  readonly make: (rule: Partial<RuleDocument>) => Effect.Effect<SignalId>
  /** Lets candles close, one after the other, up to a time. */
  readonly play: (until: number) => Effect.Effect<void>
  readonly correct: (bar: Bar) => Effect.Effect<void>
  /** The alerts in the journal: the times of their candles after `BEGIN` in candles, and their types. */
  readonly alerts: Effect.Effect<ReadonlyArray<readonly [number, string]>>
  readonly desk: typeof RuleDesk.Service
  readonly signals: typeof Signals.Service
  readonly journal: typeof Journal.Service
  readonly join: (name: string) => Effect.Effect<{ readonly account: AccountId }>
}

interface Given {
  readonly columns: Columns
  readonly at: number
  readonly since?: number
  readonly timeframe?: RuleDocument["timeframe"]
}

/** A server with an exchange, at a time. */
const world = <E>(given: Given, test: (world: World) => Effect.Effect<void, E>) => {
  const { at, columns, since = 0, timeframe = "1m" } = given
  const exchange: Exchange = { columns, since, failure: undefined, requests: [], isBroken: false }
  const span = millisOf(timeframe)
  const series = { exchange: "binance", kind: "spot", pair: seriesOf(columns)[0]?.pair, timeframe } as const
  const { pair } = series
  if (pair === undefined) throw new Error("there is one series")
  const closed = { ...series, pair }
  const signals = Layer.effect(
    Signals,
    Effect.map(Signals, (inner) => ({
      ...inner,
      get: (account, id) =>
        Effect.suspend(() =>
          exchange.isBroken
            ? Effect.die(new StorageUnavailable({ reason: "planted" }))
            : inner.get(account, id)
        )
    }))
  )
  const own = RuleDesk.layer.pipe(
    Layer.provide(signals),
    Layer.provide(Layer.succeed(ClosedCandles, Option.some(sourceOf(exchange))))
  )
  return Effect.gen(function* () {
    yield* TestClock.setTime(at)
    const { account: ann } = yield* sender("ann")
    const desk = yield* RuleDesk
    const signals = yield* Signals
    const journal = yield* Journal
    const accounts = yield* Accounts
    yield* test({
      exchange,
      ann,
      desk,
      signals,
      journal,
      join: (name) => Effect.orDie(Effect.provideService(sender(name), Accounts, accounts)),
      make: (rule) =>
        Effect.gen(function* () {
          const draft = signalDraft({ rule: aRule({ timeframe, ...rule }) })
          const { id } = yield* Effect.orDie(signals.create(ann, draft))
          yield* desk.sync
          yield* desk.settled
          return id
        }),
      play: (until) =>
        Effect.gen(function* () {
          for (;;) {
            const close = (Math.floor((yield* Clock.currentTimeMillis) / span) + 1) * span
            if (close > until) break
            yield* TestClock.setTime(close)
            const bars = barsOf(between(exchange.columns, close - span, close))
            yield* desk.take([
              {
                ...{ _tag: "Closed", series: closed, from: close - span, until: close, isFinal: false },
                bars: bars.length === 0 ? [] : [barAt(bars, 0)]
              }
            ])
            yield* desk.settled
          }
        }),
      correct: (bar) => desk.take([{ _tag: "Corrected", series: closed, bar }]),
      alerts: Effect.map(journal.list(ann, { limit: 10_000 }), (all) =>
        all.map(({ receivedAt, type }) => [(receivedAt - BEGIN) / span, type] as const).toReversed()
      )
    })
  }).pipe(Effect.provide(own.pipe(Layer.provideMerge(Memory.ports))))
}

/** Candles of a minute each with these closes, from so many minutes after `BEGIN` on. */
const minutes = (closes: ReadonlyArray<number>) => closing(closes, BEGIN)
const UP = { on: [{ type: "buy" as const, when: "close > 100" }] }

describe("a rule begins", () => {
  it.effect("with the first candle that closes after it was made, and not with what was true already", () =>
    world(
      { columns: minutes([90, 110, 110, 90, 110, 110]), at: BEGIN + 2.5 * MINUTE },
      ({ alerts, make, play }) =>
        Effect.gen(function* () {
          yield* make(UP)
          yield* play(BEGIN + 6 * MINUTE)
          expect(yield* alerts).toEqual([[5, "buy"]])
        })
    )
  )
  it.effect("at the candle in which it was made, where that was false before", () =>
    world({ columns: minutes([90, 90, 110]), at: BEGIN + 2.5 * MINUTE }, ({ alerts, make, play }) =>
      Effect.gen(function* () {
        yield* make(UP)
        yield* play(BEGIN + 3 * MINUTE)
        expect(yield* alerts).toEqual([[3, "buy"]])
      })
    )
  )
  it.effect("once its indicators have their candles, and says from when on", () =>
    world(
      { columns: walk(60, BEGIN), at: BEGIN + 10.5 * MINUTE, since: BEGIN + 5 * MINUTE },
      ({ alerts, ann, desk, exchange, make, play }) =>
        Effect.gen(function* () {
          const rule = { on: [{ type: "buy" as const, when: "close > sma(close, 20)" }] }
          const id = yield* make(rule)
          const status = () => Option.getOrThrow(desk.status(ann, id))
          expect(status()).toMatchObject({ state: "warming_up", actsFrom: BEGIN + 25 * MINUTE })
          yield* play(BEGIN + 24 * MINUTE)
          expect(status().state).toBe("warming_up")
          yield* play(BEGIN + 60 * MINUTE)
          expect(status()).toMatchObject({
            state: "acting",
            markets: [{ state: "acting", lookedAt: BEGIN + 60 * MINUTE }]
          })
          const served = between(exchange.columns, BEGIN + 5 * MINUTE, BEGIN + 60 * MINUTE)
          const expected = runOf(aRule({ timeframe: "1m", ...rule }), seriesOf(served)).raised
          expect(expected.length).toBeGreaterThan(1)
          expect(yield* alerts).toEqual(
            expected.map(({ at, type }) => [(at - BEGIN) / MINUTE, type] as const)
          )
        })
    )
  )
  it.effect("when its exchange answers again, and says why it waits until then", () =>
    world({ columns: minutes([90, 90, 110, 90, 110]), at: BEGIN + 1.5 * MINUTE }, (there) =>
      Effect.gen(function* () {
        there.exchange.failure = "binance: it is down"
        const id = yield* there.make(UP)
        const status = () => Option.getOrThrow(there.desk.status(there.ann, id))
        expect(status()).toMatchObject({ state: "waiting", reason: "binance: it is down" })
        expect(there.desk.figures()).toMatchObject({ rules: 1, waiting: 1, stopped: 0 })
        yield* there.play(BEGIN + 4 * MINUTE)
        expect(yield* there.alerts).toEqual([])
        there.exchange.failure = undefined
        yield* TestClock.adjust("25 seconds")
        yield* there.desk.settled
        // The candle that it missed meanwhile is looked at late.
        expect(yield* there.alerts).toEqual([[3, "buy"]])
        expect(status().state).toBe("acting")
        expect(there.desk.figures().waiting).toBe(0)
      })
    )
  )
})

describe("after an outage", () => {
  it.effect("missed candles are looked at in their sequence, each once", () =>
    world({ columns: minutes([90, 110, 90, 110, 90, 110, 90, 110]), at: BEGIN + 0.5 * MINUTE }, (there) =>
      Effect.gen(function* () {
        yield* there.make(UP)
        yield* there.play(BEGIN + 3 * MINUTE)
        expect(yield* there.alerts).toEqual([[2, "buy"]])
        // No news for a while.
        yield* TestClock.setTime(BEGIN + 7.5 * MINUTE)
        expect(there.desk.figures().behindMs).toBe(3.5 * MINUTE)
        yield* there.play(BEGIN + 8 * MINUTE)
        expect(there.desk.figures().behindMs).toBe(0)
        expect(yield* there.alerts).toEqual([2, 4, 6, 8].map((minute) => [minute, "buy"] as const))
        expect(there.exchange.requests.at(-1)).toEqual([BEGIN + 3 * MINUTE, BEGIN + 8 * MINUTE])
      })
    )
  )
})

describe("while the database is away", () => {
  it.effect("an alert of a rule is not lost, but raised when the database is back", () =>
    world({ columns: minutes([90, 90, 110, 90, 110]), at: BEGIN + 1.5 * MINUTE }, (there) =>
      Effect.gen(function* () {
        yield* there.make(UP)
        there.exchange.isBroken = true
        yield* there.play(BEGIN + 3 * MINUTE)
        expect(yield* there.alerts).toEqual([])
        there.exchange.isBroken = false
        yield* TestClock.adjust("25 seconds")
        yield* there.desk.settled
        expect(yield* there.alerts).toEqual([[3, "buy"]])
        yield* there.play(BEGIN + 5 * MINUTE)
        expect(yield* there.alerts).toEqual([
          [3, "buy"],
          [5, "buy"]
        ])
      })
    ).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )
})

describe("a candle that is corrected", () => {
  const flat = (at: number, close: number): Bar => ({
    ...{ at, open: close, high: close, low: close, close, volume: 1 }
  })
  it.effect("raises nothing any more, and counts as it is for the next one", () =>
    world({ columns: minutes([90, 90, 90, 110, 110]), at: BEGIN + 1.5 * MINUTE }, (there) =>
      Effect.gen(function* () {
        yield* there.make(UP)
        yield* there.play(BEGIN + 3 * MINUTE)
        // At the exchange it was true here already, so that it is not true for the first time at the next.
        yield* there.correct(flat(BEGIN + 2 * MINUTE, 110))
        expect(there.desk.figures().corrected).toBe(1)
        yield* there.play(BEGIN + 5 * MINUTE)
        expect(yield* there.alerts).toEqual([])
      })
    )
  )
  it.effect("does not take back what was raised", () =>
    world({ columns: minutes([90, 90, 110, 90, 90]), at: BEGIN + 1.5 * MINUTE }, (there) =>
      Effect.gen(function* () {
        yield* there.make(UP)
        yield* there.play(BEGIN + 3 * MINUTE)
        yield* there.correct(flat(BEGIN + 2 * MINUTE, 90))
        yield* there.play(BEGIN + 5 * MINUTE)
        expect(yield* there.alerts).toEqual([[3, "buy"]])
      })
    )
  )
})

describe("a change of a signal", () => {
  const columns = minutes([90, 110, 90, 110, 90, 110, 90, 110])
  it.effect(
    "that switches it off ends its rule; switched on it begins anew, and looks at nothing from in between",
    () =>
      world({ columns, at: BEGIN + 0.5 * MINUTE }, (there) =>
        Effect.gen(function* () {
          const id = yield* there.make(UP)
          yield* there.play(BEGIN + 2 * MINUTE)
          yield* there.signals.update(there.ann, id, { active: false })
          // Before the change is noticed nothing is raised either.
          yield* there.play(BEGIN + 4 * MINUTE)
          yield* there.desk.sync
          expect(there.desk.status(there.ann, id)).toEqual(Option.none())
          yield* there.play(BEGIN + 6 * MINUTE)
          yield* TestClock.setTime(BEGIN + 6.5 * MINUTE)
          yield* there.signals.update(there.ann, id, { active: true })
          yield* there.desk.sync
          yield* there.desk.settled
          yield* there.play(BEGIN + 8 * MINUTE)
          expect(yield* there.alerts).toEqual([
            [2, "buy"],
            [8, "buy"]
          ])
        })
      )
  )
  it.effect("of its rule is a new version, of which the old one raises nothing", () =>
    world({ columns, at: BEGIN + 0.5 * MINUTE }, (there) =>
      Effect.gen(function* () {
        const id = yield* there.make(UP)
        yield* there.play(BEGIN + 2 * MINUTE)
        const changed = aRule({ timeframe: "1m", on: [{ type: "sell", when: "close > 105" }] })
        yield* there.signals.update(there.ann, id, { rule: changed })
        yield* there.desk.sync
        yield* there.desk.settled
        yield* there.play(BEGIN + 4 * MINUTE)
        expect(yield* there.alerts).toEqual([
          [2, "buy"],
          [4, "sell"]
        ])
      })
    )
  )
  it.effect("of its name changes nothing for its rule", () =>
    world({ columns, at: BEGIN + 0.5 * MINUTE }, (there) =>
      Effect.gen(function* () {
        const id = yield* there.make(UP)
        yield* there.play(BEGIN + 3 * MINUTE)
        yield* TestClock.setTime(BEGIN + 3.5 * MINUTE)
        yield* there.signals.update(there.ann, id, { name: "Other" })
        yield* there.desk.sync
        yield* there.play(BEGIN + 4 * MINUTE)
        expect(yield* there.alerts).toEqual([
          [2, "buy"],
          [4, "buy"]
        ])
      })
    )
  )
})

describe("rules beside each other", () => {
  it.effect("raise what each raises alone, whenever they come and go", () =>
    world({ columns: walk(400, BEGIN), at: BEGIN + 100.5 * MINUTE }, (there) =>
      Effect.gen(function* () {
        const whens = [
          "close > sma(close, 5)",
          "close < sma(close, 5)",
          "crossover(close, ema(close, 4))",
          "rsi(close, 5) > 60"
        ]
        const rules = Array.from({ length: 12 }, (_, index) => ({
          on: [{ type: "buy" as const, when: `${whens[index % whens.length]} and close > ${index}` }]
        }))
        const made = new Map<number, number>()
        for (const [index, rule] of rules.entries()) {
          made.set(yield* there.make(rule), yield* Clock.currentTimeMillis)
          yield* there.play(BEGIN + (110 + 10 * index) * MINUTE)
          yield* TestClock.setTime(BEGIN + (110.5 + 10 * index) * MINUTE)
        }
        yield* there.play(BEGIN + 400 * MINUTE)
        const all = yield* there.journal.list(there.ann, { limit: 10_000 })
        for (const [index, [signal, at]] of [...made].entries()) {
          const expected = runOf(
            aRule({ timeframe: "1m", ...rules[index] }),
            seriesOf(there.exchange.columns)
          ).raised
          const own = all.filter(({ signalId }) => signalId === signal).map(({ receivedAt }) => receivedAt)
          expect([index, own.toReversed()]).toEqual([
            index,
            expected.map((one) => one.at).filter((time) => time > at)
          ])
        }
        expect(all.length).toBeGreaterThan(200)
      })
    )
  )
})

describe("a rule with a function that never forgets", () => {
  it.effect("begins at the anchor, and enters a new year as a back-test does, with no past candles", () => {
    const hours = 4
    const first = Date.UTC(2021, 5, 1)
    const years = closing(
      Array.from(
        { length: 4 * 365 * 6 },
        (_, index) => 100 + 30 * Math.sin(index / 50) + ((index * 7919) % 13)
      ),
      first,
      hours * 60
    )
    const rule = { on: [{ type: "buy" as const, when: "barssince(close > 125) % 7 == 3 and obv > obv[2]" }] }
    const [from, until] = [Date.UTC(2023, 10, 20, 1), Date.UTC(2024, 1, 20)]
    return world({ columns: years, at: from, timeframe: "4h" }, ({ alerts, exchange, make, play }) =>
      Effect.gen(function* () {
        yield* make(rule)
        expect(exchange.requests.map(([begin]) => begin)).toEqual([Date.UTC(2021, 0, 1)])
        yield* play(until)
        const expected = runOf(aRule({ timeframe: "4h", ...rule }), seriesOf(years), {
          from,
          until: until + 1
        }).raised
        expect(expected.filter(({ at }) => at > Date.UTC(2024, 0, 1)).length).toBeGreaterThan(5)
        expect(yield* alerts).toEqual(
          expected.map(({ at, type }) => [(at - BEGIN) / (hours * 60 * MINUTE), type] as const)
        )
        // Two years of minutes would take an exchange many minutes, in which nothing is on time.
        expect(exchange.requests.length).toBe(1)
      })
    )
  })
})

describe("the bounds of rules", () => {
  it.effect("stop an account's later rules, which say why, and nobody else's", () =>
    world({ columns: minutes([90, 110]), at: BEGIN + 1.5 * MINUTE }, (there) =>
      Effect.gen(function* () {
        const ids = [yield* there.make(UP), yield* there.make(UP), yield* there.make(UP)]
        const states = ids.map((id) => Option.getOrThrow(there.desk.status(there.ann, id)).state)
        expect(states).toEqual(["acting", "acting", "stopped"])
        expect(there.desk.figures()).toMatchObject({ rules: 2, stopped: 1, waiting: 0 })
        const [, , last] = ids
        expect(last && Option.getOrThrow(there.desk.status(there.ann, last)).reason).toContain(
          "2 markets at most"
        )
        const { account: bob } = yield* there.join("bob")
        const theirs = yield* Effect.orDie(
          there.signals.create(bob, signalDraft({ rule: aRule({ timeframe: "1m", ...UP }) }))
        )
        yield* there.desk.sync
        yield* there.desk.settled
        expect(Option.getOrThrow(there.desk.status(bob, theirs.id)).state).toBe("acting")
        expect(there.desk.status(bob, ids[0] ?? theirs.id)).toEqual(Option.none())
      })
    ).pipe(
      Effect.provideService(RuleLimits, {
        account: { places: 2, series: 9, numbers: 1_000_000 },
        all: { places: 9, series: 9, numbers: 1_000_000 }
      })
    )
  )
})
