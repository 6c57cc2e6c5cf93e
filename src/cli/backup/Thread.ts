// Copies the database in a worker thread, so that Ctrl-C works however large the database is.
import * as Effect from "effect/Effect"
import { type Copy, CopyFailed } from "../../sqlite/backups/Backup.ts"
import * as Thread from "../../sqlite/backups/Thread.ts"
import type { Answer } from "./Job.ts"

export const copy: Copy = (from, to) =>
  Thread.ask<Answer>("cli/backup/worker.ts", { from, to }).pipe(
    Effect.mapError((text) => new CopyFailed({ code: "", text })),
    Effect.flatMap((answer) =>
      answer._tag === "Done" ? Effect.void : new CopyFailed({ code: answer.code, text: answer.text })
    )
  )
