import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Told, Watch } from "./Wire.ts"

/** The thread ended by a flaw of the library in it. */
export class ThreadEnded extends Data.TaggedError("ThreadEnded")<{ readonly reason: string }> {}

export interface Thread {
  readonly ask: (watch: Watch) => void
  /** Fails when the thread ends. */
  readonly end: Effect.Effect<never, ThreadEnded>
}

/** In the built program beside its entry, at the top of what it holds; else beside this file. */
const address = (): string | URL =>
  import.meta.url.includes("$bunfs")
    ? new URL("./prices/live/worker.ts", Bun.pathToFileURL(Bun.main)).href
    : new URL("./worker.ts", import.meta.url)

/** Starts the thread, for as long as the scope lives. */
export const start = Effect.fnUntraced(function* (hear: (told: Told) => void) {
  const ended = yield* Deferred.make<never, ThreadEnded>()
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => new Worker(address())),
    (worker) => Effect.sync(() => worker.terminate())
  )
  worker.onmessage = ({ data }: MessageEvent<Told>) => hear(data)
  const fail = (reason: string) => Deferred.unsafeDone(ended, Effect.fail(new ThreadEnded({ reason })))
  worker.onerror = ({ message }) => fail(message)
  worker.addEventListener("close", () => fail("it closed"))
  const thread: Thread = { ask: (watch) => worker.postMessage(watch), end: Deferred.await(ended) }
  return thread
})
