// Sends telemetry in batches, without ever making the server wait. Telemetry that cannot be sent is dropped, and the
// log says so.
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Settings } from "./Settings.ts"

/** The most items of one signal that may wait; more are dropped. */
const MAX_WAITING = 8_192
/** The most items in one request. */
const MAX_BATCH = 512
/** How long the last batch may take at the end. */
const LAST = "2 seconds"

/** Posts bodies to the collector. A failure is logged once, and so is the first success after it. */
export const post = (signal: string, url: string, { headers, timeoutMs }: Settings) => {
  let isFailing = false
  const logResult = (reason: string | undefined): Effect.Effect<void> => {
    const was = isFailing
    isFailing = reason !== undefined
    if (isFailing === was) return Effect.void
    return reason === undefined
      ? Effect.logInfo(`${signal} can be sent to the collector again`)
      : Effect.logWarning(`${signal} cannot be sent to the collector: ${reason}`)
  }
  return (body: object): Effect.Effect<void> =>
    Effect.tryPromise({
      try: (signal) =>
        fetch(url, {
          method: "POST",
          headers: { ...Redacted.value(headers), "content-type": "application/json" },
          body: JSON.stringify(body),
          redirect: "error",
          signal
        }).then(({ body, ok, status }) => {
          // Cancel the body, so that the connection is free for the next request.
          body?.cancel().catch(() => {})
          return ok ? undefined : `it answered with ${status}`
        }),
      catch: () => "no connection"
    }).pipe(
      Effect.timeoutFail({ duration: timeoutMs, onTimeout: () => "it did not answer in time" }),
      Effect.catchAll((reason) => Effect.succeed(reason)),
      Effect.flatMap(logResult)
    )
}

/** Collects items, and sends them every `everyMs` and at the end. `put` never waits. */
export const gathering = Effect.fnUntraced(function* <A>(
  everyMs: number,
  send: (some: ReadonlyArray<A>) => Effect.Effect<void>
) {
  let waiting: Array<A> = []
  let dropped = 0
  const flush = Effect.gen(function* () {
    if (dropped > 0) {
      yield* Effect.logWarning(`${dropped} pieces of telemetry were dropped: more came than could be sent`)
      dropped = 0
    }
    while (waiting.length > 0) {
      const some = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      yield* send(some)
    }
  })
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(Effect.interruptible(flush), LAST)))
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sleep(everyMs), flush)))
  return (one: A): void => {
    if (waiting.length < MAX_WAITING) waiting.push(one)
    else dropped++
  }
})
