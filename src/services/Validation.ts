// The service that checks requests against the rules of a strategy. All violations are reported at once; embedders add
// rules of their own.
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Violation } from "../domain/requests/Violations.ts"
import { type Proposal, type Rule, rules, validate } from "../trading/StrategyRules.ts"

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
  }
>() {
  /** The standard rules, followed by some of your own. */
  static readonly with = (...more: ReadonlyArray<Rule>) =>
    Layer.succeed(Validation, { strategy: validate([...rules, ...more]) })

  static readonly layer = Validation.with()
}
