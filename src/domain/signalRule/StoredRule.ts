// The rule of a signal as it is stored, with its version. A version changes with the meaning of the rule, and is never
// used again, also when the rule was taken away in between: an alert is raised once for each version.
import * as Schema from "effect/Schema"
import { RuleDocument } from "./RuleDocument.ts"
import { meaningOf } from "./RuleMeaning.ts"

/** The version of a rule, counted from 1, and when it was made, in seconds since the epoch. */
export const RuleStamp = Schema.Struct({ version: Schema.Int, madeAt: Schema.Int })
export type RuleStamp = typeof RuleStamp.Type

/** A rule with its version. */
export const StoredRule = Schema.Struct({ ...RuleStamp.fields, document: RuleDocument })
export type StoredRule = typeof StoredRule.Type

/** What a signal keeps: its rule, if it has one, and the last version that there was, 0 at first. */
export interface RuleHistory {
  readonly version: number
  readonly rule?: StoredRule
}

/**
 * The history after a change at `now` (s): null takes the rule away, and undefined leaves it. A rule that means the same
 * keeps its version.
 */
export const after = (
  { rule, version }: RuleHistory,
  change: RuleDocument | null | undefined,
  now: number
): RuleHistory => {
  if (change === undefined) return rule === undefined ? { version } : { version, rule }
  if (change === null) return { version }
  const isSame = rule !== undefined && meaningOf(rule.document) === meaningOf(change)
  if (isSame) return { version, rule: { ...rule, document: change } }
  return { version: version + 1, rule: { version: version + 1, madeAt: now, document: change } }
}

/** The version of a rule, without the rule. */
export const stampOf = ({ rule }: RuleHistory): RuleStamp | undefined =>
  rule === undefined ? undefined : { version: rule.version, madeAt: rule.madeAt }
