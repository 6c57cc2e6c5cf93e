// Collects the alerts of one turn of the event loop into a batch, and those of a few turns after it for as long as each
// brings more: a commit waits for the disk however many alerts it has. Writes one batch at a time. Answers to a batch that
// is on disk are given while the next one is under way. At shutdown, what is queued is still written.
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  type AlertDraft,
  type AppendExit,
  type Appended,
  JournalUnavailable,
  type KeyReused,
  MAX_UNWRITTEN
} from "../../services/Journal.ts"

/** Calls back at the end of the current turn of the event loop. */
export type EndOfTurn = (then: () => void) => void

/** The most alerts of one commit, so that it blocks the event loop for some ms only. */
const MAX_BATCH = 1_024

/** The most turns that a commit waits for more alerts: a turn is long while many bots judge. */
const MOST_TURNS = 4

/** An alert that waits for its commit. */
export interface Entry {
  readonly draft: AlertDraft
  readonly answer: (exit: AppendExit) => void
}

/** Writes the batches of a queue. */
export interface BatchWriter {
  readonly flush: (entries: ReadonlyArray<Entry>) => Effect.Effect<void>
  /** Whether `flush` has left answers for later, because the next batch may be sent before. */
  readonly owes: () => boolean
  /** Gives them. */
  readonly answer: () => void
}

/** Makes the queue over what writes its batches. */
export const make = Effect.fnUntraced(function* (endOfTurn: EndOfTurn, { answer, flush, owes }: BatchWriter) {
  const entries: Array<Entry> = []
  /** Waiters for the answers of all entries up to a number, counted by arrival. */
  let waiting: Array<{ readonly upTo: number; readonly go: () => void }> = []
  let answered = 0
  let unwritten = 0
  let closed = false
  let wake: (() => void) | undefined

  const offer = (draft: AlertDraft, reply: Entry["answer"]): void => {
    if (closed) return reply(Exit.fail(new JournalUnavailable({ reason: "closed" })))
    if (unwritten >= MAX_UNWRITTEN) return reply(Exit.fail(new JournalUnavailable({ reason: "queue" })))
    unwritten++
    entries.push({ draft, answer: reply })
    wake?.()
  }

  const arrived = Effect.async<void>((resume) => {
    const go = () => {
      wake = undefined
      let before = 0
      let turns = 0
      const gather = () => {
        if (entries.length === before || turns === MOST_TURNS) return resume(Effect.void)
        // Alerts that are on disk already wait for their answers no longer than one turn.
        if (turns === 1) answer()
        turns++
        before = entries.length
        endOfTurn(gather)
      }
      gather()
    }
    if (entries.length > 0) return go()
    answer()
    wake = go
  })

  const writeOnce = Effect.suspend(() => {
    const batch = entries.splice(0, MAX_BATCH)
    // By then this batch is on its way, or waits for a connection, which those before it must not wait for.
    if (owes()) endOfTurn(answer)
    return Effect.ensuring(
      flush(batch),
      Effect.sync(() => {
        unwritten -= batch.length
        answered += batch.length
        if (waiting.length > 0) answer()
        const over = waiting.filter(({ upTo }) => upTo <= answered)
        waiting = waiting.filter(({ upTo }) => upTo > answered)
        for (const { go } of over) go()
      })
    )
  }).pipe(Effect.uninterruptible)

  const settled = Effect.async<void>((resume) => {
    const go = () => resume(Effect.void)
    if (unwritten === 0) return go()
    waiting.push({ upTo: answered + unwritten, go })
  })

  // Runs after the writing fiber has ended: rejects new alerts, and writes those still queued.
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      closed = true
      return Effect.zipRight(
        Effect.whileLoop({ while: () => entries.length > 0, body: () => writeOnce, step: () => {} }),
        Effect.sync(answer)
      )
    })
  )
  const writeNext = Effect.zipRight(arrived, writeOnce)
  yield* Effect.forkScoped(Effect.whileLoop({ while: () => true, body: () => writeNext, step: () => {} }))
  return {
    offer,
    append: (draft: AlertDraft): Effect.Effect<Appended, JournalUnavailable | KeyReused> =>
      Effect.async((resume) => offer(draft, resume)),
    settled,
    full: () => closed || unwritten >= MAX_UNWRITTEN
  }
})
