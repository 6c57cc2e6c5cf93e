// What processes of this machine have used: from /proc.
import { readdirSync, readFileSync } from "node:fs"

/** The ms of a tick in which the kernel counts a process's time. */
const TICK_MS = 10

/** The fields of a process's state, from its parent on; undefined of one that is gone. */
const state = (pid: number | string): ReadonlyArray<number> | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return text
      .slice(text.lastIndexOf(")") + 4)
      .split(" ")
      .map(Number)
  } catch {
    return undefined
  }
}

/** The time of a processor that a process and all its children have used, those that ended too (ms). */
export const spent = (pid: number): number => {
  const own = (fields: ReadonlyArray<number>, from: number, to: number) =>
    fields.slice(from, to).reduce((sum, ticks) => sum + ticks, 0) * TICK_MS
  // From the parent's id on: utime and stime are the 11th and 12th, those of children that ended the 13th and 14th.
  const [user, endedChild, end] = [10, 12, 14]
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  const children = all.flatMap((name) => {
    const fields = state(name)
    return fields?.[0] === pid ? [own(fields, user, endedChild)] : []
  })
  const main = state(pid)
  return (main === undefined ? 0 : own(main, user, end)) + children.reduce((sum, ms) => sum + ms, 0)
}

/** The memory of a process (MB). */
export const megabytes = (pid: number): number => {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) / 1024
}
