// The adversary: two servers that both see every candle, and a rule whose account changes hands between any two of them, or
// is nobody's for a while.
import { describe, expect } from "bun:test"
import { Context, Effect, Option } from "effect"
import { originOf } from "../../src/domain/alert/RuleOrigin.ts"
import { between } from "../../src/domain/candles/CandleRange.ts"
import { partitionOf } from "../../src/domain/Partition.ts"
import * as ReplayClock from "../../src/prices/ReplayClock.ts"
import { Journal } from "../../src/services/Journal.ts"
import type { CandleNews, CandleSource } from "../../src/services/rules/ClosedCandles.ts"
import { RuleDesk } from "../../src/services/rules/RuleDesk.ts"
import { Signals } from "../../src/services/Signals.ts"
import { rule, signalDraft } from "../../src/testing/Fixtures.ts"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { barAt } from "../../src/trading/indicators/Plan.ts"
import { it } from "../lib/effect.ts"
import { isInstalled } from "../lib/postgres/Database.ts"
import { sender } from "../services/ports.ts"
import { barsOf, closing } from "../trading/ruleWorld.ts"
import { BTC } from "../trading/scenario.ts"
import { type Node, twoServers } from "./lib/TwoServers.ts"

const MINUTE = 60_000
const BEGIN = Date.UTC(2026, 2, 1)
const BEFORE = 30
const CANDLES = 40
const SERIES = { exchange: "binance", kind: "spot", pair: BTC, timeframe: "1m" } as const

/** Every candle closes above or below its open. */
const bars = barsOf(
  closing(
    Array.from({ length: BEFORE + CANDLES }, (_, row) => 100 + (row % 3)),
    BEGIN
  )
)
const source: CandleSource = {
  follow: () => Effect.void,
  next: Effect.never,
  history: (_, from, until) => Effect.succeed(barsOf(between(bars, from, until)))
}
const RULE = rule({
  timeframe: "1m",
  on: [
    { type: "buy", when: "close > open" },
    { type: "sell", when: "close < sma(close, 3)" }
  ]
})
const MADE = BEGIN + BEFORE * MINUTE

/** The candles and entries of all alerts in the journal. */
const raised = (node: Node, account: Parameters<typeof partitionOf>[0]) =>
  Effect.gen(function* () {
    const journal = Context.get(node.context, Journal)
    const alerts = yield* journal.list(account, { limit: 500 })
    const incoming = yield* journal.incoming(
      account,
      alerts.map(({ id }) => id)
    )
    return alerts
      .map(({ id }) => Option.getOrThrow(originOf(incoming.get(id)?.body ?? "")))
      .map(({ at, by }) => `${(at - MADE) / MINUTE} ${by}`)
      .sort()
  })

/** A rule that both servers' candles concern; where `isHanded`, its account changes hands. */
const lived = (seed: number, isHanded: boolean) =>
  Effect.gen(function* () {
    const clock = ReplayClock.make(MADE, 1)
    const { a, b } = yield* twoServers({ candles: source, clock })
    const nodes = [a, b]
    const dice = new SeededRandom(seed)
    const desks = nodes.map(({ context }) => Context.get(context, RuleDesk))
    const { account } = yield* b.on(sender("ann"))
    yield* a.on(Effect.flatMap(Signals, ({ create }) => create(account, signalDraft({ rule: RULE }))))
    for (const desk of desks) yield* Effect.zipRight(desk.sync, desk.settled)
    let owner: Node | undefined = b
    for (let row = BEFORE; row < BEFORE + CANDLES; row++) {
      const at = BEGIN + row * MINUTE
      clock.moveTo(at + MINUTE, at + MINUTE)
      const news: CandleNews = {
        ...{ _tag: "Closed", series: SERIES, from: at, until: at + MINUTE, isFinal: true },
        bars: [barAt(bars, row)]
      }
      yield* Effect.forEach(desks, (desk) => desk.take([news]), { concurrency: "unbounded" })
      if (!isHanded || dice.below(3) > 0) continue
      // To the other, to the same, or to nobody until the next time.
      yield* owner?.partitions.release([partitionOf(account)]) ?? Effect.void
      owner = dice.below(3) === 0 ? undefined : dice.pick(nodes)
      yield* owner?.partitions.take([partitionOf(account)]) ?? Effect.void
    }
    if (owner === undefined) yield* a.partitions.take([partitionOf(account)])
    for (const desk of desks) yield* desk.settled
    const figures = desks.map((desk) => desk.figures())
    return {
      raised: yield* raised(a, account),
      repeats: figures.reduce((sum, { repeats }) => sum + repeats, 0),
      both: figures.every(({ alerts }) => alerts > 0)
    }
  }).pipe(Effect.withClock(ReplayClock.make(MADE, 1)))

describe.skipIf(!isInstalled)("a rule whose account two servers hand over", () => {
  it.live(
    "raises one alert for each entry and candle, and misses none",
    () =>
      Effect.gen(function* () {
        const alone = yield* lived(1, false)
        expect(alone.raised.length).toBeGreaterThan(CANDLES / 2)
        // Only one of them has it at work.
        expect(alone.repeats).toBe(0)
        for (const seed of [1, 2, 3]) {
          const { both, raised } = yield* lived(seed, true)
          expect(raised).toEqual(alone.raised)
          expect(both).toBe(true)
        }
      }),
    60_000
  )
})
