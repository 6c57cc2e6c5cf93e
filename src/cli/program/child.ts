// Commands of this program in a process of their own, which a server starts for work that must not slow it down.
import { existsSync } from "node:fs"
import { constants, setPriority } from "node:os"
import { isBuilt } from "../../WorkerAddress.ts"

/** Gives a process low priority. */
export const lower = (pid: number): void => {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It may have ended already.
  }
}

/** The running program itself, even after an upgrade has replaced its file. */
const RUNNING = "/proc/self/exe"
export const program = (): ReadonlyArray<string> => {
  const self = existsSync(RUNNING) ? RUNNING : process.execPath
  return isBuilt ? [self] : [self, Bun.main]
}

const NETWORK = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"]
]

/** What concerns the network, and the variables of these names. */
export const environment = (names: ReadonlyArray<string> = []): Record<string, string> =>
  Object.fromEntries(
    [...NETWORK, ...names].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    })
  )
