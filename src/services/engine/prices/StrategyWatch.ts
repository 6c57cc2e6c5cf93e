// Learns which strategies follow signals, and with that the pairs that their alerts may be about. It runs outside of any
// turn; a failed look is repeated.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Partition, partitionOf } from "../../../domain/Partition.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import { type OwnedVersion, StrategyStore } from "../../StrategyStore.ts"
import type { EngineState } from "../EngineState.ts"

/** For how many times as long as a look at all strategies took there is no other, whoever changes one all the time. */
const REST = 4

/** Makes the loop, which ends when strategies or the engine's partitions may have changed. */
export const make = Effect.fnUntraced(function* ({ needs, share }: Pick<EngineState, "needs" | "share">) {
  const store = yield* StrategyStore
  /** The strategies that follow a signal, as they were read last. */
  const known = new Map<Strategy["id"], OwnedVersion>()
  /** The partitions that the last look was about, and whether strategies may have changed since. */
  let looked: ReadonlySet<Partition> = new Set()
  let isOutdated = true

  const learn = ({ account, id, revision, settings }: Strategy): void => {
    known.set(id, { account, id, revision })
    needs.list(id, settings)
  }
  const forget = (isGone: (one: OwnedVersion) => boolean): void => {
    for (const one of known.values()) {
      if (!isGone(one)) continue
      known.delete(one.id)
      needs.list(one.id, undefined)
    }
  }

  /** Reads settings only of strategies whose revision has changed: there may be thousands, with hundreds of pairs each. */
  const look = Effect.fnUntraced(function* (partitions: ReadonlySet<Partition>) {
    const now = new Map((yield* store.following(partitions)).map((it) => [it.id, it]))
    // Partitions may have come meanwhile, with strategies that this look is not about.
    forget(({ account, id }) => partitions.has(partitionOf(account)) && !now.has(id))
    const changed = [...now.values()].filter(({ id, revision }) => known.get(id)?.revision !== revision)
    if (changed.length > 0)
      for (const strategy of yield* store.among(new Set(changed.map(({ id }) => id)))) learn(strategy)
    isOutdated = false
  })

  return {
    /** Takes in strategies that are known already, so that they need not be read again. */
    learn: (strategies: Iterable<Strategy>) => {
      for (const strategy of strategies) if (strategy.settings.signalId !== undefined) learn(strategy)
    },
    listen: Effect.gen(function* () {
      const { partitions } = share
      const began = yield* Clock.currentTimeMillis
      // Partitions go one after the other, and what stays has not changed with that.
      if (isOutdated || [...partitions].some((one) => !looked.has(one))) yield* look(partitions)
      looked = partitions
      forget(({ account }) => !share.present.has(partitionOf(account)))
      const took = (yield* Clock.currentTimeMillis) - began
      if (took > 0) yield* Effect.sleep(REST * took)
      isOutdated = yield* Effect.raceFirst(Effect.as(store.changed, true), Effect.as(share.changed, false))
    })
  }
})

export type StrategyWatch = Effect.Effect.Success<ReturnType<typeof make>>
