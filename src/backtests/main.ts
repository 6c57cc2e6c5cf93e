// The process of one back-test (see Children.ts): hands what the server sends on to the thread that works, and its answers
// to the server. It ends with the server: when its standard input ends, whatever the thread does.
import { readdirSync, writeFileSync } from "node:fs"
import { setPriority } from "node:os"
import * as Frames from "./Frames.ts"

/** Nobody's exits wait for a back-test: others come first by so much, of 19. */
const NICENESS = 10

/** In the built program beside its entry, at the top of what it holds; else beside this file. */
const address = (): string | URL =>
  import.meta.url.includes("$bunfs")
    ? new URL("./backtests/worker.ts", Bun.pathToFileURL(Bun.main)).href
    : new URL("./worker.ts", import.meta.url)

/** At once, and without asking a thread that is busy. */
const end = () => process.kill(process.pid, "SIGKILL")

/** Some systems have no such thing, or forbid it: then it does without. */
const tryTo = (act: () => void): void => {
  try {
    act()
  } catch {}
}

/** Where memory is short, this process is to go and not the server. */
const goFirst = () => writeFileSync("/proc/self/oom_score_adj", "1000")

/** Each thread has a priority of its own, and hands it on to those that it starts. */
const yieldToOthers = () => {
  setPriority(NICENESS)
  for (const thread of readdirSync("/proc/self/task")) tryTo(() => setPriority(Number(thread), NICENESS))
}

const listen = async (worker: Worker) => {
  for await (const frame of Frames.read(Bun.stdin.stream())) worker.postMessage(frame, [frame.payload.buffer])
}

tryTo(goFirst)
tryTo(yieldToOthers)
// The built program begins with a compiler that is slow to step in (scripts/build.ts).
Bun.unsafe.setJITPolicy(1)
// Whoever stops the server lets it end its requests first, this one's too.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => {})

const worker = new Worker(address())
const out = Bun.stdout.writer()
worker.onmessage = ({ data: { kind, payload } }: MessageEvent<Frames.Frame>) => {
  out.write(Frames.head(kind, payload.length))
  out.write(payload)
  out.flush()
}
worker.onerror = end
void listen(worker).then(end, end)
