// The worker threads of a sweep. They share the board's memory, and every message waits until all of them are done.
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as WorkerAddress from "../../WorkerAddress.ts"
import { type Board, DONE, type Message, TAKEN } from "./Job.ts"

/** A worker failed to start, or ended early. */
export class CrewError extends Data.TaggedError("CrewError")<{ readonly message: string }> {}

/** Worker threads, which end with the scope. */
export type Workers = ReadonlyArray<Worker>

/** Starts so many threads, but no more than there are places. */
export const hire = (size: number, places: number) =>
  Effect.acquireRelease(
    Effect.sync(
      (): Workers =>
        Array.from(
          { length: Math.min(size, places) },
          () => new Worker(WorkerAddress.of("cli/sweep/worker.ts"))
        )
    ),
    (crew) => Effect.sync(() => crew.forEach((worker) => void worker.terminate()))
  )

/** Sends a message to all workers and waits until all are done. `tick` runs several times a second with what is done. */
export const sendAll = <E>(
  crew: Workers,
  board: Board,
  message: Message,
  tick: (done: number) => Effect.Effect<void, E>
) => {
  const work = Effect.forEach(crew, (worker) => answer(worker, message), {
    concurrency: "unbounded",
    discard: true
  })
  const watch = Effect.suspend(() => tick(Atomics.load(board.counts, DONE))).pipe(
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
