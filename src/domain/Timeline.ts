// Timeline entries: what a strategy did or did not do, and why, for its owner to read.
import * as Schema from "effect/Schema"
import { AlertId, Reason } from "./Alert.ts"
import { StrategyId } from "./StrategyId.ts"

/**
 * One entry. `text` is for people; `facts` are the numbers behind it (prices and amounts as decimal texts). `at` in ms
 * since the epoch.
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

/** An entry that is not stored yet. */
export type TimelineNote = Omit<TimelineEntry, "id" | "strategyId">
