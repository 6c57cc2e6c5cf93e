// Appends alerts to the journal, and traces how long each took to reach the disk where a tracer is configured.
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Meters } from "../health/Meters.ts"
import { Tracing } from "../health/Tracing.ts"
import { type AppendExit, Journal } from "../Journal.ts"

/** Makes `Journal.offer` with a trace of each new alert. */
export const make = Effect.gen(function* () {
  const journal = yield* Journal
  const { now } = yield* Meters
  const { tracer } = yield* Tracing
  // Bound, because an embedder's journal may be a class.
  const offer = journal.offer.bind(journal)
  if (tracer === undefined) return offer

  const trace = (startedAt: number, exit: AppendExit): void => {
    if (Exit.isFailure(exit) || exit.value._tag === "Repeat") return
    const root = tracer.root("alert", exit.value.id)
    tracer.emit({
      id: tracer.within(root, "append"),
      parent: root,
      name: "append to journal",
      kind: "internal",
      startedAt,
      endedAt: now(),
      attributes: { "signalbox.alert.id": exit.value.id }
    })
  }
  const traced: typeof offer = (draft, answer) => {
    const startedAt = now()
    offer(draft, (exit) => {
      trace(startedAt, exit)
      answer(exit)
    })
  }
  return traced
})
