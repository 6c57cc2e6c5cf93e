// One seed of the world of rules: a rule on two markets, whose server is killed between any two steps, cut off from its
// exchange, and told of candles late, otherwise or not at all.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Clock, Deferred, Effect, Layer, Logger, LogLevel, Option, TestClock, TestContext } from "effect"
import type { RuleDocument } from "../../../src/domain/signalRule/RuleDocument.ts"
import { WITNESS_BOUNDS } from "../../../src/domain/signalRule/Witness.ts"
import type { Journal } from "../../../src/services/Journal.ts"
import type { ActiveRules } from "../../../src/services/rules/ActiveRules.ts"
import { type CandleNews, ClosedCandles } from "../../../src/services/rules/ClosedCandles.ts"
import { RuleDesk } from "../../../src/services/rules/RuleDesk.ts"
import type { RuleWitnesses } from "../../../src/services/rules/RuleWitnesses.ts"
import { Signals } from "../../../src/services/Signals.ts"
import { rule as aRule, signalDraft } from "../../../src/testing/Fixtures.ts"
import { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import * as Disk from "../../lib/disk.ts"
import { mortalRules } from "../../lib/mortalRules.ts"
import { onDatabase, sender } from "../../services/ports.ts"
import { ruleOf } from "../../trading/ruleWorld.ts"
import type { Ran } from "../run.ts"
import { barOf, MARKETS, type Market, MINUTE, marketsOf, sourceOf } from "./Exchange.ts"
import { found } from "./found.ts"
import { BEFORE, expectedOf, violationOf } from "./oracle.ts"

const BEGIN = Date.UTC(2024, 1, 29)
const LENGTH = 60 * MINUTE
const MADE = BEGIN + BEFORE
const END = MADE + LENGTH
/** The longest outage of a server after a kill, and of the exchange. */
const MOST_OUTAGE = 9
/** Steps after which a server is killed, at most; beyond the last kill it lives to the end. */
const MOST_STEPS = 60
const MOST_KILLS = 5
/** How long a server lives on after the last candle: no alert waits for longer. */
const AFTERWARDS = 5 * MINUTE

const WHENS = [
  "close > sma(close, 5)",
  "close < sma(close, 5)",
  "crossover(close, ema(close, 4))",
  "close < close[1] and close[1] < close[2]",
  'close > request("5m", sma(close, 3))'
]

/** News of a market's candle that closed: the exchange's own, or a stream's that is corrected later, or nothing at all. */
const newsOf = (dice: SeededRandom, market: Market, close: number): ReadonlyArray<CandleNews> => {
  const series = { ...market.id, timeframe: "1m" } as const
  const at = close - MINUTE
  const own = barOf(market, at)
  const other = market.streamed.get(at)
  const closed = (bar: typeof own, isFinal: boolean): CandleNews => ({
    ...{ _tag: "Closed", series, from: at, until: close, isFinal },
    bars: bar === undefined ? [] : [bar]
  })
  if (dice.chance(0.05)) return []
  if (dice.chance(0.08))
    return [{ _tag: "Closed", series, from: close, until: close, bars: [], isFinal: true }]
  if (own === undefined || other === undefined) return [closed(own, true)]
  return [closed(other, false), { _tag: "Corrected", series, bar: own }]
}

/** What the clock and alerts from outside have to do with a rule: nothing, or either, or both. */
const besideOf = (seed: number): Pick<RuleDocument, "schedule" | "witness" | "witness_seconds"> => {
  const dice = new SeededRandom(seed + 2 ** 20)
  const schedule = dice.chance(0.5)
    ? [{ type: "sell" as const, cron: `*/${dice.whole(2, 9)} * * * *`, timezone: "Australia/Lord_Howe" }]
    : []
  const witness = dice.pick([undefined, undefined, "tell", "stand_in"])
  if (witness === undefined) return { schedule }
  return { schedule, witness, witness_seconds: dice.whole(...WITNESS_BOUNDS) }
}

type Stored = Journal | ActiveRules | RuleWitnesses

/** A server from the present on, until it is killed or the time is over. */
const served = (
  dice: SeededRandom,
  db: string,
  markets: ReadonlyArray<Market>,
  own: Layer.Layer<Stored, never, Stored>
) => {
  let downUntil = 0
  const clock = { now: 0 }
  const source = sourceOf(markets, () => clock.now < downUntil)
  return Effect.gen(function* () {
    clock.now = yield* Clock.currentTimeMillis
    const desk = yield* RuleDesk
    yield* desk.settled
    for (let at = Math.floor(clock.now / MINUTE) * MINUTE; at < END; ) {
      at += MINUTE
      yield* TestClock.setTime(at)
      clock.now = at
      if (dice.chance(0.05)) downUntil = at + dice.whole(1, MOST_OUTAGE) * MINUTE
      for (const market of markets) for (const news of newsOf(dice, market, at)) yield* desk.take([news])
      yield* desk.settled
      yield* Effect.zipRight(desk.schedules, desk.waits)
    }
    // The exchange is back, and nothing is waited for any more.
    downUntil = 0
    yield* TestClock.setTime(Math.max(clock.now, END + 30_000))
    for (const market of markets)
      yield* desk.take([
        {
          _tag: "Closed",
          series: { ...market.id, timeframe: "1m" },
          from: END,
          until: END,
          bars: [],
          isFinal: true
        }
      ])
    yield* desk.settled
    yield* desk.schedules
    yield* TestClock.setTime(END + AFTERWARDS)
    yield* desk.waits
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
}

const lived = (seed: number, folder: string) =>
  Effect.gen(function* () {
    const dice = new SeededRandom(seed)
    const markets = marketsOf(dice, BEGIN, (BEFORE + LENGTH) / MINUTE)
    const on = Array.from({ length: dice.whole(1, 3) }, () => ({
      type: "buy" as const,
      when: WHENS[dice.whole(0, WHENS.length - 1)] ?? "close > open"
    }))
    const beside = besideOf(seed)
    const rule = aRule({
      timeframe: "1m",
      markets: [{ exchange: "binance", kind: "spot", pairs: MARKETS.map(({ pair }) => pair) }],
      on: beside.witness === undefined ? on : on.slice(0, 1),
      ...beside
    })
    let db = join(folder, "0.db")
    yield* TestClock.setTime(MADE)
    yield* Effect.provide(
      Effect.gen(function* () {
        const { account } = yield* sender("ann")
        yield* (yield* Signals).create(account, signalDraft({ rule }))
      }),
      Layer.fresh(onDatabase(db))
    )
    const kills = dice.whole(1, MOST_KILLS)
    let crashes = 0
    for (;;) {
      const dead = yield* Deferred.make<string>()
      const from = db
      const copy = Effect.sync(() => Disk.copy(from, join(folder, `${crashes + 1}.db`)))
      const when = dice.chance(0.5) ? ("before" as const) : ("after" as const)
      const nth = crashes < kills ? dice.whole(1, MOST_STEPS) : Number.POSITIVE_INFINITY
      const { layer } = mortalRules(copy, { nth, when }, dead)
      // A killed server runs no finalizer: nobody waits for it.
      yield* Effect.raceFirst(Effect.disconnect(served(dice, db, markets, layer)), Deferred.await(dead))
      if (!(yield* Deferred.isDone(dead))) break
      crashes++
      db = yield* Deferred.await(dead)
      const outage = dice.chance(0.5) ? dice.whole(1, MOST_OUTAGE) : 0
      const now = yield* Clock.currentTimeMillis
      yield* TestClock.setTime(Math.max(now, Math.min(END, now + outage * MINUTE)))
    }
    const names = yield* Effect.provide(found, Layer.fresh(onDatabase(db)))
    const text = violationOf(names, expectedOf(ruleOf(rule), markets, { from: MADE, until: END }))
    return { crashes, alerts: names.length, text }
  })

/** Runs a seed. */
export const ranOf = async (seed: number): Promise<Ran> => {
  const folder = mkdtempSync(join(tmpdir(), "rules-"))
  try {
    const { alerts, crashes, text } = await Effect.runPromise(
      lived(seed, folder).pipe(
        Effect.scoped,
        Logger.withMinimumLogLevel(LogLevel.None),
        Effect.provide(TestContext.TestContext)
      )
    )
    return {
      ...{ seed, orders: 0, alerts, crashes, traced: text === undefined ? [] : [text], digest: "" },
      violation: text === undefined ? undefined : { invariant: "rules", text }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
