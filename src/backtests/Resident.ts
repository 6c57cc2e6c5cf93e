// Measures the resident memory of a process, and says how much a back-test may hold.
import { existsSync, readFileSync } from "node:fs"
import { totalmem } from "node:os"
import * as Effect from "effect/Effect"

const GIB = 2 ** 30

/** A third of the memory of the machine, container or service, at most 1 GiB: the server and two back-tests fit. */
export const mostOf = (room = roomHere()): number => Math.min(GIB, Math.floor(room / 3))

const roomHere = () => Math.min(totalmem(), process.constrainedMemory() || totalmem())

/**
 * The resident memory of a process in bytes, without file pages (the program's file is shared with the server); 0 if the
 * process is gone. Without /proc, `ps` measures all resident memory.
 */
export const bytesOf = (pid: number): Effect.Effect<number> =>
  existsSync("/proc/self/status")
    ? Effect.sync(() => readResident(pid))
    : Effect.promise(() => queryResident(pid))

const readResident = (pid: number): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    const [, kib = "0"] = /^RssAnon:\s+(\d+)/m.exec(status) ?? /^VmRSS:\s+(\d+)/m.exec(status) ?? []
    return 1024 * Number(kib)
  } catch {
    return 0
  }
}

const queryResident = async (pid: number): Promise<number> => {
  const { stdout } = Bun.spawn(["ps", "-o", "rss=", "-p", `${pid}`], { stderr: "ignore" })
  return 1024 * Number((await new Response(stdout).text()).trim())
}
