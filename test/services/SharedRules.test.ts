// The adversary: two servers that both have the same rules at work, and both look at every candle and at the clock in the same
// moment. What the database keeps decides: each alert is raised once, and each that did not come is told once.
import { describe, expect } from "bun:test"
import { Context, Effect, Layer, Option, Redacted, type Scope } from "effect"
import { originOf } from "../../src/domain/alert/RuleOrigin.ts"
import { between } from "../../src/domain/candles/CandleRange.ts"
import type { RuleDocument } from "../../src/domain/signalRule/RuleDocument.ts"
import * as ReplayClock from "../../src/prices/ReplayClock.ts"
import { Events } from "../../src/services/Events.ts"
import { Journal } from "../../src/services/Journal.ts"
import { type CandleSource, ClosedCandles } from "../../src/services/rules/ClosedCandles.ts"
import { RuleDesk } from "../../src/services/rules/RuleDesk.ts"
import { UNWITNESSED } from "../../src/services/rules/WitnessNote.ts"
import { Signals } from "../../src/services/Signals.ts"
import { rule as aRule, signalDraft } from "../../src/testing/Fixtures.ts"
import { barAt } from "../../src/trading/indicators/Plan.ts"
import { it } from "../lib/effect.ts"
import { database, isInstalled } from "../lib/postgres/Database.ts"
import { barsOf, runOf, seriesOf, walk } from "../trading/ruleWorld.ts"
import { BTC } from "../trading/scenario.ts"
import { memory, onDatabase, onTemporaryFile, type Ports, sender } from "./ports.ts"

const MINUTE = 60_000
const BEGIN = Date.UTC(2026, 2, 1)
const CANDLES = 40
const MADE = BEGIN + 30 * MINUTE
const END = MADE + CANDLES * MINUTE
const columns = walk(30 + CANDLES, BEGIN)
const bars = barsOf(columns)
const SERIES = { exchange: "binance", kind: "spot", pair: BTC, timeframe: "1m" } as const
const source: CandleSource = {
  follow: () => Effect.void,
  next: Effect.never,
  history: (_, from, until) => Effect.succeed(barsOf(between(bars, from, until)))
}

const ON: RuleDocument["on"] = [{ type: "buy", when: "close > sma(close, 3)" }]
const NEVER: RuleDocument["on"] = [{ type: "buy", when: "close < 0" }]
const EACH_MINUTE: RuleDocument["schedule"] = [{ type: "sell", cron: "* * * * *", timezone: "UTC" }]
const RULES: Readonly<Record<string, Partial<RuleDocument>>> = {
  candles: { on: [...ON, { type: "sell", when: "close < sma(close, 3)" }] },
  clock: { on: NEVER, schedule: EACH_MINUTE },
  tell: { on: ON, witness: "tell", witness_seconds: 90 },
  standIn: { on: ON, witness: "stand_in", witness_seconds: 90 }
}

/** The ports of two servers over the same records: of one process, where a database admits no other. */
type Shared = Effect.Effect<readonly [Context.Context<Ports>, Context.Context<Ports>], unknown, Scope.Scope>
const twice = (subject: Layer.Layer<Ports, unknown>): Shared =>
  Effect.map(Layer.build(Layer.fresh(subject)), (ports) => [ports, ports])
const postgres: Shared = Effect.gen(function* () {
  const address = Redacted.value((yield* database()).url)
  const server = Layer.build(Layer.fresh(onDatabase(address)))
  return [yield* server, yield* server]
})

const deskOver = (ports: Context.Context<Ports>) =>
  Effect.map(
    Layer.build(
      Layer.fresh(RuleDesk.layer).pipe(
        Layer.provide(Layer.succeed(ClosedCandles, Option.some(source))),
        Layer.provide(Layer.succeedContext(ports))
      )
    ),
    Context.get(RuleDesk)
  )

