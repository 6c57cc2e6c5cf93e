import { readFileSync } from "node:fs"

/** Tables of the connections of this network, as Linux keeps them. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"]

const SYN_RECEIVED = "03"
const ESTABLISHED = "01"

/**
 * Whether somebody is just connecting to a port: has begun, or waits to be taken up. Whoever closes the port then cuts
 * them off. Where nothing tells, nobody. Reads a line of text for each connection of the machine.
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

/** A row as proc(5) has it: number, own address, the other's, state, queues, timer, retries, user, time-outs, inode. */
export const isHalfOpen = (row: string, port: number): boolean => {
  const [, own, , state, , , , , , inode] = row.trim().split(/\s+/)
  if (own === undefined || Number.parseInt(own.slice(own.lastIndexOf(":") + 1), 16) !== port) return false
  // A connection that the program has not taken up has no file yet.
  return state === SYN_RECEIVED || (state === ESTABLISHED && inode === "0")
}
