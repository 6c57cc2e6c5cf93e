import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { Meters } from "../../services/health/Meters.ts"
import { type AppendExit, JournalUnavailable } from "../../services/Journal.ts"
import * as Bell from "../../services/records/Bell.ts"
import { StorageUnavailable } from "../../services/records/StorageUnavailable.ts"
import { isRowFault, isUnavailable, reasonOf } from "../client/Failure.ts"
import * as JournalBatch from "./JournalBatch.ts"
import * as JournalKeys from "./JournalKeys.ts"
import type { Entry } from "./JournalQueue.ts"
import * as JournalTail from "./JournalTail.ts"

/** For how long a commit shows that the next one will do as well. */
const TRUST_MILLIS = 5_000

const SUCCEEDED = Effect.succeed(true)
const UNANSWERED = Exit.die(new Error("an alert without an answer"))

/** Writes batches, and answers for them when they are on disk. */
export const make = Effect.fnUntraced(function* (start: number) {
  const sql = yield* SqlClient.SqlClient
  const clock = yield* Effect.clock
  const meters = yield* Meters
  const keys = yield* JournalKeys.make
  const tail = JournalTail.make(start)
  const bell = Bell.make(start)
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

  /** The batch is on disk. */
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

  /** Few steps: they are taken for each turn of the event loop under load. */
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

  /** Said once, not for every alert of a bad hour. */
  const refuse = (entries: ReadonlyArray<Entry>, cause: unknown) =>
    Effect.suspend(() => {
      const told = failing
      meters.journal.failures++
      failing = true
      const tell = Effect.logError(`alerts cannot be stored and are refused: ${reasonOf(cause)}`)
      return Effect.zipRight(
        Effect.unless(tell, () => told),
        answerAll(entries, Exit.fail(new JournalUnavailable({ reason: "full" })))
      )
    })

  /** A row that cannot be stored must not fail its neighbours: halves are tried until it stands alone. */
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
