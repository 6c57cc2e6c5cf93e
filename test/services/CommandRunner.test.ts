import { expect } from "bun:test"
import { Clock, Deferred, Effect, Layer, Option, TestClock } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import { type ArmedTerms, ExchangeAccountId } from "../../src/domain/Arming.ts"
import { type BatchEntry, type Command, SEVERAL } from "../../src/domain/Command.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Pair } from "../../src/domain/Market.ts"
import { type Strategy, TooManyStrategies } from "../../src/domain/Strategy.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import { Arming, type TradingMode } from "../../src/services/Arming.ts"
import { Bots } from "../../src/services/Bots.ts"
import { EnginePartitions } from "../../src/services/engine/EnginePartitions.ts"
import { Idempotency } from "../../src/services/Idempotency.ts"
import * as CommandRunner from "../../src/services/money/CommandRunner.ts"
import { Commands } from "../../src/services/money/Commands.ts"
import { MemoryState } from "../../src/services/records/MemoryState.ts"
import { StrategyBatch } from "../../src/services/records/StrategyBatch.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { layer } from "../lib/effect.ts"

const ANN = AccountId.make(1)
const ONE = Decimal.one
const terms: ArmedTerms = {
  account: ExchangeAccountId.make(1),
  ...{ capital: ONE, maxOrder: ONE, maxDailyLoss: ONE, protect: false }
}
const arm: Command = { _tag: "Arm", terms }
const disarm: Command = { _tag: "Disarm", close: false, forget: false }
const SLOW = StrategyId.make(1)
const QUICK = StrategyId.make(2)
const STRATEGY: Strategy = {
  ...{ id: SLOW, account: ANN, settings: settings(), createdAt: 0, updatedAt: 0, revision: 1 }
}
const PAPER: TradingMode = { mode: "paper", astray: [] }

/** Whose exchange does not answer for one strategy until it is told to; what was begun and done, as it came. */
interface Scene {
  readonly answers: Deferred.Deferred<void>
  readonly begun: Array<string>
  readonly modes: Map<number, TradingMode>
  /** Who arms hears that it failed. */
  isForgetful: boolean
}

const scripted = (scene: Scene) => {
  const { answers, begun, modes } = scene
  return Layer.succeed(Arming, {
    mode: (_, strategy) => Effect.sync(() => modes.get(strategy) ?? PAPER),
    propose: (_, strategy) =>
      Effect.gen(function* () {
        begun.push(`propose ${strategy}`)
        if (strategy === SLOW) yield* Deferred.await(answers)
        return { confirmation: "yes", expiresAt: 0, statement: `armed ${strategy}`, warnings: [] }
      }),
    arm: (_, strategy, agreed) =>
      Effect.gen(function* () {
        begun.push(`arm ${strategy}`)
        const since = yield* Clock.currentTimeMillis
        const mode: TradingMode = { mode: "live", astray: [], armed: { ...agreed, tag: "", since } }
        modes.set(strategy, mode)
        return scene.isForgetful ? yield* Effect.die("the disk is slow") : mode
      }),
    disarm: (_, strategy) =>
      Effect.sync(() => {
        begun.push(`disarm ${strategy}`)
        modes.delete(strategy)
        return PAPER
      })
  })
}

/** One strategy in memory; its bot carries an order by hand out under its key, and dies before it says so. */
const records = ({ begun }: Scene) => {
  const bots = Layer.unwrapEffect(
    Effect.map(Idempotency, (idempotency) =>
      Layer.mock(Bots, {
        byHand: (strategy, { act }, { once }) =>
          Effect.gen(function* () {
            begun.push(`${act._tag} ${strategy.id}`)
            const answer = Effect.succeed({ status: 200, location: undefined, body: "sold" })
            yield* idempotency.once(strategy.account, once?.key ?? "", once?.request ?? "", answer)
            return yield* Effect.die("the disk is slow")
          })
      })
    )
  )
  const stored = Layer.merge(StrategyStore.layerMemory, Idempotency.layerMemory)
  const strategy = Layer.effectDiscard(
    Effect.orDie(Effect.flatMap(StrategyStore, (store) => store.create(ANN, settings())))
  )
  return Layer.merge(bots, strategy).pipe(Layer.provideMerge(stored), Layer.provide(MemoryState.layer))
}

