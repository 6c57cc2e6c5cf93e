// Kills of a server whose rules look at candles: before and after each alert is stored, and before and after it is stored how
// far a rule was looked at. Another server starts on what is left, after an outage.
import { expect } from "bun:test"
import { Clock, Deferred, Effect, Layer, Option, TestClock } from "effect"
import { originOf } from "../../src/domain/alert/RuleOrigin.ts"
import { between } from "../../src/domain/candles/CandleRange.ts"
import { Pair } from "../../src/domain/Market.ts"
import { Journal } from "../../src/services/Journal.ts"
import type { ActiveRules } from "../../src/services/rules/ActiveRules.ts"
import { type CandleNews, type CandleSource, ClosedCandles } from "../../src/services/rules/ClosedCandles.ts"
import { RuleDesk } from "../../src/services/rules/RuleDesk.ts"
import type { RuleWitnesses } from "../../src/services/rules/RuleWitnesses.ts"
import { Signals } from "../../src/services/Signals.ts"
import { rule as aRule, signalDraft } from "../../src/testing/Fixtures.ts"
import { barAt } from "../../src/trading/indicators/Plan.ts"
import { mortalRules, type RuleKill } from "../lib/mortalRules.ts"
import { onEach, type Storage, strideOf } from "../lib/storages.ts"
import { onDatabase, sender } from "../services/ports.ts"
import { barsOf, runOf, seriesOf } from "../trading/ruleWorld.ts"
import * as Worlds from "./worlds.ts"

const MINUTE = 60_000
const BEGIN = Date.UTC(2024, 1, 29)
/** Candles before the rule is made, and those that it looks at. */
const BEFORE = 60
const LENGTH = 60
/** Minutes without a server after a kill: some candles are looked at late. */
const OUTAGE = 4
/** Of so many moments on Postgres, one is tried in the short form: an odd number, for kills before and after. */
const FEW = 9
/** Of so many moments on disk, one is tried in the short form. */
const STRIDE = process.env["SIGNALBOX_FLOWS"] === "all" ? 1 : 7

const columns = Worlds.walk(Worlds.dice(5), BEGIN, BEFORE + LENGTH, 100, 0.01)
const bars = barsOf(columns)
const RULE = aRule({
  timeframe: "1m",
  on: [
    { type: "buy", when: "close > sma(close, 5)", sl: "close - 2 * stdev(close, 5)" },
    { type: "sell", when: "close < sma(close, 5)" },
    { type: "sell", when: "close < close[1] and close[1] < close[2]" }
  ]
})
const MADE = BEGIN + BEFORE * MINUTE
const END = BEGIN + (BEFORE + LENGTH) * MINUTE

/** What the journal must hold in the end: each alert of a back-test, by its time and entry. */
const EXPECTED = runOf(RULE, seriesOf(columns))
  .raised.filter(({ at }) => at > MADE)
  .map(({ at, by }) => `${at} ${by}`)

const source: CandleSource = {
  follow: () => Effect.void,
  next: Effect.never,
  history: (_, from, until) => Effect.succeed(barsOf(between(bars, from, until)))
}

type Stored = Journal | ActiveRules | RuleWitnesses

/** A server that gets each candle at its close, from the present on. */
const served = (db: string, own: Layer.Layer<Stored, never, Stored>) =>
  Effect.gen(function* () {
    const desk = yield* RuleDesk
    yield* desk.settled
    for (let at = yield* Clock.currentTimeMillis; at < END; ) {
      at += MINUTE
      yield* TestClock.setTime(at)
      const row = bars.at.indexOf(at - MINUTE)
      const news: CandleNews = {
        _tag: "Closed",
        ...{ series: SERIES, from: at - MINUTE, until: at, isFinal: true },
        bars: row < 0 ? [] : [barAt(bars, row)]
      }
      yield* desk.take([news])
      yield* desk.settled
    }
  }).pipe(
    Effect.provide(
      Layer.fresh(
        RuleDesk.layer.pipe(
          Layer.provide(Layer.succeed(ClosedCandles, Option.some(source))),
          Layer.provide(Layer.provideMerge(own, onDatabase(db)))
        )
      )
    )
  )

const [PAIR = Pair.make("BTC/USDT")] = Worlds.PAIRS
const SERIES = { exchange: "binance", kind: "spot", pair: PAIR, timeframe: "1m" } as const

/** Somebody with a rule, made before its first candle. */
const made = Effect.gen(function* () {
  yield* TestClock.setTime(MADE)
  const { account } = yield* sender("ann")
  const { id } = yield* (yield* Signals).create(account, signalDraft({ rule: RULE }))
  return { account, id }
})

/** The alerts of a journal in the sequence of time, each with how often it came. */
const stored = Effect.gen(function* () {
  const { account } = yield* sender("ann")
  const journal = yield* Journal
  const alerts = yield* journal.list(account, { limit: 10_000 })
  const incoming = yield* journal.incoming(
    account,
    alerts.map(({ id }) => id)
  )
  return alerts
    .map(({ id, receivedAt }) => {
      const { at, by } = Option.getOrThrow(originOf(incoming.get(id)?.body ?? ""))
      expect(at).toBe(receivedAt)
      return `${at} ${by}`
    })
    .sort()
})

const untouched = Layer.context<Stored>()

/** Kills a server at a step, and lets another go on after the outage; returns how many steps there were. */
const killedAt = ({ place }: Storage, kill: RuleKill) =>
  Effect.gen(function* () {
    const there = yield* place
    yield* Effect.provide(made, Layer.fresh(onDatabase(there.db)))
    const dead = yield* Deferred.make<string>()
    const { layer, steps } = mortalRules(there.copy, kill, dead)
    yield* Effect.raceFirst(served(there.db, layer), Deferred.await(dead))
    const copy = (yield* Deferred.isDone(dead)) ? yield* Deferred.await(dead) : undefined
    if (copy !== undefined) {
      yield* TestClock.setTime(Math.min(END, (yield* Clock.currentTimeMillis) + OUTAGE * MINUTE))
      yield* served(copy, untouched)
    }
    const found = yield* Effect.provide(stored, Layer.fresh(onDatabase(copy ?? there.db)))
    expect([kill, found]).toEqual([kill, [...EXPECTED].sort()])
    return steps()
  })

onEach((storage) => {
  storage.effect(
    "a kill between any two steps loses no alert of a rule, and stores none twice",
    () =>
      Effect.gen(function* () {
        expect(EXPECTED.length).toBeGreaterThan(15)
        const steps = yield* killedAt(storage, { nth: Number.POSITIVE_INFINITY, when: "before" })
        expect(steps).toBeGreaterThan(LENGTH)
        const stride = strideOf(storage, FEW) * STRIDE
        for (let nth = 1; nth <= steps; nth += stride)
          for (const when of ["before", "after"] as const)
            yield* Effect.scoped(killedAt(storage, { nth, when }))
      }),
    300_000
  )
})
