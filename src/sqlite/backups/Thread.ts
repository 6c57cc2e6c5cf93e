// Runs a backup in a worker thread of its own.
import * as Effect from "effect/Effect"
import type { Answer, Job } from "./Job.ts"

/** The worker's file: in the built program at the top of its bundle, else beside this file. */
const address = (): string | URL =>
  import.meta.url.includes("$bunfs")
    ? new URL("./sqlite/backups/worker.ts", Bun.pathToFileURL(Bun.main)).href
    : new URL("./worker.ts", import.meta.url)

/** Writes and verifies a backup without blocking the calling thread. */
export const write = (job: Job): Effect.Effect<Answer> =>
  Effect.scoped(
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.sync(() => new Worker(address())),
        (worker) => Effect.sync(() => void worker.terminate())
      ),
      (worker) =>
        Effect.async<Answer>((resume) => {
          worker.onmessage = ({ data }: MessageEvent<Answer>) => resume(Effect.succeed(data))
          worker.onerror = () =>
            resume(Effect.succeed({ _tag: "Failed", message: "the thread that writes it ended" }))
          worker.postMessage(job)
        })
    )
  )
