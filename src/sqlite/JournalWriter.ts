import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Bell from "../services/Bell.ts"
import { type AppendExit, JournalUnavailable } from "../services/Journal.ts"
import { StorageUnavailable } from "../services/StorageUnavailable.ts"
import { isRowFault, isUnavailable, reasonOf } from "./Failure.ts"
import * as JournalBatch from "./JournalBatch.ts"
import * as JournalKeys from "./JournalKeys.ts"
import type { Entry } from "./JournalQueue.ts"
import * as JournalTail from "./JournalTail.ts"

/** For how long a commit shows that the next one will do as well. */
const TRUST_MILLIS = 5_000

const UNANSWERED = Exit.die(new Error("an alert without an answer"))

/** Writes batches, and answers for them when they are on disk. */
export const make = Effect.fnUntraced(function* (start: number) {
  const sql = yield* SqlClient.SqlClient
  const keys = yield* JournalKeys.make
  const tail = JournalTail.make(start)
  const bell = Bell.make(start)
  let lastId = start
  let wroteAt = Number.NEGATIVE_INFINITY
  let failing = false

  const wrote = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const healed = failing
    wroteAt = now
    failing = false
    return Effect.as(
      Effect.when(Effect.logInfo("alerts can be stored again"), () => healed),
      true
    )
  })

  const store = Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
    const drafts = entries.map(({ draft }) => draft)
    yield* keys.prepare(drafts)
    const batch = JournalBatch.plan(drafts, lastId, keys.recall)
    yield* JournalBatch.write(sql, batch)
    lastId += batch.alerts.length
    keys.add(batch.keys.values())
    tail.push(batch.alerts)
    for (const [id, count] of batch.repeats) tail.repeated(id, count)
    if (batch.alerts.length + batch.repeats.size > 0) yield* wrote
    entries.forEach(({ answer }, index) => {
      answer(batch.answers[index] ?? UNANSWERED)
    })
    bell.written(lastId)
  })

  const answerAll = (entries: ReadonlyArray<Entry>, answer: AppendExit) =>
    Effect.sync(() => {
      for (const entry of entries) entry.answer(answer)
    })

  /** Said once, not for every alert of a bad hour. */
  const refuse = (entries: ReadonlyArray<Entry>, cause: unknown) =>
    Effect.suspend(() => {
      const told = failing
      failing = true
      const tell = Effect.logError(`alerts cannot be stored and are refused: ${reasonOf(cause)}`)
      return Effect.zipRight(
        Effect.unless(tell, () => told),
        answerAll(entries, Exit.fail(new JournalUnavailable({ reason: "full" })))
      )
    })

  /** A row that cannot be stored must not fail its neighbours: halves are tried until it stands alone. */
  const flush = (entries: ReadonlyArray<Entry>): Effect.Effect<void> =>
    store(entries).pipe(
      Effect.catchTag("SqlError", (error: SqlError) => {
        if (isRowFault(error) && entries.length > 1) {
          const half = Math.ceil(entries.length / 2)
          return Effect.zipRight(flush(entries.slice(0, half)), flush(entries.slice(half)))
        }
        return isUnavailable(error) ? refuse(entries, error.cause) : answerAll(entries, Exit.die(error))
      }),
      Effect.zipRight(Effect.ignoreLogged(keys.purge)),
      Effect.catchAllDefect((defect) =>
        defect instanceof StorageUnavailable
          ? refuse(entries, defect.reason)
          : answerAll(entries, Exit.die(defect))
      )
    )

  const trusted = Effect.map(Clock.currentTimeMillis, (now) => !failing && now - wroteAt < TRUST_MILLIS)
  return { flush, tail, bell, wrote, trusted, lastId: () => lastId }
})
