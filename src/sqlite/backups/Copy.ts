import { Database } from "bun:sqlite"
import { closeSync, openSync } from "node:fs"

/** How long a copy waits for whoever has the whole file to himself for a moment. */
const BUSY_MILLIS = 5_000

/**
 * Writes a database as it is at this moment to a new file that only its owner can read. Whoever writes to it goes on
 * meanwhile; the thread that copies stands still, so that a server has it done in a worker. Throws as SQLite does.
 */
export const copy = (from: string, to: string): void => {
  closeSync(openSync(to, "wx", 0o600))
  const database = new Database(from, { readonly: true })
  try {
    database.run(`PRAGMA busy_timeout = ${BUSY_MILLIS}`)
    database.run("VACUUM INTO ?", [to])
  } finally {
    database.close()
  }
}

/** Whether SQLite finds a file to be what it wrote. */
export const isIntact = (file: string): boolean => {
  const database = new Database(file, { readonly: true })
  try {
    return database.query("PRAGMA integrity_check").values()[0]?.[0] === "ok"
  } finally {
    database.close()
  }
}
