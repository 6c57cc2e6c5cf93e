// The adversary: an alert that begins to wait in the very moment in which is read when the next one is due.
import { expect } from "bun:test"
import { Effect, TestClock } from "effect"
import type { AlertDraft } from "../../src/services/Journal.ts"
import { ActiveRules } from "../../src/services/rules/ActiveRules.ts"
import type { Raised } from "../../src/services/rules/RuleAlertDraft.ts"
import { RuleWitnesses } from "../../src/services/rules/RuleWitnesses.ts"
import * as Witnessing from "../../src/services/rules/Witnessing.ts"
import { workingRule } from "../../src/services/rules/WorkingRule.ts"
import { Signals } from "../../src/services/Signals.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import { rule as aRule, marketId, signalDraft } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import { memory } from "./ports.ts"

it.effect("an alert of a witness ends although it began to wait while the next time was read", () =>
  Effect.gen(function* () {
    const { account } = yield* sender("alice")
    const signal = yield* (yield* Signals).create(
      account,
      signalDraft({ rule: aRule({ witness: "stand_in" }) })
    )
    const [active] = yield* (yield* ActiveRules).among([signal.id])
    const rule = active === undefined ? undefined : workingRule(active, [])
    if (rule === undefined) throw new Error("there is no rule")
    const raised = (at: number): Raised => ({
      ...{ rule, market: marketId(), by: "on[0]", at, close: 1, values: [] },
      instruction: { type: "buy" }
    })
    const real = yield* RuleWitnesses
    const stored: Array<number> = []
    const store = ({ receivedAt }: AlertDraft) =>
      Effect.as(
        Effect.sync(() => stored.push(receivedAt)),
        "Recorded" as const
      )
    let meanwhile: Effect.Effect<void> = Effect.void
    const slow = {
      ...real,
      // The answer is on its way when the other alert is stored.
      next: Effect.zipLeft(
        real.next,
        Effect.suspend(() => meanwhile)
      )
    }
    const witnessing = yield* Effect.provideService(
      Witnessing.make(store, (text) => text),
      RuleWitnesses,
      slow
    )
    yield* witnessing.hold([raised(1_000)])
    meanwhile = Effect.suspend(() => {
      meanwhile = Effect.void
      return witnessing.hold([raised(2_000)])
    })
    yield* TestClock.setTime(91_000)
    yield* witnessing.look
    expect(stored).toEqual([1_000])
    yield* TestClock.setTime(92_000)
    yield* witnessing.look
    expect(stored).toEqual([1_000, 2_000])
  }).pipe(Effect.provide(memory))
)
