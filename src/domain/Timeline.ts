import * as Schema from "effect/Schema"
import { AlertId, Reason } from "./Alert.ts"
import { StrategyId } from "./StrategyId.ts"

/**
 * One thing that a strategy did, or left undone, and why. `text` is for people; `facts` are the numbers that made
 * it (prices and amounts as decimal text). `at` in ms since the epoch.
 */
export const TimelineEntry = Schema.Struct({
  id: Schema.Int,
  strategyId: StrategyId,
  at: Schema.Int,
  rule: Schema.String,
  alertId: Schema.OptionFromNullOr(AlertId),
  reason: Schema.OptionFromNullOr(Reason),
  text: Schema.String,
  facts: Schema.Record({
    key: Schema.String,
    value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean)
  })
})
export type TimelineEntry = typeof TimelineEntry.Type

/** An entry that has no place in a timeline yet. */
export type TimelineNote = Omit<TimelineEntry, "id" | "strategyId">
