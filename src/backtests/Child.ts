// A child process, from its parent's side: frames go in, frames come out. It is killed when its scope closes, and has
// ended when the scope has closed. One that ends before, sends what is no frame, or more than one frame for one that it
// was asked for, is killed, and whoever tells it or hears from it fails.
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Mailbox from "effect/Mailbox"
import { BacktestFailed } from "../services/backtest/Failures.ts"
import * as Frames from "./Frames.ts"
import * as Resident from "./Resident.ts"

/** Bytes that are sent in one go: others have their turn in between. */
const CHUNK_BYTES = 512 * 1024
/** How often its memory is looked at: a parser takes a hundred megabytes meanwhile. */
const LOOK = Duration.millis(50)

const ended = new BacktestFailed({ reason: "ended" })

export interface Child {
  readonly pid: number
  readonly tell: (kind: Frames.Kind, payload: Uint8Array) => Effect.Effect<void, BacktestFailed>
  readonly hear: Effect.Effect<Frames.Frame, BacktestFailed>
}

/** It sees nothing of our environment, which may hold secrets. */
const spawn = ([program = "", ...args]: ReadonlyArray<string>) =>
  Bun.spawn([program, ...args], { cwd: "/", env: {}, stdin: "pipe", stdout: "pipe", stderr: "ignore" })

export const start = Effect.fnUntraced(function* (command: ReadonlyArray<string>) {
  const process = yield* Effect.acquireRelease(
    Effect.try({ try: () => spawn(command), catch: () => ended }),
    (process) =>
      Effect.promise(() => {
        process.kill("SIGKILL")
        return process.exited
      })
  )
  const heard = yield* Mailbox.make<Frames.Frame, BacktestFailed>({ capacity: 1, strategy: "dropping" })
  void listen(process.stdout, heard).then(() => {
    process.kill("SIGKILL")
    heard.unsafeDone(Exit.fail(ended))
  })
  const write = (bytes: Uint8Array) =>
    Effect.tryPromise({
      try: async () => {
        process.stdin.write(bytes)
        await process.stdin.flush()
      },
      catch: () => ended
    })
  const child: Child = {
    pid: process.pid,
    tell: Effect.fnUntraced(function* (kind, payload) {
      yield* write(Frames.head(kind, payload.length))
      for (let at = 0; at < payload.length; at += CHUNK_BYTES) {
        yield* write(payload.subarray(at, at + CHUNK_BYTES))
        yield* Effect.sleep(0)
      }
    }),
    hear: Effect.catchTag(heard.take, "NoSuchElementException", () => ended)
  }
  return child
})

/**
 * Ends when there is no more to hear: the child has ended, sends what is no frame, or says more than it was asked. What
 * it sends is read whether or not somebody waits for it: the runtime would hold any amount of it.
 */
const listen = async (
  stream: AsyncIterable<Uint8Array>,
  heard: Mailbox.Mailbox<Frames.Frame, BacktestFailed>
): Promise<void> => {
  try {
    for await (const frame of Frames.read(stream)) if (!heard.unsafeOffer(frame)) return
  } catch {
    // Whatever was wrong with it, it is ended.
  }
}

/** Fails when a process holds more memory than it may; else never ends. */
export const watch = (pid: number, most: number): Effect.Effect<never, BacktestFailed> =>
  Effect.flatMap(Resident.bytesOf(pid), (bytes) =>
    bytes > most ? new BacktestFailed({ reason: "too_large" }) : Effect.sleep(LOOK)
  ).pipe(Effect.forever)
