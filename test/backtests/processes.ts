// The processes that this machine runs, as /proc tells them.
import { readdirSync, readFileSync } from "node:fs"

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** The children of a process that still run; those that have ended and were not asked after are left out. */
export const childrenOf = (parent: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0)
    .filter((pid) => {
      const status = read(`/proc/${pid}/status`)
      return new RegExp(`^PPid:\\s+${parent}$`, "m").test(status) && !/^State:\s+Z/m.test(status)
    })

export const isRunning = (pid: number): boolean => /^State:\s+[^ZX]/m.test(read(`/proc/${pid}/status`))

/** Memory that a process holds, in MiB: all of it, the files that it shares too. */
export const residentMiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

/** Asks again until it is so; false where that takes longer than `ms`. */
export const becomes = async (isSo: () => boolean, ms: number): Promise<boolean> => {
  for (const end = performance.now() + ms; performance.now() < end; await Bun.sleep(10))
    if (isSo()) return true
  return isSo()
}
