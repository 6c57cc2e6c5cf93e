// Gives back the memory that only the start needed: most of the code that a start runs, it runs once. On the disk it stays,
// and what is called again is loaded again.
import * as Effect from "effect/Effect"

/** The start goes on for a while after the server listens: exchanges are connected, and the first requests come. */
const START = "10 seconds"
/** Below this use of processors (ms in a second) the server is at rest: code that is in use would be compiled anew. */
const REST_MS = 200
/** For so many seconds in a row. */
const REST_SECONDS = 3
/** A server that takes up more stands still for longer, for the same ten megabytes. */
const MOST_BYTES = 256 * 2 ** 20

/** The process, as this module needs it. */
export interface Process {
  /** The time that it has had processors so far (ms). */
  readonly usedMs: () => number
  readonly residentBytes: () => number
  /**
   * Gives back code, compiled or not, and free memory. It takes 30 ms for a server without bots, and more with what is in
   * memory, since all of it is looked through.
   */
  readonly shrink: () => void
}

const own: Process = {
  usedMs: () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1000
  },
  residentBytes: () => process.memoryUsage.rss(),
  shrink: () => Bun.shrink()
}

/** Gives the memory back once, at the first rest after the start; never where the server takes up much by then. */
export const giveBack = ({ residentBytes, shrink, usedMs }: Process = own): Effect.Effect<void> => {
  let rested = 0
  const look = Effect.suspend(() => {
    const before = usedMs()
    return Effect.map(Effect.sleep("1 second"), () => {
      rested = usedMs() - before < REST_MS ? rested + 1 : 0
      return rested === REST_SECONDS
    })
  })
  return Effect.repeat(look, { until: (isAtRest) => isAtRest }).pipe(
    Effect.delay(START),
    Effect.zipRight(Effect.sync(() => (residentBytes() > MOST_BYTES ? undefined : shrink())))
  )
}
