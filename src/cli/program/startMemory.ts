// Gives back the memory that only the start needed: most of the code that a start runs, it runs once. On the disk it stays,
// and what is called again is loaded again.
import * as Effect from "effect/Effect"

/** The start goes on for a while after the server listens: exchanges are connected, and the first requests come. */
const START = "10 seconds"
/** Below this use of processors (ms in a second) the server is at rest: code that is in use would be compiled anew. */
const REST_MS = 500

/** The process, as this module needs it. */
export interface Process {
  /** The time that it has had processors so far (ms). */
  readonly usedMs: () => number
  /** Gives back code, compiled or not, and free memory. It takes some 30 ms. */
  readonly shrink: () => void
}

const own: Process = {
  usedMs: () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1000
  },
  shrink: () => Bun.shrink()
}

/** Gives the memory back once, in the first second of rest after the start. */
export const giveBack = ({ shrink, usedMs }: Process = own): Effect.Effect<void> =>
  Effect.suspend(() => {
    const before = usedMs()
    return Effect.map(Effect.sleep("1 second"), () => usedMs() - before < REST_MS)
  }).pipe(
    Effect.repeat({ until: (isAtRest) => isAtRest }),
    Effect.delay(START),
    Effect.zipRight(Effect.sync(shrink))
  )
