import * as Effect from "effect/Effect"
import {
  type AlertDraft,
  type Appended,
  JournalUnavailable,
  type KeyReused,
  MAX_UNWRITTEN
} from "../services/Journal.ts"

/** Calls back when all that arrived in this turn of the event loop has been looked at. */
export type EndOfTurn = (then: () => void) => void

/** The most alerts of one commit: it should not hold up the event loop for more than some ms. */
const MAX_BATCH = 1_024
export type Answer = Effect.Effect<Appended, JournalUnavailable | KeyReused>

/** An alert that waits for its commit. */
export interface Entry {
  readonly draft: AlertDraft
  readonly answer: (answer: Answer) => void
}

/** Collects alerts until the turn of the event loop ends, and hands them over; meanwhile the next ones collect. */
export const make = Effect.fnUntraced(function* (
  endOfTurn: EndOfTurn,
  flush: (entries: ReadonlyArray<Entry>) => Effect.Effect<void>
) {
  let entries: Array<Entry> = []
  let unwritten = 0
  let closed = false
  let wake: (() => void) | undefined

  /** No span, no generator: this is the hot path. */
  const append = (draft: AlertDraft): Answer =>
    Effect.async((resume) => {
      if (closed) return resume(new JournalUnavailable({ reason: "closed" }))
      if (unwritten >= MAX_UNWRITTEN) return resume(new JournalUnavailable({ reason: "queue" }))
      unwritten++
      entries.push({ draft, answer: resume })
      wake?.()
    })

  const arrived = Effect.async<void>((resume) => {
    const go = () => {
      wake = undefined
      endOfTurn(() => resume(Effect.void))
    }
    if (entries.length > 0) return go()
    wake = go
  })

  const writeOnce = Effect.suspend(() => {
    const batch = entries.slice(0, MAX_BATCH)
    entries = entries.slice(MAX_BATCH)
    return Effect.ensuring(
      flush(batch),
      Effect.sync(() => {
        unwritten -= batch.length
      })
    )
  }).pipe(Effect.uninterruptible)

  // Runs after the fiber below has ended: nothing more is taken, and what is still waiting is written.
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      closed = true
      return Effect.whileLoop({ while: () => entries.length > 0, body: () => writeOnce, step: () => {} })
    })
  )
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(arrived, writeOnce)))
  return { append, full: () => closed || unwritten >= MAX_UNWRITTEN }
})
