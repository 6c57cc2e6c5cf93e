// The adversary: a database that answers nothing while an engine has to give partitions back. What the engine remembered of
// them then would be old once it has them again.
import { expect } from "bun:test"
import { Context, Effect, Layer } from "effect"
import { STARTING_BALANCES } from "../../src/domain/Bot.ts"
import { Partition } from "../../src/domain/Partition.ts"
import * as Memory from "../../src/Memory.ts"
import { Exchange } from "../../src/services/Exchange.ts"
import * as EngineLayer from "../../src/services/engine/EngineLayer.ts"
import { EnginePartitions } from "../../src/services/engine/EnginePartitions.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { Performance } from "../../src/services/Performance.ts"
import * as PriceFeed from "../../src/services/PriceFeed.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { Validation } from "../../src/services/Validation.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { it } from "../lib/effect.ts"

it.effect("an engine gives partitions back while no halt can be read", () =>
  Effect.gen(function* () {
    const records = yield* Layer.build(Memory.ports)
    const sound = Context.get(records, Halts)
    let isAway = false
    const all = Effect.suspend(() =>
      isAway ? Effect.die(new StorageUnavailable({ reason: "it is away" })) : sound.all
    )
    const outside = Layer.mergeAll(
      Validation.layer,
      Performance.layer,
      Exchange.layerPaper,
      PriceFeed.layer("by hand")
    )
    const { held, release, take } = yield* EngineLayer.layer({
      ...{ paper: STARTING_BALANCES, patience: DEFAULT_PATIENCE },
      isShared: true
    }).pipe(
      Layer.provide(outside),
      Layer.provide(Layer.succeedContext(Context.add(records, Halts, { ...sound, all }))),
      Layer.build,
      Effect.map(Context.get(EnginePartitions))
    )
    const [one, two] = [Partition.make(1), Partition.make(2)]
    yield* take([one, two])
    isAway = true
    yield* release([one])
    expect([...(yield* held)]).toEqual([two])
  })
)