/** What is on record in the end: of each signal the candles of its alerts, or of what was told. */
const recorded = Effect.gen(function* () {
  const { account } = yield* sender("ann")
  const journal = yield* Journal
  const alerts = yield* journal.list(account, { limit: 1_000 })
  const incoming = yield* journal.incoming(
    account,
    alerts.map(({ id }) => id)
  )
  const { events } = yield* (yield* Events).after(account, { entry: 0, alert: 0 }, 1_000)
  return [
    ...alerts.map(({ id, signalId }) => {
      const { at, by } = Option.getOrThrow(originOf(incoming.get(id)?.body ?? ""))
      return `${signalId} ${by} ${(at - MADE) / MINUTE}`
    }),
    ...events.flatMap(({ event: { facts, rule } }) =>
      rule === UNWITNESSED
        ? [`${facts["signal_id"]} on[0] ${(Number(facts["rule_at"]) * 1_000 - MADE) / MINUTE}`]
        : []
    )
  ].sort()
})

/** What a back-test says that each signal raises, whether or not it is a witness. */
const expectedOf = (signals: ReadonlyMap<number, Partial<RuleDocument>>): ReadonlyArray<string> =>
  [...signals]
    .flatMap(([id, rule]) =>
      runOf(aRule({ timeframe: "1m", ...rule }), seriesOf(columns), { from: MADE + 1, until: END + 1 })
        .raised.map(({ at, by }) => `${id} ${by} ${(at - MADE) / MINUTE}`)
        .concat(rule.schedule === undefined ? [] : [`${id} schedule[0] ${CANDLES}`])
    )
    .sort()

const lived = (shared: Shared) => {
  const clock = ReplayClock.make(MADE, 1)
  return Effect.gen(function* () {
    const [one, other] = yield* shared
    const signals = new Map<number, Partial<RuleDocument>>()
    for (const rule of Object.values(RULES)) {
      const { account } = yield* Effect.provide(sender("ann"), one)
      const draft = signalDraft({ rule: aRule({ timeframe: "1m", ...rule }) })
      signals.set((yield* Context.get(one, Signals).create(account, draft)).id, rule)
    }
    const desks = [yield* deskOver(one), yield* deskOver(other)]
    yield* Effect.forEach(desks, ({ settled }) => settled)
    const both = (look: (desk: typeof RuleDesk.Service) => Effect.Effect<void>) =>
      Effect.forEach(desks, look, { concurrency: "unbounded", discard: true })
    for (let at = MADE + MINUTE; at <= END; at += MINUTE) {
      clock.moveTo(at, at)
      const row = bars.at.indexOf(at - MINUTE)
      yield* both((desk) =>
        desk.take([
          {
            ...{ _tag: "Closed", series: SERIES, from: at - MINUTE, until: at, isFinal: true },
            bars: row < 0 ? [] : [barAt(bars, row)]
          }
        ])
      )
      yield* both(({ schedules }) => schedules)
      yield* both(({ waits }) => waits)
    }
    // Past the last wait, and before the next minute's alert of the clock.
    clock.moveTo(END + 90_000, END + 90_000)
    yield* both(({ waits }) => waits)
    const figures = desks.map((desk) => desk.figures())
    expect(yield* Effect.provide(recorded, one)).toEqual([...expectedOf(signals)])
    const sum = (of: (figure: (typeof figures)[number]) => number) =>
      figures.reduce((all, figure) => all + of(figure), 0)
    return { repeats: sum(({ repeats }) => repeats), told: sum(({ announced }) => announced) }
  }).pipe(Effect.withClock(clock), Effect.scoped)
}

describe("two servers that both have a rule at work", () => {
  const once = (name: string, shared: Shared) =>
    it.live(
      `raise each alert once, stand in for each once and tell of each once ${name}`,
      () =>
        Effect.gen(function* () {
          const { repeats, told } = yield* lived(shared)
          // Both came with each alert, and the journal recognised the second.
          expect([repeats > CANDLES, told > 5]).toEqual([true, true])
        }),
      120_000
    )
  once("in memory", twice(memory))
  once("on disk", twice(onTemporaryFile))
  describe.skipIf(!isInstalled)("of their own connections", () => once("on Postgres", postgres))
})
