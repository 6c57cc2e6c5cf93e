// The initial database of the runs of one process.
import type { Template } from "./Disk.ts"

/** On a file, or on a real Postgres server. */
export const ground = async (isOnPostgres: boolean): Promise<Template> => {
  const { template } = isOnPostgres ? await import("./PostgresDisk.ts") : await import("./FileDisk.ts")
  return template()
}
