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

/** A cache that loads several missing rows together. */
export interface CacheOfMany<K, V> extends Cache<K, V> {
  /** The rows of these keys, of which those that are not cached are loaded at once; missing ones are left out. */
  readonly all: (keys: Iterable<K>) => Effect.Effect<ReadonlyMap<K, V>>
}

/** Makes a cache of at most `capacity` entries; the oldest is dropped first. */
export const make = <K, V>(
  capacity: number,
  load: (key: K) => Effect.Effect<V | undefined>
): Effect.Effect<Cache<K, V>, never, ChangeWatch | Scope.Scope> =>
  makeOfMany(capacity, (keys: ReadonlyArray<K>) =>
    Effect.map(
      Effect.forEach(keys, (key) => Effect.map(load(key), (value) => ({ key, value }))),
      (found) => new Map(found.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value]])))
    )
  )

/** The same, where several rows are loaded at once. */
export const makeOfMany = <K, V>(
  capacity: number,
  load: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<K, V>>
): Effect.Effect<CacheOfMany<K, V>, never, ChangeWatch | Scope.Scope> =>
  Effect.gen(function* () {
    const entries = new Map<K, V>()
    let epoch = 0
    const watch = yield* ChangeWatch
    const clear = () => {
      epoch++
      entries.clear()
    }
    const keep = (loaded: ReadonlyMap<K, V>, since: number) => {
      // A change during the read may have made the rows stale.
      if (since !== epoch) return
      for (const [key, value] of loaded) {
        const [oldest] = entries.size >= capacity ? entries.keys() : []
        if (oldest !== undefined) entries.delete(oldest)
        entries.set(key, value)
      }
    }
    const loaded = (keys: ReadonlyArray<K>) =>
      Effect.suspend(() => {
        const since = epoch
        return Effect.zipWith(
          load(keys),
          Effect.serviceOption(TransactionConnection),
          (found, transaction) => {
            // A transaction may be rolled back: rows read within it are not kept.
            if (Option.isNone(transaction)) keep(found, since)
            return found
          }
        )
      })
    yield* watch.onChange(clear)
    return {
      drop: () => watch.apply(clear),
      clear,
      peek: (key) => entries.get(key),
      get: (key) =>
        Effect.suspend(() => {
          const known = entries.get(key)
          return known === undefined
            ? Effect.map(loaded([key]), (found) => found.get(key))
            : Effect.succeed(known)
        }),
      all: (keys) =>
        Effect.suspend(() => {
          const known = new Map<K, V>()
          const missing: Array<K> = []
          for (const key of keys) {
            const value = entries.get(key)
            if (value === undefined) missing.push(key)
            else known.set(key, value)
          }
          return missing.length === 0
            ? Effect.succeed(known)
            : Effect.map(loaded(missing), (found) => new Map([...known, ...found]))
        })
    }
  })