const { effect } = layer(Commands.layerMemory)

type Kept = typeof Commands.Service

/** Refuses a batch of more than one. */
const batch = (entries: ReadonlyArray<BatchEntry>) =>
  entries.length > 1 ? new TooManyStrategies({ limit: 1 }) : Effect.succeed(entries.map(() => STRATEGY))

/** What comes of wishes; `bent` is what the server sees in place of the mandates. */
const served = (
  act: (scene: Scene, commands: Kept) => Effect.Effect<void>,
  bent: (commands: Kept) => Kept = (commands) => commands
): Effect.Effect<void, never, Commands> =>
  Effect.gen(function* () {
    const scene: Scene = {
      answers: yield* Deferred.make<void>(),
      begun: [],
      modes: new Map(),
      isForgetful: false
    }
    const commands = yield* Commands
    const server = CommandRunner.layer.pipe(
      Layer.provide(Layer.mergeAll(scripted(scene), Layer.succeed(Commands, bent(commands)), records(scene))),
      Layer.provide(EnginePartitions.layerAll),
      Layer.provide(Layer.succeed(StrategyBatch, { apply: (_, entries) => batch(entries) }))
    )
    yield* Effect.provide(act(scene, commands), server)
  })

const said = (commands: Kept, { id }: { readonly id: number }) =>
  Effect.map(commands.answerOf(id), Option.match({ onNone: () => "nothing", onSome: ({ text }) => text }))

effect("an exchange that does not answer delays no other strategy's disarming", () =>
  served((_, commands) =>
    Effect.gen(function* () {
      const slow = yield* commands.leave(ANN, SLOW, arm)
      yield* TestClock.adjust("1 second")
      const quick = yield* commands.leave(ANN, QUICK, disarm)
      yield* TestClock.adjust("1 second")
      expect(yield* said(commands, quick)).toBe("strategy 2 is on paper again")
      expect(yield* said(commands, slow)).toBe("nothing")
    })
  )
)

effect("an order by hand whose answer was lost is carried out once, and one for no strategy is refused", () =>
  served(({ begun }, commands) =>
    Effect.gen(function* () {
      const market = { exchange: "binance", pair: Pair.make("BTC/USDT") } as const
      const close: Command = { _tag: "ByHand", order: { ...market, act: { _tag: "Close", percent: 50 } } }
      const left = yield* commands.leave(ANN, SLOW, close)
      yield* TestClock.adjust("90 seconds")
      expect([yield* said(commands, left), begun]).toEqual(["sold", ["Close 1"]])
      const other = yield* commands.leave(ANN, QUICK, close)
      yield* TestClock.adjust("2 seconds")
      expect(yield* said(commands, other)).toBe("there is no such strategy")
    })
  )
)

effect("commands of one strategy run in sequence, each once", () =>
  served(({ answers, begun }, commands) =>
    Effect.gen(function* () {
      for (const wanted of [arm, arm]) yield* commands.leave(ANN, SLOW, wanted)
      for (const wanted of [arm, disarm, arm]) yield* commands.leave(ANN, QUICK, wanted)
      yield* TestClock.adjust("1 second")
      expect(begun.filter((it) => it.endsWith("2"))).toEqual([
        ...["propose 2", "arm 2", "disarm 2", "propose 2", "arm 2"]
      ])
      expect(begun.filter((it) => it.endsWith("1"))).toEqual(["propose 1"])
      yield* Deferred.succeed(answers, undefined)
      yield* TestClock.adjust("1 second")
      expect(begun.filter((it) => it.endsWith("1"))).toEqual(["propose 1", "arm 1"])
      expect(yield* commands.pending).toEqual([])
    })
  )
)

