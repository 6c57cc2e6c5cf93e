// The process of one back-test (see Children.ts). It passes the server's frames to the worker thread and the worker's
// frames to the server. It ends itself when its standard input ends, so it never outlives the server.
import { readdirSync, writeFileSync } from "node:fs"
import { setPriority } from "node:os"
import * as WorkerAddress from "../WorkerAddress.ts"
import * as Frames from "./Frames.ts"

/** The low priority of a back-test (19 is the lowest): exits go first. */
const NICENESS = 10

/** Ends the process at once, even while the worker thread is busy. */
const end = () => process.kill(process.pid, "SIGKILL")

/** Ignores failures: some systems lack the feature or forbid it. */
const tryTo = (act: () => void): void => {
  try {
    act()
  } catch {}
}

/** When memory runs out, the kernel kills this process before the server. */
const goFirst = () => writeFileSync("/proc/self/oom_score_adj", "1000")

/** Lowers the priority of every thread: each has its own, which the threads that it starts inherit. */
const yieldToOthers = () => {
  setPriority(NICENESS)
  for (const thread of readdirSync("/proc/self/task")) tryTo(() => setPriority(Number(thread), NICENESS))
}

const listen = async (worker: Worker) => {
  for await (const frame of Frames.read(Bun.stdin.stream())) worker.postMessage(frame, [frame.payload.buffer])
}

tryTo(goFirst)
tryTo(yieldToOthers)
// The built program delays its JIT (scripts/build.ts); a back-test wants it from the start.
Bun.unsafe.setJITPolicy(1)
// On shutdown the server finishes its requests first, so this process ignores the signals.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => {})

const worker = new Worker(WorkerAddress.of("backtests/worker.ts"))
const out = Bun.stdout.writer()
worker.onmessage = ({ data: { kind, payload } }: MessageEvent<Frames.Frame>) => {
  out.write(Frames.head(kind, payload.length))
  out.write(payload)
  out.flush()
}
worker.onerror = end
void listen(worker).then(end, end)
