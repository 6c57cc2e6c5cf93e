// The worker thread of the price feeds. It reports every second; one that is silent for 15 s counts as hung, and the
// caller starts another.
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as WorkerAddress from "../../WorkerAddress.ts"
import type { FeedMessage, PageQuestion, Watch } from "./Wire.ts"

/** The thread ended or hangs, through a fault in it or in ccxt. */
export class ThreadEnded extends Data.TaggedError("ThreadEnded")<{ readonly reason: string }> {}

export interface Thread {
  readonly ask: (watch: Watch | PageQuestion) => void
  /** Fails when the thread ends. */
  readonly end: Effect.Effect<never, ThreadEnded>
}

/** A thread that sent nothing for this long hangs: it sends a message every second. */
const HANGS = "15 seconds"

/** Starts the thread for as long as the scope lives. */
export const start = Effect.fnUntraced(function* (
  hear: (message: FeedMessage) => void,
  entry: string | URL = WorkerAddress.of("prices/streaming/worker.ts")
) {
  const ended = yield* Deferred.make<never, ThreadEnded>()
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => new Worker(entry)),
    (worker) => Effect.sync(() => worker.terminate())
  )
  let isThere = true
  worker.onmessage = ({ data }: MessageEvent<FeedMessage>) => {
    isThere = true
    hear(data)
  }
  const fail = (reason: string) => Deferred.unsafeDone(ended, Effect.fail(new ThreadEnded({ reason })))
  worker.onerror = ({ message }) => fail(wordsOf(message))
  worker.addEventListener("close", () => fail("it closed"))
  const watch = Effect.sync(() => {
    if (!isThere) fail("it hangs")
    isThere = false
  })
  yield* Effect.forkScoped(Effect.repeat(watch, Schedule.spaced(HANGS)))
  const thread: Thread = { ask: (watch) => worker.postMessage(watch), end: Deferred.await(ended) }
  return thread
})

/** The first line of the error, cut: the runtime adds the surrounding code, in the built program all in one line. */
const wordsOf = (message: string): string => {
  const line = message.split("\n").find((line) => /^\w*error:/i.test(line)) ?? "an unknown error"
  return line.replaceAll(/\p{C}/gu, "?").slice(0, 200)
}
