// Wakes the readers of a log. For its one reader it rings for as long as something was written beyond what was read, so
// that a row written between the last read and the wait is not missed.
import * as Effect from "effect/Effect"

/**
 * A bell of a numbered log: the writer calls `written`, the reader `read`, and `rings` waits for more. Any number of
 * other readers wait with `beyond` for rows after a number of their own.
 */
export interface ChangeSignal {
  readonly written: (upTo: number) => void
  readonly read: (upTo: number) => void
  readonly rings: Effect.Effect<void>
  readonly beyond: (number: number) => Effect.Effect<void>
}

/** A bell of a log whose rows up to number `start` exist already. */
export const make = (start: number): ChangeSignal => {
  const waiting = new Set<() => void>()
  let written = start
  let read = 0
  const rings = (isPast: () => boolean) =>
    Effect.async<void>((resume) => {
      const wake = () => resume(Effect.void)
      if (isPast()) return wake()
      waiting.add(wake)
      return Effect.sync(() => waiting.delete(wake))
    })
  return {
    written: (upTo) => {
      // Nobody waits for what is known.
      if (upTo <= written) return
      written = upTo
      if (waiting.size === 0) return
      const awake = [...waiting]
      waiting.clear()
      for (const wake of awake) wake()
    },
    read: (upTo) => {
      read = Math.max(read, upTo)
    },
    rings: rings(() => written > read),
    beyond: (number) => rings(() => written > number)
  }
}

/** A bell of state that changes: it rings from a change on, until the state is read. */
export interface Changes {
  readonly changed: () => void
  /** Call it before reading: a change during the read rings again. */
  readonly reading: () => void
  readonly rings: Effect.Effect<void>
}

/** A bell of changes; it is silent until the first one. */
export const ofChanges = (): Changes => {
  const bell = make(0)
  let last = 0
  const changed = () => {
    last++
    bell.written(last)
  }
  return { changed, reading: () => bell.read(last), rings: bell.rings }
}
