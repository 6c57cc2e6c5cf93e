// The worker thread that copies a database. The build makes a file of its own of it (scripts/build.ts).

import { codeOf, reasonOf } from "../../sql/client/SqlErrors.ts"
import { copy } from "../../sqlite/backups/Copy.ts"
import type { Answer, Job } from "./Job.ts"

declare const self: Worker

self.onmessage = ({ data: { from, to } }: MessageEvent<Job>) => {
  self.postMessage(answered(from, to))
}

const answered = (from: string, to: string): Answer => {
  try {
    copy(from, to)
    return { _tag: "Done" }
  } catch (cause) {
    return { _tag: "Failed", code: codeOf(cause), text: reasonOf(cause) }
  }
}
