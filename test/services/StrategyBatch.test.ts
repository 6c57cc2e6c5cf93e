// Several strategies at once: by the rules of single requests, all or none, and between two alerts.
import { expect } from "bun:test"
import { Effect } from "effect"
import type { BatchEntry } from "../../src/domain/Command.ts"
import type { Strategy } from "../../src/domain/Strategy.ts"
import * as Memory from "../../src/Memory.ts"
import { StrategyBatch } from "../../src/services/records/StrategyBatch.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { strategyRequest } from "../../src/testing/Fixtures.ts"
import { layer } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { sender } from "./ports.ts"

const it = layer(Memory.layer())
const create = (name: string, changes: object = {}): BatchEntry => ({
  body: { ...strategyRequest({ name }), ...changes }
})
const update = ({ id, revision }: Strategy, body: BatchEntry["body"]): BatchEntry => ({
  before: { id, revision },
  body
})
const all = Effect.flatMap(StrategyStore, (store) => store.all)

it.effect("a strategy that breaks a rule, has changed or has a taken name keeps all others as they are", () =>
  Effect.gen(function* () {
    const batch = yield* StrategyBatch
    const ann = yield* sender("ann")
    const bob = yield* sender("bob")
    yield* batch.apply(ann.account, [create("one"), create("two")])
    yield* batch.apply(bob.account, [create("his")])
    const before = yield* all
    const [one, two, his] = before
    if (one === undefined || two === undefined || his === undefined) throw new Error("three were made")
    const refused: ReadonlyArray<readonly [BatchEntry, "BatchRefused" | "StrategyChanged"]> = [
      [create("new", { buy_percentage: 101 }), "BatchRefused"],
      [create("new", { signal_id: 99 }), "BatchRefused"],
      [update(two, { exchanges: [{ exchange_name: "binance", coin_pairs: ["NOPE/USDT"] }] }), "BatchRefused"],
      [create("two"), "StrategyChanged"],
      [update({ ...two, revision: 7 }, { buy_percentage: 5 }), "StrategyChanged"],
      [update(his, { buy_percentage: 5 }), "StrategyChanged"]
    ]
    for (const [entry, tag] of refused) {
      const apply = batch.apply(ann.account, [update(one, { buy_percentage: 7 }), create("more"), entry])
      expect((yield* Effect.flip(apply))._tag).toBe(tag)
      expect(yield* all).toEqual(before)
    }
    const [changed] = yield* batch.apply(ann.account, [update(one, { buy_percentage: 7 }), create("more")])
    expect(changed).toMatchObject({ id: one.id, revision: 1, settings: { buyPercent: 7 } })
    expect((yield* all).map(({ settings }) => settings.name)).toEqual(["one", "two", "his", "more"])
  })
)

it.effect(
  "an alert that came before the batch is judged by the settings of its time, and the timeline tells",
  () =>
    Effect.gen(function* () {
      const batch = yield* StrategyBatch
      const ann = yield* Flow.ann({ buy_percentage: 10 })
      yield* Flow.quote(100)
      const [own] = yield* all
      if (own === undefined) throw new Error("a strategy was made")
      const early = yield* Flow.send(ann.identity, ann.signal, "buy")
      yield* batch.apply(ann.account, [update(own, { active: false, sell_minprofitpercent: 50 })])
      const late = yield* Flow.say(ann.identity, ann.signal, "buy")
      expect(yield* Flow.became(ann.account, early)).toEqual(["opened"])
      expect(yield* Flow.became(ann.account, late)).toEqual(["strategy_inactive"])
      // The bot has the new settings at once: it takes its profit at 50 %.
      yield* Flow.quote(151)
      yield* Flow.caughtUp
      expect((yield* Flow.tradesOf(ann.strategy)).map(Flow.told)).toHaveLength(1)
      expect(yield* Flow.rulesOf(ann.account, own.id)).toContain("settings_changed")
    })
)
