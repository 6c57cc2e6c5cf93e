// Copies the database in a worker thread, so that Ctrl-C works however large the database is.
import * as Effect from "effect/Effect"
import { type Copy, CopyFailed } from "../../sqlite/backups/Backup.ts"
import * as WorkerAddress from "../../WorkerAddress.ts"
import type { Answer } from "./Job.ts"

export const copy: Copy = (from, to) =>
  Effect.scoped(
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.sync(() => new Worker(WorkerAddress.of("cli/backup/worker.ts"))),
        (worker) => Effect.sync(() => void worker.terminate())
      ),
      (worker) =>
        Effect.async<void, CopyFailed>((resume) => {
          worker.onmessage = ({ data }: MessageEvent<Answer>) =>
            resume(data._tag === "Done" ? Effect.void : new CopyFailed({ code: data.code, text: data.text }))
          worker.onerror = ({ message }) => resume(new CopyFailed({ code: "", text: message }))
          worker.postMessage({ from, to })
        })
    )
  )
