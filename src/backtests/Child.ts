// A child process, seen by its parent. The parent sends frames and receives frames.
// 1. Closing the scope kills the child and waits for its exit, for `EXIT_SECONDS` at most.
// 2. The child is killed if it exits early, sends bytes that are not a frame, or sends a frame that nobody requested.
// 3. After that, `send` and `hear` fail with `BacktestFailed`.
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import { BacktestFailed } from "../services/backtest/Failures.ts"
import { breathe } from "../services/engine/Breath.ts"
import * as Frames from "./Frames.ts"
import * as Resident from "./Resident.ts"

/** Bytes written at a time. Between two writes the event loop serves others. */
const CHUNK_BYTES = 512 * 1024
/** How long a killed child may take to exit: while the kernel waits for a disk, not even SIGKILL ends a process. */
const EXIT_SECONDS = 5
/** How often the memory is measured. A parser can take a hundred megabytes between two measurements. */
const LOOK = Duration.millis(50)

const ended = new BacktestFailed({ reason: "ended" })

export interface Child {
  readonly pid: number
  readonly send: (kind: Frames.Kind, payload: Uint8Array) => Effect.Effect<void, BacktestFailed>
  readonly hear: Effect.Effect<Frames.Frame, BacktestFailed>
}

/** The child gets an empty environment, because ours may hold secrets. */
const spawn = ([program = "", ...args]: ReadonlyArray<string>) =>
  Bun.spawn([program, ...args], { cwd: "/", env: {}, stdin: "pipe", stdout: "pipe", stderr: "ignore" })

/** Hears of a process that was killed and does not end. */
export type OnLeft = (exited: Promise<unknown>) => void

export const start = Effect.fnUntraced(function* (command: ReadonlyArray<string>, onLeft: OnLeft = () => {}) {
  const process = yield* Effect.acquireRelease(
    Effect.try({ try: () => spawn(command), catch: () => ended }),
    (process) => end(process, onLeft)
  )
  const heard = yield* Mailbox.make<Frames.Frame, BacktestFailed>({ capacity: 1, strategy: "dropping" })
  void listen(process.stdout, heard).then(() => {
    process.kill("SIGKILL")
    heard.unsafeDone(Exit.fail(ended))
  })
  const write = (bytes: Uint8Array) =>
    Effect.tryPromise({
      try: async () => {
        // Both may return a promise: one that fails while nobody awaits it ends the whole program.
        await process.stdin.write(bytes)
        await process.stdin.flush()
      },
      catch: () => ended
    })
  const child: Child = {
    pid: process.pid,
    send: Effect.fnUntraced(function* (kind, payload) {
      yield* write(Frames.head(kind, payload.length))
      for (let at = 0; at < payload.length; at += CHUNK_BYTES) {
        yield* write(payload.subarray(at, at + CHUNK_BYTES))
        yield* breathe
      }
    }),
    hear: Effect.catchTag(heard.take, "NoSuchElementException", () => ended)
  }
  return child
})

/** Kills a process, and waits for its exit in real time; one that does not end is left behind with a warning. */
export const end = (
  process: Pick<Bun.Subprocess, "exited" | "kill" | "pid">,
  onLeft: OnLeft = () => {},
  seconds = EXIT_SECONDS
): Effect.Effect<void> =>
  Effect.suspend(() => {
    process.kill("SIGKILL")
    return Effect.interruptible(Effect.promise(() => process.exited))
  }).pipe(
    Effect.timeoutOption(Duration.seconds(seconds)),
    Effect.withClock(Clock.make()),
    Effect.flatMap(
      Option.match({
        onNone: () => {
          onLeft(process.exited)
          return Effect.logWarning(
            `process ${process.pid} of a back-test was killed and does not end: it is left behind`
          )
        },
        onSome: () => Effect.void
      })
    )
  )

/**
 * Reads frames until the child exits, sends bytes that are not a frame, or sends a frame that nobody requested. Reads
 * even while nobody waits for a frame, because the runtime would buffer any amount of unread output.
 */
const listen = async (
  stream: AsyncIterable<Uint8Array>,
  heard: Mailbox.Mailbox<Frames.Frame, BacktestFailed>
): Promise<void> => {
  try {
    for await (const frame of Frames.read(stream)) if (!heard.unsafeOffer(frame)) return
  } catch {
    // The caller kills the child, whatever the error was.
  }
}

/** Fails once the process holds more than `most` bytes; never ends otherwise. */
export const watch = (pid: number, most: number): Effect.Effect<never, BacktestFailed> =>
  Effect.flatMap(Resident.bytesOf(pid), (bytes) =>
    bytes > most ? new BacktestFailed({ reason: "too_large" }) : Effect.sleep(LOOK)
  ).pipe(Effect.forever)
