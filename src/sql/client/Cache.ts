// A bounded cache of rows by key, dropped whole at any change, also by another process. A read that overlaps a change
// is never kept.
import { TransactionConnection } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { ChangeWatch } from "./ChangeWatch.ts"

/** A cache; missing rows are not cached. */
export interface Cache<K, V> {
  readonly get: (key: K) => Effect.Effect<V | undefined>
  /** Returns the cached row, without a query. */
  readonly peek: (key: K) => V | undefined
  /** Empties the cache: call it after every write of such rows. */
  readonly drop: () => void
  /** Empties the cache where nothing was written, and something else is wanted of the rows from now on. */
  readonly clear: () => void
}

/** Makes a cache of at most `capacity` entries; the oldest is dropped first. */
export const make = <K, V>(
  capacity: number,
  load: (key: K) => Effect.Effect<V | undefined>
): Effect.Effect<Cache<K, V>, never, ChangeWatch | Scope.Scope> =>
  Effect.gen(function* () {
    const entries = new Map<K, V>()
    let epoch = 0
    const watch = yield* ChangeWatch
    const clear = () => {
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
    yield* watch.onChange(clear)
    return {
      drop: () => watch.apply(clear),
      clear,
      peek: (key) => entries.get(key),
      get: (key) =>
        Effect.suspend(() => {
          const known = entries.get(key)
          if (known !== undefined) return Effect.succeed(known)
          const since = epoch
          return Effect.zipWith(
            load(key),
            Effect.serviceOption(TransactionConnection),
            (value, transaction) => {
              // What a transaction reads may be undone.
              if (Option.isNone(transaction)) keep(key, value, since)
              return value
            }
          )
        })
    }
  })
