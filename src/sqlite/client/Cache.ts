// A bounded cache of rows by key, dropped whole at any change, also by another process. A read that overlaps a change
// is never kept.
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ChangeWatch } from "./ChangeWatch.ts"

/** A cache; missing rows are not cached. */
export interface Cache<K, V> {
  readonly get: (key: K) => Effect.Effect<V | undefined>
  /** Returns the cached row, without a query. */
  readonly peek: (key: K) => V | undefined
  /** Empties the cache: call it after every write of such rows. */
  readonly drop: () => void
}

/** Makes a cache of at most `capacity` entries; the oldest is dropped first. */
export const make = <K, V>(
  capacity: number,
  load: (key: K) => Effect.Effect<V | undefined>
): Effect.Effect<Cache<K, V>, never, ChangeWatch | Scope.Scope> =>
  Effect.gen(function* () {
    const entries = new Map<K, V>()
    let epoch = 0
    const drop = () => {
      epoch++
      entries.clear()
    }
    const keep = (key: K, value: V | undefined, since: number) => {
      // A change during the read may have made the row stale.
      if (value === undefined || since !== epoch) return
      const [oldest] = entries.size >= capacity ? entries.keys() : []
      if (oldest !== undefined) entries.delete(oldest)
      entries.set(key, value)
    }
    yield* (yield* ChangeWatch).onChange(drop)
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
