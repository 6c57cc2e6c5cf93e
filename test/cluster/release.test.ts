// The adversary: a database that answers nothing, or slowly, while an engine has to give partitions back. What the engine
// remembered of them then would be old once it has them again.
import { expect } from "bun:test"
import { Context, Effect, Fiber, Layer } from "effect"
import { STARTING_BALANCES } from "../../src/domain/Bot.ts"
import { Partition } from "../../src/domain/Partition.ts"
import * as Memory from "../../src/Memory.ts"
import { Exchange } from "../../src/services/Exchange.ts"
import * as EngineLayer from "../../src/services/engine/EngineLayer.ts"
import { EnginePartitions } from "../../src/services/engine/EnginePartitions.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { Performance } from "../../src/services/Performance.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import * as PriceFeed from "../../src/services/PriceFeed.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { Validation } from "../../src/services/Validation.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { it } from "../lib/effect.ts"

/** An engine without partitions, of several that share these ports. */
const engine = (records: Context.Context<Layer.Layer.Success<typeof Memory.ports>>) => {
  const outside = Layer.mergeAll(
    Validation.layer,
    Performance.layer,
    Exchange.layerPaper,
    PriceFeed.layer("by hand")
  )
  return EngineLayer.layer({
    ...{ paper: STARTING_BALANCES, patience: DEFAULT_PATIENCE },
    isShared: true
  }).pipe(
    Layer.provide(outside),
    Layer.provide(Layer.succeedContext(records)),
    Layer.build,
    Effect.map(Context.get(EnginePartitions))
  )
}

const [one, two] = [Partition.make(1), Partition.make(2)]

it.effect("an engine gives partitions back while no halt can be read", () =>
  Effect.gen(function* () {
    const records = yield* Layer.build(Memory.ports)
    const sound = Context.get(records, Halts)
    let isAway = false
    const all = Effect.suspend(() =>
      isAway ? Effect.die(new StorageUnavailable({ reason: "it is away" })) : sound.all
    )
    const { held, release, take } = yield* engine(Context.add(records, Halts, { ...sound, all }))
    yield* take([one, two])
    isAway = true
    yield* release([one])
    expect([...(yield* held)]).toEqual([two])
  })
)

/** A database that answers nothing until it is let: what it was asked for, and an engine that has it. */
const slow = Effect.gen(function* () {
  const records = yield* Layer.build(Memory.ports)
  const [portfolio, store] = [Context.get(records, Portfolio), Context.get(records, StrategyStore)]
  const answers = yield* Effect.makeLatch(false)
  const asked: Array<string> = []
  const noting = <A>(what: string, some: Iterable<Partition>, answer: Effect.Effect<A>) =>
    Effect.suspend(() => {
      asked.push(`${what} ${[...some]}`)
      return Effect.zipRight(answers.await, answer)
    })
  const begin = (some: ReadonlySet<Partition>) => noting("bots", some, portfolio.begin(some))
  const within = (some: ReadonlySet<Partition>) => noting("strategies", some, store.within(some))
  const own = yield* engine(
    records.pipe(
      Context.add(Portfolio, { ...portfolio, begin }),
      Context.add(StrategyStore, { ...store, within })
    )
  )
  return { ...own, answers, asked }
})

it.effect("an engine reads no further of partitions that it is to give back, nor begins with them", () =>
  Effect.gen(function* () {
    const { answers, asked, held, release, take } = yield* slow
    const taking = yield* Effect.fork(take([one]))
    while (asked.length === 0) yield* Effect.yieldNow()
    const releasing = yield* Effect.fork(release([one]))
    yield* Effect.yieldNow()
    yield* answers.open
    yield* Fiber.joinAll([taking, releasing])
    expect([asked, [...(yield* held)]]).toEqual([["bots 1"], []])
    yield* take([one])
    expect([...(yield* held)]).toEqual([one])
  })
)

it.effect("an engine does not take partitions that are to be given back before their turn comes", () =>
  Effect.gen(function* () {
    const { answers, asked, held, release, take } = yield* slow
    const first = yield* Effect.fork(take([one]))
    while (asked.length === 0) yield* Effect.yieldNow()
    const [taking, releasing] = [yield* Effect.fork(take([two])), yield* Effect.fork(release([two]))]
    yield* Effect.yieldNow()
    yield* answers.open
    yield* Fiber.joinAll([first, taking, releasing])
    expect([asked, [...(yield* held)]]).toEqual([["bots 1", "strategies 1"], [one]])
  })
)

it.effect("an engine takes nothing anew that it still gives back, as its lease ends only then", () =>
  Effect.gen(function* () {
    const { answers, held, onChange, release, take } = yield* slow
    yield* answers.open
    yield* take([one, two])
    const followed = yield* Effect.makeLatch(false)
    let isTold = false
    yield* onChange((now) =>
      Effect.suspend(() => {
        isTold = !now.has(two)
        return isTold ? followed.await : Effect.void
      })
    )
    const releasing = yield* Effect.fork(release([one, two]))
    while (!isTold) yield* Effect.yieldNow()
    const taking = yield* Effect.fork(take([two]))
    for (let turns = 0; turns < 100; turns++) yield* Effect.yieldNow()
    yield* followed.open
    yield* Fiber.joinAll([releasing, taking])
    expect([...(yield* held)]).toEqual([])
  })
)
