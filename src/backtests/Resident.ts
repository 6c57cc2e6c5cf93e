// The memory that a process holds, and how much of it a back-test may hold.
import { existsSync, readFileSync } from "node:fs"
import { totalmem } from "node:os"
import * as Effect from "effect/Effect"

const GIB = 2 ** 30

/** A third of what the machine has, or the container or service where that has less: the server and two fit in. */
export const mostOf = (room = roomHere()): number => Math.min(GIB, Math.floor(room / 3))

const roomHere = () => Math.min(totalmem(), process.constrainedMemory() || totalmem())

/**
 * Bytes of memory that a process holds for itself, the program's file left out, which it shares with the server; 0 where
 * there is no such process any more. Systems without /proc tell all that it holds.
 */
export const bytesOf = (pid: number): Effect.Effect<number> =>
  existsSync("/proc/self/status") ? Effect.sync(() => told(pid)) : Effect.promise(() => asked(pid))

const told = (pid: number): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    const [, kib = "0"] = /^RssAnon:\s+(\d+)/m.exec(status) ?? /^VmRSS:\s+(\d+)/m.exec(status) ?? []
    return 1024 * Number(kib)
  } catch {
    return 0
  }
}

const asked = async (pid: number): Promise<number> => {
  const { stdout } = Bun.spawn(["ps", "-o", "rss=", "-p", `${pid}`], { stderr: "ignore" })
  return 1024 * Number((await new Response(stdout).text()).trim())
}
