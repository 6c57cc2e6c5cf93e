// Writes batches of alerts, and answers them once they are on disk. A row that cannot be stored fails alone; a full
// disk fails the batch as `JournalUnavailable`.
import * as SqlClient from "@effect/sql/SqlClient"
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
import * as JournalBatch from "./JournalBatch.ts"
import * as JournalKeys from "./JournalKeys.ts"
import type { Entry } from "./JournalQueue.ts"
import * as JournalTail from "./JournalTail.ts"

/** How long a successful commit counts as proof that the journal is writable (ms). */
const TRUST_MILLIS = 5_000

const SUCCEEDED = Effect.succeed(true)
const UNANSWERED = Exit.die(new Error("an alert without an answer"))

/** Makes the writer. */
export const make = Effect.fnUntraced(function* (start: number) {
  const sql = yield* SqlClient.SqlClient
  const clock = yield* Effect.clock
  const meters = yield* Meters
  const keys = yield* JournalKeys.make
  const tail = JournalTail.make(start)
  const bell = ChangeSignal.make(start)
  let lastId = start
  let wroteAt = Number.NEGATIVE_INFINITY
  let failing = false

  const wrote = Effect.suspend(() => {
    const healed = failing
    wroteAt = clock.unsafeCurrentTimeMillis()
    failing = false
    return healed ? Effect.as(Effect.logInfo("alerts can be stored again"), true) : SUCCEEDED
  })

  const plan = (entries: ReadonlyArray<Entry>): JournalBatch.Batch =>
    JournalBatch.plan(
      entries.map(({ draft }) => draft),
      lastId,
      keys.recall
    )

  /** Publishes a batch that is on disk: keys, tail, answers, bell. */
  const settle = (entries: ReadonlyArray<Entry>, batch: JournalBatch.Batch): void => {
    lastId += batch.alerts.length
    keys.add(batch.keys.values())
    tail.push(batch.alerts)
    for (const [id, count] of batch.repeats) tail.repeated(id, count)
    entries.forEach(({ answer }, index) => {
      answer(batch.answers[index] ?? UNANSWERED)
    })
    bell.written(lastId)
  }

  /** Few effects: it runs for each turn of the event loop under load. */
  const store = (entries: ReadonlyArray<Entry>): Effect.Effect<void, SqlError> =>
    Effect.flatMap(keys.prepare(entries), () => {
      const batch = plan(entries)
      const startedAt = meters.now()
      const isNew = batch.alerts.length + batch.repeats.size > 0
      return Effect.flatMap(JournalBatch.write(sql, batch), () =>
        Effect.map(isNew ? wrote : SUCCEEDED, () => {
          meters.journal.seconds.observe((meters.now() - startedAt) / 1000)
          meters.journal.alerts.observe(entries.length)
          settle(entries, batch)
        })
      )
    })

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
      onSuccess: () => keys.purge(clock.unsafeCurrentTimeMillis()),
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
  return { flush, tail, bell, wrote, trusted, lastId: () => lastId }
})
