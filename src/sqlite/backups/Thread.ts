import * as Effect from "effect/Effect"
import type { Answer, Job } from "./Job.ts"

/** In the built program beside its entry, at the top of what it holds; else beside this file. */
const address = (): string | URL =>
  import.meta.url.includes("$bunfs")
    ? new URL("./sqlite/backups/worker.ts", Bun.pathToFileURL(Bun.main)).href
    : new URL("./worker.ts", import.meta.url)

/** Writes and verifies in a thread of its own, so that whoever else wants something of this one need not wait. */
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
