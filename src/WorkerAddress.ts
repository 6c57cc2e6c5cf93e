// The addresses of worker threads' files: below this folder in the sources and the npm package, and below the root of
// the bundle in the built program, of which each is an entry.

/** Each worker's file, by its path below `src`. */
export const WORKERS = [
  "cli/sweep/worker.ts",
  "cli/backup/worker.ts",
  "backtests/worker.ts",
  "sqlite/backups/worker.ts",
  "prices/streaming/worker.ts"
] as const

export type WorkerFile = (typeof WORKERS)[number]

/** Whether this runs in the built program. */
export const isBuilt = import.meta.url.includes("$bunfs")

/** The address of a worker's file. */
export const of = (file: WorkerFile): string =>
  new URL(`./${file}`, isBuilt ? Bun.pathToFileURL(Bun.main) : import.meta.url).href
