// Runs one job in a worker thread of its own: a copy of the database, or a whole backup.
import * as Effect from "effect/Effect"
import * as WorkerAddress from "../../WorkerAddress.ts"
import type { Answer, Job } from "./Job.ts"

/** Sends a job to a new thread and returns its answer; fails with the error's message if the thread ends first. */
export const ask = <A>(file: WorkerAddress.WorkerFile, job: object): Effect.Effect<A, string> =>
  Effect.acquireUseRelease(
    Effect.sync(() => new Worker(WorkerAddress.of(file))),
    (worker) =>
      Effect.async<A, string>((resume) => {
        worker.onmessage = ({ data }: MessageEvent<A>) => resume(Effect.succeed(data))
        worker.onerror = ({ message }) => resume(Effect.fail(message))
        worker.postMessage(job)
      }),
    (worker) => Effect.sync(() => void worker.terminate())
  )

/** Writes and verifies a backup without blocking the calling thread. */
export const write = (job: Job): Effect.Effect<Answer> =>
  Effect.orElseSucceed(ask<Answer>("sqlite/backups/worker.ts", job), () => ENDED)

const ENDED: Answer = { _tag: "Failed", message: "the thread that writes it ended" }
