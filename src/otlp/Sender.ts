import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Settings } from "./Settings.ts"

/** The most that waits to be sent of one signal: what comes beyond it is dropped, and said so. */
const MAX_WAITING = 8_192
/** The most of it in one request. */
const MAX_BATCH = 512
/** What is left at the end has so long to be sent. */
const LAST = "2 seconds"

/**
 * Sends bodies to a collector. Where one cannot be sent this is said once, until one can be again; what is lost then is
 * lost, since traces are not worth a server's memory. Nothing waits for it.
 */
export const post = (signal: string, url: string, { headers, timeoutMs }: Settings) => {
  let isFailing = false
  const told = (reason: string | undefined): Effect.Effect<void> => {
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
          // Read or not, the connection is to be free for the next one.
          body?.cancel().catch(() => {})
          return ok ? undefined : `it answered with ${status}`
        }),
      catch: () => "no connection"
    }).pipe(
      Effect.timeoutFail({ duration: timeoutMs, onTimeout: () => "it did not answer in time" }),
      Effect.catchAll((reason) => Effect.succeed(reason)),
      Effect.flatMap(told)
    )
}

/** Gathers things, and sends them together now and then, and at the end. `put` costs nothing but its place. */
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
