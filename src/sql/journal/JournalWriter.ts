// Writes batches of alerts, and answers them once they are on disk. A row that cannot be stored fails alone; a full
// disk fails the batch as `JournalUnavailable`.
import type { SqlError } from "@effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { Meters } from "../../services/health/Meters.ts"
import { type AppendExit, JournalUnavailable } from "../../services/Journal.ts"
import * as ChangeSignal from "../../services/records/ChangeSignal.ts"
import { StorageUnavailable } from "../../services/records/StorageUnavailable.ts"
import { isRowFault, isUnavailable, reasonOf } from "../client/SqlErrors.ts"
import type { Batch } from "./JournalBatch.ts"
import type { Entry } from "./JournalQueue.ts"
import * as JournalTail from "./JournalTail.ts"

/** How long a successful commit counts as proof that the journal is writable (ms). */
const TRUST_MILLIS = 5_000

const SUCCEEDED = Effect.succeed(true)
const UNANSWERED = Exit.die(new Error("an alert without an answer"))

/** How a database stores batches. */
export interface Store {
  /** Whether another process commits, so that this one may give answers meanwhile. */
  readonly isElsewhere: boolean
  /** Stores the entries' batch in one commit, all of it or nothing. `lastId` is the last alert that is known. */
  readonly write: (entries: ReadonlyArray<Entry>, lastId: number) => Effect.Effect<Batch, SqlError>
  /** Deletes expired idempotency keys when it is time. */
  readonly purge: (now: number) => Effect.Effect<void>
}

/** The writer. */
export type JournalWriter = Effect.Effect.Success<ReturnType<typeof make>>

/** Makes the writer; `start` is the last alert on disk. */
export const make = Effect.fnUntraced(function* ({ isElsewhere, purge, write }: Store, start: number) {
  const clock = yield* Effect.clock
  const meters = yield* Meters
  const tail = JournalTail.make(start)
  const bell = ChangeSignal.make(start)
  let lastId = start
  let wroteAt = Number.NEGATIVE_INFINITY
  let failing = false
  /** Batches on disk whose answers are not given yet. */
  let unanswered: Array<readonly [entries: ReadonlyArray<Entry>, batch: Batch]> = []

  const wrote = Effect.suspend(() => {
    const healed = failing
    wroteAt = clock.unsafeCurrentTimeMillis()
    failing = false
    return healed ? Effect.as(Effect.logInfo("alerts can be stored again"), true) : SUCCEEDED
  })

  const answer = (): void => {
    const due = unanswered
    unanswered = []
    for (const [entries, { answers }] of due)
      for (const [index, entry] of entries.entries()) entry.answer(answers[index] ?? UNANSWERED)
  }

  /** Publishes a batch that is on disk: tail, answers, bell. */
  const settle = (entries: ReadonlyArray<Entry>, batch: Batch): void => {
    lastId = Math.max(lastId, batch.alerts.at(-1)?.id ?? 0)
    tail.push(batch.alerts)
    for (const [id, count] of batch.repeats) tail.repeated(id, count)
    unanswered.push([entries, batch])
    if (!isElsewhere) answer()
    bell.written(lastId)
  }

  /** Few effects: it runs for each turn of the event loop under load. */
  const store = (entries: ReadonlyArray<Entry>): Effect.Effect<void, SqlError> =>
    Effect.suspend(() => {
      const startedAt = meters.now()
      return Effect.flatMap(write(entries, lastId), (batch) =>
        Effect.map(batch.alerts.length + batch.repeats.size > 0 ? wrote : SUCCEEDED, () => {
          meters.journal.seconds.observe((meters.now() - startedAt) / 1000)
          meters.journal.alerts.observe(entries.length)
          settle(entries, batch)
        })
      )
    })

  /** Others have appended up to here. */
  const reached = (upTo: number): void => {
    if (upTo <= lastId) return
    lastId = upTo
    tail.skip(upTo)
    bell.written(upTo)
  }

  const answerAll = (entries: ReadonlyArray<Entry>, answer: AppendExit) =>
    Effect.sync(() => {
      for (const entry of entries) entry.answer(answer)
    })

  /** Logs a failing journal once, not for every alert. */
  const refuse = (entries: ReadonlyArray<Entry>, cause: unknown) =>
    Effect.suspend(() => {
      const wasFailing = failing
      meters.journal.failures++
      failing = true
      const logFailure = Effect.logError(`alerts cannot be stored and are refused: ${reasonOf(cause)}`)
      return Effect.zipRight(
        Effect.unless(logFailure, () => wasFailing),
        answerAll(entries, Exit.fail(new JournalUnavailable({ reason: "full" })))
      )
    })

  /** Writes a batch. Where one row is invalid, halves are tried until that row is alone. */
  const flush = (entries: ReadonlyArray<Entry>): Effect.Effect<void> =>
    Effect.matchCauseEffect(store(entries), {
      onSuccess: () => purge(clock.unsafeCurrentTimeMillis()),
      onFailure: (cause) =>
        Option.match(Cause.failureOption(cause), {
          onNone: () => giveUp(entries, Cause.squash(cause)),
          onSome: (error) => halve(entries, error)
        })
    })

  const halve = (entries: ReadonlyArray<Entry>, error: SqlError): Effect.Effect<void> => {
    if (isRowFault(error) && entries.length > 1) {
      const half = Math.ceil(entries.length / 2)
      return Effect.zipRight(flush(entries.slice(0, half)), flush(entries.slice(half)))
    }
    return isUnavailable(error) ? refuse(entries, error.cause) : answerAll(entries, Exit.die(error))
  }

  const giveUp = (entries: ReadonlyArray<Entry>, defect: unknown): Effect.Effect<void> =>
    defect instanceof StorageUnavailable
      ? refuse(entries, defect.reason)
      : answerAll(entries, Exit.die(defect))

  const trusted = Effect.sync(() => !failing && clock.unsafeCurrentTimeMillis() - wroteAt < TRUST_MILLIS)
  return {
    flush,
    owes: () => unanswered.length > 0,
    answer,
    tail,
    bell,
    wrote,
    trusted,
    reached,
    lastId: () => lastId
  }
})
