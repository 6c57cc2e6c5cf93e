// The entry of the backup's worker thread, a file of its own in the built program (see scripts/build.ts). It answers
// one job with plain data.
import * as Effect from "effect/Effect"
import { reasonOf } from "../../sql/client/SqlErrors.ts"
import * as Backup from "./Backup.ts"
import type { Answer, Job } from "./Job.ts"

declare const self: Worker

self.onmessage = ({ data: { file, from } }: MessageEvent<Job>) => {
  const written = Effect.map(
    Backup.write(from, file, { force: false, copy: Backup.here }),
    ({ bytes, verdict }): Answer => ({ _tag: "Done", bytes, faults: verdict.faults.length })
  )
  const answer = Effect.catchAllCause(
    Effect.catchAll(written, ({ message }) => Effect.succeed<Answer>({ _tag: "Failed", message })),
    (cause) => Effect.succeed<Answer>({ _tag: "Failed", message: reasonOf(cause) })
  )
  Effect.runPromise(answer).then((answer) => self.postMessage(answer))
}
