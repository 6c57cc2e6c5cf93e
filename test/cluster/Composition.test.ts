// A node's use cases over routes: everything above the engine sees the routed bots and the routed arming, and nothing reaches
// the engine of this process, which runs no partition here.
import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import * as Composition from "../../src/Composition.ts"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import { STARTING_BALANCES } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as Memory from "../../src/Memory.ts"
import { Arming } from "../../src/services/Arming.ts"
import { Bots } from "../../src/services/Bots.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"

const asked: Array<string> = []
const routes: Composition.Routes<StrategyStore> = {
  bots: Layer.effect(
    Bots,
    Effect.gen(function* () {
      const local = yield* Bots
      const { apply } = yield* StrategyStore
      return {
        ...local,
        admit: (account, changes) =>
          Effect.zipRight(
            Effect.sync(() => asked.push("admit")),
            apply(account, changes)
          )
      }
    })
  ),
  arming: Layer.effect(
    Arming,
    Effect.map(Arming, (local) => ({
      ...local,
      propose: (...args) =>
        Effect.zipRight(
          Effect.sync(() => asked.push("propose")),
          local.propose(...args)
        )
    }))
  )
}

const terms = {
  account: ExchangeAccountId.make(1),
  capital: Decimal.fromNumber(1000),
  maxOrder: Decimal.fromNumber(100),
  maxDailyLoss: Decimal.fromNumber(50),
  protect: true
}

it.effect("the use cases of a node go by its routes", () =>
  Effect.gen(function* () {
    const ann = yield* Flow.ann()
    yield* Flow.update(ann.account, ann.strategy, { buy_percentage: 7 })
    yield* Effect.exit(Effect.flatMap(Arming, (arming) => arming.propose(ann.account, ann.strategy, terms)))
    expect(asked).toEqual(["admit", "propose"])
    const { settings } = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
    expect(settings.buyPercent).toBe(7)
    // What is not routed here ends at the engine, which has no partition.
    const removed = yield* Effect.exit(Flow.remove(ann.account, ann.strategy))
    expect(String(removed)).toContain("another process runs the bots of this account")
  }).pipe(
    Effect.provide(
      Composition.over(
        Memory.layer(),
        {
          allowPrivate: false,
          isShared: true,
          maxPairs: 200,
          paper: STARTING_BALANCES,
          patience: DEFAULT_PATIENCE,
          telegramUrl: "https://api.telegram.org"
        },
        routes
      )
    )
  )
)
