// Files that appear under their name only when complete and on disk.
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { inRealTime } from "../../services/internal/RealTime.ts"

/** A partial name beside the file; whatever has it is deleted when the scope ends. */
export const partOf = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const part = join(dirname(file), `.${basename(file)}.part-${process.pid}`)
      // In a container, a killed process may have had the same id.
      remove(part)
      return part
    }),
    (part) => Effect.sync(() => remove(part))
  )

const remove = (part: string): void => {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(part + end, { force: true })
}

/** Flushes the file, renames it, and flushes the folder. */
export const place = (part: string, file: string): void => {
  sync(part)
  renameSync(part, file)
  sync(dirname(file))
}

export const sync = (path: string): void => {
  const opened = openSync(path, "r")
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** The time for the end of a file's name, as `20261121T235200Z`. */
export const stamp = Effect.map(inRealTime(Clock.currentTimeMillis), (millis) =>
  new Date(millis).toISOString().replace(/[-:]|\.\d+/g, "")
)
