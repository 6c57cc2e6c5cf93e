import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Outside } from "./Outside.ts"

/** Rows kept in memory by key, each read once until something changes. What is missing is not kept. */
export interface Cache<K, V> {
  readonly get: (key: K) => Effect.Effect<V | undefined>
  /** What is there, without a query. */
  readonly peek: (key: K) => V | undefined
  /** Forgets everything: called by whoever writes such rows. */
  readonly drop: () => void
}

/** At most `capacity` entries; the oldest goes first. Dropped whole when another process commits. */
export const make = <K, V>(
  capacity: number,
  load: (key: K) => Effect.Effect<V | undefined>
): Effect.Effect<Cache<K, V>, never, Outside | Scope.Scope> =>
  Effect.gen(function* () {
    const entries = new Map<K, V>()
    let epoch = 0
    const drop = () => {
      epoch++
      entries.clear()
    }
    const keep = (key: K, value: V | undefined, since: number) => {
      // Something changed while it was being read: it may be the row of before.
      if (value === undefined || since !== epoch) return
      const [oldest] = entries.size >= capacity ? entries.keys() : []
      if (oldest !== undefined) entries.delete(oldest)
      entries.set(key, value)
    }
    yield* (yield* Outside).onChange(drop)
    return {
      drop,
      peek: (key) => entries.get(key),
      get: (key) =>
        Effect.suspend(() => {
          const known = entries.get(key)
          if (known !== undefined) return Effect.succeed(known)
          const since = epoch
          return Effect.tap(load(key), (value) => Effect.sync(() => keep(key, value, since)))
        })
    }
  })
