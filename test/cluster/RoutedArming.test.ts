// Arming by the owner's node: a confirmation that one node asked for is good at any other, once; refusals come back as they are.
import { expect } from "bun:test"
import { Effect } from "effect"
import { ArmingRefused, ExchangeAccountId } from "../../src/domain/Arming.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { StrategyNotFound } from "../../src/domain/Strategy.ts"
import { Arming } from "../../src/services/Arming.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import * as Engines from "./lib/engines.ts"

const terms = {
  account: ExchangeAccountId.make(1),
  capital: Decimal.fromNumber(1000),
  maxOrder: Decimal.fromNumber(100.5),
  maxDailyLoss: Decimal.fromNumber(50),
  protect: true
}

/** The arming of one node, which keeps its confirmations in memory as the real one does. */
const armingOf = (node: number, armed: Array<number>) => {
  const given = new Set<string>()
  return Arming.of({
    mode: () => Effect.sync(() => ({ mode: armed.length > 0 ? "live" : "paper", astray: [] })),
    disarm: () => Effect.dieMessage("not asked for"),
    propose: (_, strategy) => {
      if (strategy === 999) return new StrategyNotFound()
      const confirmation = `${node} ${given.size}`
      given.add(confirmation)
      return Effect.succeed({ confirmation, expiresAt: 300_000, statement: "I agree", warnings: ["careful"] })
    },
    arm: (_, __, ___, confirmation) =>
      Effect.suspend(() => {
        if (!given.delete(confirmation))
          return new ArmingRefused({
            reason: "confirmation_needed",
            detail: "ask anew",
            field: "confirmation"
          })
        armed.push(node)
        return Effect.succeed({ mode: "live", astray: [] } as const)
      })
  })
}

it.live("a confirmation that was asked for at one node arms at another, once, and the owner does both", () =>
  Effect.gen(function* () {
    const armed: Array<number> = []
    const cluster = yield* Engines.make({ nodes: 3, armed: (node) => armingOf(node, armed) })
    yield* cluster.give(2)
    const ann = yield* Engines.at(cluster, 0, Flow.ann())
    const proposed = yield* Engines.at(
      cluster,
      0,
      Effect.flatMap(Arming, (arming) => arming.propose(ann.account, ann.strategy, terms))
    )
    expect(proposed).toEqual({
      confirmation: "2 0",
      expiresAt: 300_000,
      statement: "I agree",
      warnings: ["careful"]
    })
    const arm = Effect.flatMap(Arming, (arming) =>
      arming.arm(ann.account, ann.strategy, terms, proposed.confirmation)
    )
    expect((yield* Engines.at(cluster, 1, arm)).mode).toBe("live")
    const again = yield* Effect.flip(Engines.at(cluster, 2, arm))
    expect(again).toMatchObject({
      _tag: "ArmingRefused",
      reason: "confirmation_needed",
      field: "confirmation"
    })
    expect(armed).toEqual([2])
    const missing = Effect.flatMap(Arming, (arming) => arming.propose(ann.account, 999, terms))
    expect((yield* Effect.flip(Engines.at(cluster, 1, missing)))._tag).toBe("StrategyNotFound")
  })
)
