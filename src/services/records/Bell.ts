import * as Effect from "effect/Effect"

/**
 * Wakes the one reader of a numbered log. It rings for as long as something was written beyond what was read, so
 * that a row written between the last reading and the waiting is not slept through.
 */
export interface Bell {
  readonly written: (upTo: number) => void
  readonly read: (upTo: number) => void
  readonly rings: Effect.Effect<void>
}

/** A bell of a log whose rows up to number `start` were read. */
export const make = (start: number): Bell => {
  const waiting = new Set<() => void>()
  let written = start
  let read = 0
  return {
    written: (upTo) => {
      written = Math.max(written, upTo)
      const awake = [...waiting]
      waiting.clear()
      for (const wake of awake) wake()
    },
    read: (upTo) => {
      read = Math.max(read, upTo)
    },
    rings: Effect.async<void>((resume) => {
      const wake = () => resume(Effect.void)
      if (written > read) return wake()
      waiting.add(wake)
      return Effect.sync(() => waiting.delete(wake))
    })
  }
}

/** The same for what is written over and over: it rings from a change on, until all is read anew. */
export interface Changes {
  readonly changed: () => void
  /** To be said before the reading: what changes meanwhile rings again. */
  readonly reading: () => void
  readonly rings: Effect.Effect<void>
}

/** Changes of which nothing has been said yet: it rings with the first. */
export const ofChanges = (): Changes => {
  const bell = make(0)
  let last = 0
  const changed = () => {
    last++
    bell.written(last)
  }
  return { changed, reading: () => bell.read(last), rings: bell.rings }
}
