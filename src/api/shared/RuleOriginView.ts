// How an alert of a rule is shown: the rule, the candle, and the values that decided.
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Incoming } from "../../domain/alert/Incoming.ts"
import { originOf, RuleOrigin } from "../../domain/alert/RuleOrigin.ts"

const { at: _, values, ...fields } = RuleOrigin.fields

/** Only alerts of a signal's own rule have these fields. */
export const RuleOriginView = {
  door: Schema.optional(Schema.Literal("rule")).annotations({
    description: "only where the signal's own rule raised the alert"
  }),
  values: Schema.optional(values).annotations({
    description:
      "the parts of the rule's condition with their values at the candle, null where there was none"
  }),
  rule: Schema.optional(Schema.Struct(fields)).annotations({
    description:
      "the rule's version, the entry that raised the alert, the market and timeframe whose candle it looked at, and that candle's close"
  })
}

/** The fields of an alert by how it arrived; none for one from outside. */
export const ruleOriginView = (incoming: Incoming | undefined) => {
  const origin = incoming?.door === "rule" ? originOf(incoming.body) : Option.none()
  if (Option.isNone(origin)) return {}
  const { at: _, values, ...rule } = origin.value
  return { door: "rule" as const, values, rule }
}
