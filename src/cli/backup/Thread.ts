import * as Effect from "effect/Effect"
import { type Copy, CopyFailed } from "../../sqlite/backups/Backup.ts"
import type { Answer } from "./Job.ts"

/** The program's own file stands at the top of the sources, and so at the top of what the built program holds. */
const address = () => new URL("./cli/backup/worker.ts", Bun.pathToFileURL(Bun.main)).href

/** Copies in a thread of its own, so that this one hears of Ctrl-C however large the database is. */
export const copy: Copy = (from, to) =>
  Effect.scoped(
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.sync(() => new Worker(address())),
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
