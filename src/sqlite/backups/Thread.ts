// Runs a backup in a worker thread of its own.
import * as Effect from "effect/Effect"
import * as WorkerAddress from "../../WorkerAddress.ts"
import type { Answer, Job } from "./Job.ts"

/** Writes and verifies a backup without blocking the calling thread. */
export const write = (job: Job): Effect.Effect<Answer> =>
  Effect.scoped(
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.sync(() => new Worker(WorkerAddress.of("sqlite/backups/worker.ts"))),
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
