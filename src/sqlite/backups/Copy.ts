// Copies a live database with `VACUUM INTO`: writers continue, and only the copying thread is blocked.
import { Database } from "bun:sqlite"
import { closeSync, openSync } from "node:fs"

/** How long a copy waits for a moment of exclusive use by another process (ms). */
const BUSY_MILLIS = 5_000

/** Writes the database as of now to a new file that only its owner can read. Throws as SQLite does. */
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

/** Whether SQLite finds a file intact. */
export const isIntact = (file: string): boolean => {
  const database = new Database(file, { readonly: true })
  try {
    return database.query("PRAGMA integrity_check").values()[0]?.[0] === "ok"
  } finally {
    database.close()
  }
}
