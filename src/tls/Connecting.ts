// Finds out from Linux's connection tables whether a caller is in the middle of connecting to a port. On other systems
// the answer is always no.
import { readFileSync } from "node:fs"

/** Linux's tables of the TCP connections of this network namespace. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"]

const SYN_RECEIVED = "03"
const ESTABLISHED = "01"

/**
 * Whether a connection to the port has begun but is not yet accepted. Closing the port now would cut that caller off.
 * Reads one line for each connection of the machine.
 */
export const isConnecting = (port: number): boolean =>
  TABLES.some((table) => rows(table).some((row) => isHalfOpen(row, port)))

const rows = (table: string): ReadonlyArray<string> => {
  try {
    return readFileSync(table, "latin1").split("\n")
  } catch {
    return []
  }
}

/**
 * Whether a row of the table is such a connection. Columns as in proc(5): number, local address, remote address,
 * state, queues, timer, retries, user, time-outs, inode.
 */
export const isHalfOpen = (row: string, port: number): boolean => {
  const [, own, , state, , , , , , inode] = row.trim().split(/\s+/)
  if (own === undefined || Number.parseInt(own.slice(own.lastIndexOf(":") + 1), 16) !== port) return false
  // A connection that the program has not accepted has no file yet, so its inode is 0.
  return state === SYN_RECEIVED || (state === ESTABLISHED && inode === "0")
}
