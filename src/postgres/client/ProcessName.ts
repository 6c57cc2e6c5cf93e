// Names a process of this machine so that another process of the same machine can tell whether it still runs.
import { readFileSync, readlinkSync } from "node:fs"

/** The machine since its start, and its set of processes: a container has one of its own. */
const machine = (): string =>
  `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`

/** When a process started, in ticks of the machine: a number of a process is used again, but not with this. */
const startOf = (pid: string): string => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8")
  // The name of the program stands in brackets, and may hold anything.
  const [state = "", ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ")
  return ["Z", "X"].includes(state) ? "ended" : (fields[18] ?? "")
}

const attempt = (read: () => string): string | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The name of this process; empty where the machine tells nothing of its processes. */
export const own = (): string => attempt(() => `${machine()} ${process.pid} ${startOf("self")}`) ?? ""

/** Whether a process runs; undefined for one of another machine, of which nobody knows. */
export const isRunning = (name: string): boolean | undefined => {
  const here = attempt(machine)
  if (here === undefined || !name.startsWith(`${here} `)) return undefined
  const [pid = "", start = ""] = name.slice(here.length + 1).split(" ")
  return attempt(() => startOf(pid)) === start
}
