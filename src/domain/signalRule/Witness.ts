// The witness of a rule: what happens where the rule fires, and no alert from outside says the same in time.
import * as Schema from "effect/Schema"
import { optional } from "../internal/Optional.ts"
import { errorAt, type RuleError } from "./RuleError.ts"

/** `tell` raises nothing, and tells the owner; `stand_in` raises the alert in place of the one that did not come. */
export const WITNESS_MODES = ["tell", "stand_in"] as const
/** One of the two. */
export type WitnessMode = (typeof WITNESS_MODES)[number]

/** How long an alert from outside is awaited (s), unless the rule says otherwise. */
export const WITNESS_SECONDS = 90
/** The least and the most that a rule may say (s): an entry that is raised later would be stale. */
export const WITNESS_BOUNDS = [10, 240] as const

/** The fields of a rule that make it a witness. */
export const witnessFields = {
  witness: optional(
    Schema.Literal(...WITNESS_MODES).annotations({
      description:
        "tell or stand_in: the rule raises nothing by itself, but where it fires and no alert of its type and pair comes from outside in time, it tells you, or raises the alert itself"
    })
  ),
  witness_seconds: optional(
    Schema.Finite.annotations({
      description: `how long it waits for that alert: ${WITNESS_BOUNDS.join(" to ")} seconds, ${WITNESS_SECONDS} without it`
    })
  )
}

/** A rule as a witness. */
export interface Witness {
  readonly mode: WitnessMode
  readonly seconds: number
}

/** The two fields of a rule as it is written. */
export interface WitnessFields {
  readonly witness?: WitnessMode
  readonly witness_seconds?: number
}

/** The witness that a rule is; undefined where it raises its alerts itself. */
export const witnessOf = ({
  witness,
  witness_seconds = WITNESS_SECONDS
}: WitnessFields): Witness | undefined =>
  witness === undefined ? undefined : { mode: witness, seconds: witness_seconds }

/** Errors of the two fields. */
export const errorsOf = ({ witness, witness_seconds }: WitnessFields): ReadonlyArray<RuleError> => {
  if (witness_seconds === undefined) return []
  if (witness === undefined) return [errorAt("witness_seconds", "needs a witness: tell or stand_in")]
  const [least, most] = WITNESS_BOUNDS
  return Number.isInteger(witness_seconds) && witness_seconds >= least && witness_seconds <= most
    ? []
    : [errorAt("witness_seconds", `must be a whole number from ${least} to ${most}`)]
}
