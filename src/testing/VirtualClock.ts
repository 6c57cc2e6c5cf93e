// A clock that moves only when a test lets time pass: a day of an idle server takes a few milliseconds.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Scope from "effect/Scope"
import { VirtualScheduler } from "./VirtualScheduler.ts"

/** `run` provides the clock to a test; `pass` moves it. */
export class VirtualClock extends Context.Tag("signalbox/testing/VirtualClock")<
  VirtualClock,
  {
    /** Moves the clock and runs everything that is due; ends when that is done. */
    readonly pass: (by: Duration.DurationInput, options?: Passing) => Effect.Effect<void>
  }
>() {
  /** A real clock, for an adapter's sandbox: `pass` waits. */
  static readonly layerReal = Layer.succeed(VirtualClock, { pass: (by) => Effect.sleep(by) })
}

/** How time passes. */
export interface Passing {
  /**
   * Timers closer together than this run together, so a deadline may be seen late by as much. By default a sixtieth
   * of the whole, from 100 ms to a minute; 0 is exact.
   */
  readonly leap?: Duration.DurationInput
}

/** The start of a test's world. */
export interface Beginning {
  /** The clock's first time (ms since the epoch); by default 0. */
  readonly startsAt?: number
  /** The seed of `Random`; the same seed gives the same draws. */
  readonly seed?: string | number
  /**
   * Work in progress outside of the virtual world, like statements on their way to a database server. Time stands still
   * until the promise is settled; undefined where there is none.
   */
  readonly outside?: () => Promise<void> | undefined
}

const LEAST_LEAP_MS = 100
const MOST_LEAP_MS = 60_000
/** How long closing the test's scope may take. */
const CLOSING_MS = 600_000

/** The default leap. */
const usualLeap = (ms: number) => Math.min(Math.max(Math.floor(ms / 60), LEAST_LEAP_MS), MOST_LEAP_MS)

/**
 * Lets time go by in a test that is run by `run`, or in a case of a contract suite.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { VirtualClock } from "signalbox/testing"
 *
 * await VirtualClock.run(
 *   Effect.gen(function* () {
 *     const bell = yield* Effect.fork(Effect.sleep("45 minutes"))
 *     yield* VirtualClock.pass("1 hour")
 *     yield* bell
 *   })
 * )
 * ```
 */
export const pass = (
  by: Duration.DurationInput,
  options?: Passing
): Effect.Effect<void, never, VirtualClock> =>
  Effect.flatMap(VirtualClock, (clock) => clock.pass(by, options))

/** Moves the clock to a time (ms since the epoch); does nothing if that has passed. */
export const passTo = (at: number, options?: Passing): Effect.Effect<void, never, VirtualClock> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => (at > now ? pass(at - now, options) : Effect.void))

/**
 * Runs a test with a clock of its own, which moves only by `pass`. Closes the test's scope at the end, and rejects
 * with the test's error.
 */
export const run = <A, E>(
  test: Effect.Effect<A, E, VirtualClock | Scope.Scope>,
  { outside, seed = 0, startsAt = 0 }: Beginning = {}
): Promise<A> => {
  const turns = new VirtualScheduler(startsAt, outside)
  const pass = (by: Duration.DurationInput, { leap }: Passing = {}) => {
    const ms = Duration.toMillis(by)
    const leapMs = leap === undefined ? usualLeap(ms) : Duration.toMillis(leap)
    return Effect.async<void>((resume) => turns.pass(ms, leapMs, () => resume(Effect.void)))
  }
  const inWorld = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const exit = yield* Effect.exit(Scope.extend(test, scope))
    // Closing may wait for responses or the disk, so let that time pass.
    turns.pass(CLOSING_MS, LEAST_LEAP_MS, () => {})
    yield* Scope.close(scope, exit)
    return yield* exit
  })
  const running = inWorld.pipe(
    Effect.provideService(VirtualClock, { pass }),
    Effect.withClock(turns.clock),
    Effect.withRandom(Random.make(seed))
  )
  return ending(Effect.runFork(running, { scheduler: turns }))
}

/** Builds layers in the test's scope and runs the test on them. */
export const on = <A, E, R, Out, LE, In>(test: Effect.Effect<A, E, R>, layer: Layer.Layer<Out, LE, In>) =>
  Effect.flatMap(Layer.build(layer), (services) => Effect.provide(test, services))

/** The same on the real clock, where `pass` waits. */
export const runReal = <A, E>(test: Effect.Effect<A, E, VirtualClock | Scope.Scope>): Promise<A> =>
  ending(Effect.runFork(Effect.provide(Effect.scoped(test), VirtualClock.layerReal)))

const ending = async <A, E>(fiber: Fiber.RuntimeFiber<A, E>): Promise<A> => {
  const exit = await new Promise<Exit.Exit<A, E>>((resolve) => fiber.addObserver(resolve))
  if (Exit.isSuccess(exit)) return exit.value
  throw errorOf(exit.cause)
}

/** The error that a failed test throws: the original error, so that a runner shows its line and its comparison. */
export const errorOf = (cause: Cause.Cause<unknown>): Error => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error : new Error(Cause.pretty(cause))
}
