// Announces changes that caches have not seen: commits of other processes, rollbacks of our own, and commits of our own
// that others could read past.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/** The announcements. */
export class ChangeWatch extends Context.Tag("signalbox/sql/client/ChangeWatch")<
  ChangeWatch,
  {
    /** Calls `drop` at each change, for as long as the scope is open. */
    readonly onChange: (drop: () => void) => Effect.Effect<void, never, Scope.Scope>
    readonly changed: Effect.Effect<void>
    /**
     * Runs `drop` now, and once more at the end of each transaction that is open now: until then, other connections
     * read what was there before.
     */
    readonly apply: (drop: () => void) => void
    /** Wraps a transaction that other connections can read past. On SQLite there is one connection, and so none. */
    readonly during: <A, E, R>(transaction: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {
  static readonly layer = Layer.sync(ChangeWatch, () => {
    const drops = new Set<() => void>()
    const again = new Set<() => void>()
    let open = 0
    const end = Effect.sync(() => {
      for (const drop of again) drop()
      open--
      if (open === 0) again.clear()
    })
    return {
      onChange: (drop) =>
        Effect.acquireRelease(
          Effect.sync(() => drops.add(drop)),
          () => Effect.sync(() => drops.delete(drop))
        ),
      changed: Effect.sync(() => {
        for (const drop of drops) drop()
      }),
      apply: (drop) => {
        drop()
        if (open > 0) again.add(drop)
      },
      during: (transaction) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            open++
          }),
          () => transaction,
          () => end
        )
    }
  })
}
