// Learns which strategies follow signals, and with that the pairs that their alerts may be about. It runs outside of any
// turn; a failed look is repeated.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Partition, partitionOf } from "../../../domain/Partition.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import * as ChangeSignal from "../../records/ChangeSignal.ts"
import { type OwnedVersion, StrategyStore } from "../../StrategyStore.ts"
import type { EngineState } from "../EngineState.ts"

/**
 * After a look the loop rests for this many times as long as the look took, and not longer than so many ms: an account that
 * keeps changing a strategy does not keep it looking.
 */
const REST = 4
const MOST_REST_MS = 5000

/** Makes the loop, which ends when strategies or the engine's partitions may have changed. */
export const make = Effect.fnUntraced(function* ({ needs, share }: Pick<EngineState, "needs" | "share">) {
  const store = yield* StrategyStore
  /** The strategies that follow a signal, as they were read last. */
  const known = new Map<Strategy["id"], OwnedVersion>()
  const learned = ChangeSignal.ofChanges()
  /** Whether strategies may have changed since the last look. */
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
    // Until it has ended: a look that fails has silenced the bells already.
    isOutdated = true
    learned.reading()
    const now = new Map((yield* store.following(partitions)).map((it) => [it.id, it]))
    // Partitions may have come meanwhile, with strategies that this look is not about.
    forget(({ account, id }) => partitions.has(partitionOf(account)) && !now.has(id))
    const changed = [...now.values()].filter(({ id, revision }) => known.get(id)?.revision !== revision)
    if (changed.length > 0)
      for (const strategy of yield* store.among(new Set(changed.map(({ id }) => id)))) learn(strategy)
    isOutdated = false
  })

  return {
    /**
     * Takes in strategies that were read elsewhere, so that their settings need not be read again. A look that follows finds
     * what has changed since.
     */
    learn: (strategies: Iterable<Strategy>) => {
      for (const strategy of strategies) if (strategy.settings.signalId !== undefined) learn(strategy)
      learned.changed()
    },
    listen: Effect.gen(function* () {
      const partitions = share.heard()
      const began = yield* Clock.currentTimeMillis
      // Partitions that go need no look, and those that come have one once their strategies are learned.
      if (isOutdated) yield* look(partitions)
      forget(({ account }) => !share.partitions.has(partitionOf(account)))
      const rest = REST * ((yield* Clock.currentTimeMillis) - began)
      if (rest > 0) yield* Effect.sleep(Math.min(rest, MOST_REST_MS))
      const changed = Effect.raceFirst(store.changed, learned.rings)
      isOutdated = yield* Effect.raceFirst(Effect.as(changed, true), Effect.as(share.changed, false))
    })
  }
})

export type StrategyWatch = Effect.Effect.Success<ReturnType<typeof make>>