effect("a disarm cancels an arm of the same strategy that is under way", () =>
  served(({ begun }, commands) =>
    Effect.gen(function* () {
      const first = yield* commands.leave(ANN, SLOW, arm)
      yield* TestClock.adjust("70 seconds")
      const second = yield* commands.leave(ANN, SLOW, disarm)
      yield* TestClock.adjust("1 second")
      expect(yield* said(commands, first)).toContain("cancelled")
      expect(yield* said(commands, second)).toBe("strategy 1 is on paper again")
      expect(begun).toEqual(["propose 1", "disarm 1"])
    })
  )
)

effect("a command that was not begun within a minute is void", () =>
  served(({ answers, begun }, commands) =>
    Effect.gen(function* () {
      yield* commands.leave(ANN, SLOW, { ...arm, terms: { ...terms, protect: true } })
      const late = yield* commands.leave(ANN, SLOW, arm)
      yield* TestClock.adjust("61 seconds")
      yield* Deferred.succeed(answers, undefined)
      yield* TestClock.adjust("1 second")
      expect(begun).toEqual(["propose 1", "arm 1"])
      expect(yield* said(commands, late)).toContain("void")
    })
  )
)

effect("a finished command is answered as done even if the disk failed at first", () => {
  let failures = 0
  return served(
    (scene, commands) =>
      Effect.gen(function* () {
        scene.isForgetful = true
        const left = yield* commands.leave(ANN, QUICK, arm)
        yield* TestClock.adjust("90 seconds")
        expect(scene.begun).toEqual(["propose 2", "arm 2"])
        expect(failures).toBe(70)
        expect(yield* said(commands, left)).toContain("trades with real money")
      }),
    (commands) => ({
      ...commands,
      answer: (id, answer) =>
        Effect.suspend(() =>
          failures < 70 ? Effect.die(`the disk is full: ${++failures}`) : commands.answer(id, answer)
        )
    })
  )
})

effect("a disk that fails between two commands of a strategy starts neither twice", () => {
  const answered: Array<string> = []
  let hasFailed = false
  return served(
    (scene, commands) =>
      Effect.gen(function* () {
        yield* commands.leave(ANN, SLOW, disarm)
        yield* TestClock.adjust("500 millis")
        expect([hasFailed, scene.begun]).toEqual([true, ["disarm 1"]])
        yield* commands.leave(ANN, SLOW, arm)
        yield* TestClock.adjust("5 seconds")
        expect(scene.begun).toEqual(["disarm 1", "propose 1"])
      }),
    (commands) => ({
      ...commands,
      answer: (id, answer) => {
        answered.push(answer.text)
        return commands.answer(id, answer)
      },
      pending: Effect.suspend(() => {
        if (hasFailed || answered.length === 0) return commands.pending
        hasFailed = true
        return Effect.die("the disk is gone")
      })
    })
  )
})

effect("commands that a starting server finds too old are void", () =>
  Effect.gen(function* () {
    const commands = yield* Commands
    const old = yield* Effect.forEach([SLOW, QUICK], (strategy) =>
      commands.leave(ANN, strategy, strategy === SLOW ? arm : { ...disarm, close: true })
    )
    yield* TestClock.adjust("61 seconds")
    yield* served(({ begun }) =>
      Effect.gen(function* () {
        yield* TestClock.adjust("1 second")
        expect(begun).toEqual([])
        for (const command of old) expect(yield* said(commands, command)).toContain("void")
      })
    )
  })
)

effect("strategies are applied, refusals are passed on, and a command for none of them is refused", () =>
  served((_, commands) =>
    Effect.gen(function* () {
      const apply = (count: number): Command => ({
        _tag: "Apply",
        entries: Array.from({ length: count }, () => ({ body: {} }))
      })
      const one = yield* commands.leave(ANN, SEVERAL, apply(1))
      const two = yield* commands.leave(ANN, SEVERAL, apply(2))
      const nobodys = yield* commands.leave(ANN, SEVERAL, arm)
      yield* TestClock.adjust("2 seconds")
      expect(yield* said(commands, one)).toBe("1 strategy has new settings")
      expect(yield* said(commands, two)).toBe("an account holds at most 1 strategies: delete one first")
      expect(yield* said(commands, nobodys)).toBe("it names no strategy")
    })
  )
)
