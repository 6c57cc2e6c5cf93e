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
import { Turns } from "./Turns.ts"

/**
 * Time that stands still until a test lets it pass, and then costs next to nothing: a day of an idle server takes a
 * few milliseconds. `run` gives it to a test; `pass` lets it go by.
 */
export class VirtualClock extends Context.Tag("signalbox/testing/VirtualClock")<
  VirtualClock,
  {
    /** Lets time go by; ends when all that fell due meanwhile has been dealt with. */
    readonly pass: (by: Duration.DurationInput, options?: Passing) => Effect.Effect<void>
  }
>() {
  /** The real clock, for what needs it, as a venue's own sandbox does: here time passes by waiting. */
  static readonly layerReal = Layer.succeed(VirtualClock, { pass: (by) => Effect.sleep(by) })
}

/** How time goes by. */
export interface Passing {
  /**
   * Timers nearer to each other than this run together, so that a deadline is seen late by as much, and what looks
   * around ten times a second does so once. A sixtieth of the whole unless given, from 100 ms to a minute. 0 is exact.
   */
  readonly leap?: Duration.DurationInput
}

/** How a test's world begins. */
export interface Beginning {
  /** What the clock shows at first (ms since the epoch); 0 unless given. */
  readonly startsAt?: number
  /** Of what `Random` draws; the same seed, the same draws. */
  readonly seed?: string | number
}

const LEAST_LEAP_MS = 100
const MOST_LEAP_MS = 60_000
/** What is closed at the end of a test has this long. */
const CLOSING_MS = 600_000

/** The leap of a passing that does not name one. */
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

/** The same until the clock shows a time (ms since the epoch); one that is past already changes nothing. */
export const passTo = (at: number, options?: Passing): Effect.Effect<void, never, VirtualClock> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => (at > now ? pass(at - now, options) : Effect.void))

/**
 * Runs a test in a world of its own: its clock begins where it is told and stands still but for `pass`, and what it
 * opened is closed at its end. Rejects with the error that the test failed with, as any test runner shows it.
 */
export const run = <A, E>(
  test: Effect.Effect<A, E, VirtualClock | Scope.Scope>,
  { seed = 0, startsAt = 0 }: Beginning = {}
): Promise<A> => {
  const turns = new Turns(startsAt)
  const pass = (by: Duration.DurationInput, { leap }: Passing = {}) => {
    const ms = Duration.toMillis(by)
    const leapMs = leap === undefined ? usualLeap(ms) : Duration.toMillis(leap)
    return Effect.async<void>((resume) => turns.pass(ms, leapMs, () => resume(Effect.void)))
  }
  const inWorld = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const exit = yield* Effect.exit(Scope.extend(test, scope))
    // What is closed may wait for a while, for answers or for the disk: nobody else lets that time go by.
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

/** Builds layers in the scope of a test, in whose end they are closed while time goes by, and runs it on them. */
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

/** What a failed test is to throw: an error as it is, so that a runner shows its line, and what a comparison found. */
export const errorOf = (cause: Cause.Cause<unknown>): Error => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error : new Error(Cause.pretty(cause))
}
