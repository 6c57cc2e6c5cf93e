// The service that checks requests against the rules of a strategy. All violations are reported at once; embedders add
// rules of their own, which may be effects.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Violation } from "../domain/requests/Violations.ts"
import { type Proposal, type Rule, rules, validate } from "../trading/StrategyRules.ts"

/** A rule that has to ask, for example a service of your own: an effect. */
export interface EffectRule<R = never> {
  readonly check: (proposal: Proposal) => Effect.Effect<ReadonlyArray<Violation>, never, R>
}

/**
 * Checks what callers ask for. Add rules of your own, or replace it.
 *
 * @example
 * ```ts
 * import { Memory, Validation } from "signalbox"
 * import { violation } from "signalbox/domain/requests/Violations"
 *
 * const server = Memory.layerWith(Validation.with(() => [violation("name", "is closed for the holidays")]))
 * ```
 */
export class Validation extends Context.Tag("signalbox/services/Validation")<
  Validation,
  {
    /** Every rule that creating or updating a strategy would break; none where it may be stored. */
    readonly strategy: (proposal: Proposal) => ReadonlyArray<Violation>
    /**
     * The same of the rules that are effects; absent where there are none. It is run before `strategy`, while the bots
     * go on, and again where the strategy has changed meanwhile.
     */
    readonly effects?: (proposal: Proposal) => Effect.Effect<ReadonlyArray<Violation>>
  }
>() {
  /** The standard rules, followed by some of your own. */
  static readonly with = <R = never>(
    ...more: ReadonlyArray<Rule | EffectRule<R>>
  ): Layer.Layer<Validation, never, R> => {
    const pure = more.filter((rule) => typeof rule === "function")
    const effects = more.filter((rule) => typeof rule !== "function")
    const strategy = validate([...rules, ...pure])
    if (effects.length === 0) return Layer.succeed(Validation, { strategy })
    return Layer.effect(
      Validation,
      Effect.map(Effect.context<R>(), (context) => ({
        strategy,
        effects: (proposal) =>
          Effect.forEach(effects, (rule) => Effect.suspend(() => rule.check(proposal))).pipe(
            Effect.map((found) => found.flat()),
            Effect.provide(context)
          )
      }))
    )
  }

  /**
   * A rule that is an effect, for `with`. Only the request waits for it, never a bot; limit its time yourself. It says
   * what is wrong as violations: where it dies the request fails, and nothing is stored.
   *
   * @example
   * ```ts
   * import { Effect } from "effect"
   * import { Memory, Validation } from "signalbox"
   * import { violation } from "signalbox/domain/requests/Violations"
   *
   * const isOpen = Effect.succeed(false)
   * const open = Validation.effect(() =>
   *   Effect.map(isOpen, (open) => (open ? [] : [violation("active", "waits for the compliance desk")]))
   * )
   * const server = Memory.layerWith(Validation.with(open))
   * ```
   */
  static readonly effect = <R = never>(check: EffectRule<R>["check"]): EffectRule<R> => ({ check })

  static readonly layer = Layer.succeed(Validation, { strategy: validate(rules) })
}
