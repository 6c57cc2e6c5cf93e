import { expect } from "bun:test"
import { Deferred, Effect, Layer, Option, TestClock } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import { ExchangeAccountId } from "../../src/domain/Live.ts"
import type { Wish } from "../../src/domain/Mandate.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import { Arming, type TradingMode } from "../../src/services/Arming.ts"
import * as Mandated from "../../src/services/Mandated.ts"
import { Mandates } from "../../src/services/Mandates.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import { layer } from "../lib/effect.ts"

const ONE = Decimal.one
const terms = { capital: ONE, maxOrder: ONE, maxDailyLoss: ONE, protect: false }
const arm: Wish = { _tag: "Arm", terms: { account: ExchangeAccountId.make(1), ...terms } }
const disarm: Wish = { _tag: "Disarm", close: false, forget: false }
const SLOW = StrategyId.make(1)
const QUICK = StrategyId.make(2)

/** Whose exchange does not answer until it is told to; and what was asked for, as it was begun. */
interface Scene {
  readonly answers: Deferred.Deferred<void>
  readonly begun: Array<string>
}

const scripted = ({ answers, begun }: Scene) => {
  const paper: TradingMode = { mode: "paper", astray: [] }
  return Layer.succeed(Arming, {
    mode: () => Effect.succeed(paper),
    propose: (_, strategy) =>
      Effect.gen(function* () {
        begun.push(`arm ${strategy}`)
        if (strategy === SLOW) yield* Deferred.await(answers)
        return { confirmation: "yes", expiresAt: 0, statement: `armed ${strategy}`, warnings: [] }
      }),
    arm: () => Effect.succeed(paper),
    disarm: (_, strategy) =>
      Effect.sync(() => {
        begun.push(`disarm ${strategy}`)
        return paper
      })
  })
}

const { effect } = layer(Mandates.layerMemory)

const served = (
  act: (scene: Scene, mandates: typeof Mandates.Service) => Effect.Effect<void>
): Effect.Effect<void, never, Mandates> =>
  Effect.gen(function* () {
    const scene: Scene = { answers: yield* Deferred.make<void>(), begun: [] }
    const mandates = yield* Mandates
    yield* Effect.provide(act(scene, mandates), Mandated.layer.pipe(Layer.provide(scripted(scene))))
  })

effect("an exchange that does not answer delays nobody else's disarming", () =>
  served((_, mandates) =>
    Effect.gen(function* () {
      const slow = yield* mandates.leave(sender.account, SLOW, arm)
      yield* TestClock.adjust("1 second")
      const quick = yield* mandates.leave(sender.account, QUICK, disarm)
      yield* TestClock.adjust("1 second")
      expect(yield* mandates.answerOf(quick.id)).toEqual(
        Option.some({ isDone: true, text: "strategy 2 is on paper again" })
      )
      expect(yield* mandates.answerOf(slow.id)).toEqual(Option.none())
    })
  )
)

effect("of one strategy is done in order, and each once", () =>
  served(({ answers, begun }, mandates) =>
    Effect.gen(function* () {
      for (const wish of [arm, disarm, arm]) yield* mandates.leave(sender.account, SLOW, wish)
      yield* mandates.leave(sender.account, QUICK, arm)
      yield* TestClock.adjust("1 second")
      expect(begun).toEqual(["arm 1", "arm 2"])
      yield* Deferred.succeed(answers, undefined)
      yield* TestClock.adjust("1 second")
      expect(begun).toEqual(["arm 1", "arm 2", "disarm 1", "arm 1"])
      expect(yield* mandates.pending).toEqual([])
    })
  )
)

effect("what waited for more than a minute behind another is void", () =>
  served(({ answers, begun }, mandates) =>
    Effect.gen(function* () {
      yield* mandates.leave(sender.account, SLOW, arm)
      const late = yield* mandates.leave(sender.account, SLOW, arm)
      yield* TestClock.adjust("2 minutes")
      yield* Deferred.succeed(answers, undefined)
      yield* TestClock.adjust("1 second")
      expect(begun).toEqual(["arm 1"])
      const answer = yield* mandates.answerOf(late.id)
      expect(Option.map(answer, ({ isDone }) => isDone)).toEqual(Option.some(false))
    })
  )
)
