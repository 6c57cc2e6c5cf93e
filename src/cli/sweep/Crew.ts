import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { type Board, DONE, type Message, TAKEN } from "./Job.ts"

/** A worker could not be started or ended before its time. */
export class CrewError extends Data.TaggedError("CrewError")<{ readonly message: string }> {}

/** Worker threads for as long as the scope lives. */
export type Crew = ReadonlyArray<Worker>

/** The program's own file stands at the top of the sources, and so at the top of what the built program holds. */
const address = () => new URL("./cli/sweep/worker.ts", Bun.pathToFileURL(Bun.main)).href

export const hire = (size: number) =>
  Effect.acquireRelease(
    Effect.sync((): Crew => Array.from({ length: size }, () => new Worker(address()))),
    (crew) => Effect.sync(() => crew.forEach((worker) => void worker.terminate()))
  )

/** Tells all of them, and waits until all of them are done with the board. */
export const tell = (crew: Crew, board: Board, message: Message, show: (done: number) => void) => {
  const work = Effect.forEach(crew, (worker) => answer(worker, message), {
    concurrency: "unbounded",
    discard: true
  })
  const watch = Effect.sync(() => show(Atomics.load(board.counts, DONE))).pipe(
    Effect.repeat(Schedule.spaced("100 millis"))
  )
  const begin = Effect.sync(() => {
    Atomics.store(board.counts, TAKEN, 0)
    Atomics.store(board.counts, DONE, 0)
  })
  return Effect.zipRight(begin, Effect.raceFirst(work, watch))
}

const answer = (worker: Worker, message: Message) =>
  Effect.async<void, CrewError>((resume) => {
    worker.onmessage = () => resume(Effect.void)
    worker.onerror = ({ message }) =>
      resume(new CrewError({ message: `a worker of the sweep failed: ${message}` }))
    worker.postMessage(message)
  })
