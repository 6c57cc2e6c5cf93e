import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Violation } from "../domain/requests/Violations.ts"
import { type Proposal, type Rule, rules, validate } from "../trading/StrategyRules.ts"

/**
 * Judges what callers ask for. Replace it, or add to its rules, to have rules of your own.
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
    /** Every rule that a strategy's creation or update breaks; none where it may be stored. */
    readonly strategy: (proposal: Proposal) => ReadonlyArray<Violation>
  }
>() {
  /** The rules of the interface, with some of your own after them. */
  static readonly with = (...more: ReadonlyArray<Rule>) =>
    Layer.succeed(Validation, { strategy: validate([...rules, ...more]) })

  static readonly layer = Validation.with()
}
