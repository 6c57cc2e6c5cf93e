// Gives back the memory that only the start needed: most of the code that a start runs, it runs once. On the disk it stays,
// and what is called again is loaded again.
import * as Effect from "effect/Effect"

/** How long after the server listens: later, code that is in use would have to be compiled anew. */
const START = "1 second"
/** A server that takes up more stands still for longer, for the same few megabytes. */
const MOST_BYTES = 256 * 2 ** 20

/** The process, as this module needs it. */
export interface Process {
  readonly residentBytes: () => number
  /**
   * Gives back code, compiled or not, and free memory. It takes 30 ms for a server without bots, and more with what is in
   * memory, since all of it is looked through.
   */
  readonly shrink: () => void
}

const own: Process = { residentBytes: () => process.memoryUsage.rss(), shrink: () => Bun.shrink() }

/** Gives the memory back once, soon after the start; not where the server takes up much by then. */
export const giveBack = ({ residentBytes, shrink }: Process = own): Effect.Effect<void> =>
  Effect.delay(
    Effect.sync(() => (residentBytes() > MOST_BYTES ? undefined : shrink())),
    START
  )
