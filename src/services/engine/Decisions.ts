// The port of an embedder's own decisions: what an alert or a price means to a bot, beside its rules. Without a layer of
// yours there are none, and nothing is called.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { type HookName, type Hooks, OwnDecisions } from "../../trading/OwnDecisions.ts"
import { Meters } from "../health/Meters.ts"

/** A call of a hook that takes longer than this (ms) is logged: prices and alerts wait for it. */
const SLOW_MS = 10

/**
 * Own decisions of an embedder: what an alert means, a veto of entries, their size, an extra exit. Journal, books, limits
 * and explanations stay: an own decision is checked like one of ours, and its text is on the timeline. The same hooks
 * decide in a preview and in the back-tests of `Memory`; those of the real server run in a process of their own, without
 * them, and carry a warning that says so.
 *
 * **An implementation keeps**
 *
 * - Purity: the same input has the same answer. Keep no state, and read no clock: time is in the context.
 * - Totality: a hook never throws. One that does vetoes the entry; an own exit is tried again after a minute; an alert
 *   that closes is acted on as it came.
 * - Alerts: `alert` returns a veto, or the very object that `decide` returned in the same call.
 * - Sizes: `size` is from 0 to `context.free`.
 * - Windows: while the closing price and the time are inside the window of a `Hold`, `exit` would hold.
 *
 * **Proved by** `DecisionsContract` of `signalbox/testing`.
 *
 * @example
 * ```ts
 * import { Decisions, Memory } from "signalbox"
 * import { veto } from "signalbox/trading/OwnDecisions"
 *
 * const server = Memory.layerWith(
 *   Decisions.with({
 *     entry: (context, proposal) =>
 *       new Date(context.now).getUTCDay() === 0 ? veto("no entries on Sundays") : proposal
 *   })
 * )
 * ```
 *
 * @category Ports
 */
export class Decisions extends Context.Reference<Decisions>()("signalbox/services/Decisions", {
  defaultValue: (): { readonly hooks: Hooks; readonly own: OwnDecisions | undefined } => ({
    hooks: {},
    own: undefined
  })
}) {
  /** Decisions with these hooks. A hook that fails is logged once, and so is one that is slow. */
  static readonly with = (hooks: Hooks): Layer.Layer<Decisions> =>
    Layer.effect(
      Decisions,
      Effect.gen(function* () {
        const { now } = yield* Meters
        const run = Runtime.runFork(yield* Effect.runtime<never>())
        const failed = (hook: HookName, error: unknown) =>
          void run(Effect.logError(`the own decision ${hook} failed: ${WHERE_IT_FAILS[hook]}`, error))
        const slow = (hook: HookName, millis: number) =>
          void run(
            Effect.logWarning(
              `the own decision ${hook} took ${Math.round(millis)} ms: prices and alerts wait for it`
            )
          )
        return { hooks, own: new OwnDecisions(timed(hooks, now, slow), failed) }
      })
    )
}

const WHERE_IT_FAILS: Readonly<Record<HookName, string>> = {
  alert: "an alert that opens is vetoed then, and one that closes closes",
  entry: "it is a veto then",
  size: "it is a veto then",
  exit: "it closes nothing then"
}

/** The hooks, whose first slow call each is reported. */
const timed = (hooks: Hooks, now: () => number, slow: (hook: HookName, millis: number) => void): Hooks => {
  const reported = new Set<HookName>()
  const timing =
    <Args extends ReadonlyArray<unknown>, A>(hook: HookName, call: (...args: Args) => A) =>
    (...args: Args): A => {
      const startedAt = now()
      try {
        const answer = call(...args)
        // It is no answer; and where it fails later, nobody else would catch that.
        if (answer instanceof Promise) answer.catch(() => {})
        return answer
      } finally {
        const millis = now() - startedAt
        if (millis > SLOW_MS && !reported.has(hook)) {
          reported.add(hook)
          slow(hook, millis)
        }
      }
    }
  const { alert, entry, exit, size } = hooks
  return {
    ...(alert === undefined ? {} : { alert: timing("alert", alert) }),
    ...(entry === undefined ? {} : { entry: timing("entry", entry) }),
    ...(size === undefined ? {} : { size: timing("size", size) }),
    ...(exit === undefined ? {} : { exit: timing("exit", exit) })
  }
}
