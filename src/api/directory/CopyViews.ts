// A strategy that was copied, and what its original changed since.
import * as Schema from "effect/Schema"
import { FullView } from "../../domain/requests/StrategyView.ts"
import { StrategyId } from "../../domain/StrategyId.ts"

/** A new copy. */
export const CopiedView = Schema.Struct({
  ...FullView.fields,
  warnings: Schema.Array(Schema.String).annotations({
    description: "what could not come along, in words: a signal that the caller may not follow"
  })
}).annotations({
  identifier: "CopiedStrategy",
  description: "A strategy of the caller's own, made as a copy."
})
export type CopiedView = typeof CopiedView.Type

const value = (description: string) => Schema.Unknown.annotations({ description })

/** A field that the original changed. */
export const OriginChange = Schema.Struct({
  field: Schema.String.annotations({ description: "by its name in requests" }),
  own: value("the copy's present value; null where it is unset"),
  original: value("the original's present value; null where it is unset"),
  takes: Schema.Boolean.annotations({
    description: "whether a sync takes it over; false where the copy's owner chose the value"
  })
}).annotations({ identifier: "OriginChange", description: "A setting that the original changed." })
export type OriginChange = typeof OriginChange.Type

/** Where a copy stands to its original. */
export const OriginView = Schema.Struct({
  strategy_id: StrategyId,
  copied_from: StrategyId,
  name: FullView.fields.name.annotations({ description: "the original's name" }),
  taken_at: Schema.Int.annotations({
    description: "when the copy was made or last synced, seconds since the Unix epoch"
  }),
  changes: Schema.Array(OriginChange).annotations({ description: "what the original changed since" })
}).annotations({ identifier: "Origin", description: "What the original of a copy changed since." })
export type OriginView = typeof OriginView.Type

/** A copy after a sync. */
export const SyncedView = Schema.Struct({
  ...FullView.fields,
  changed: Schema.Array(Schema.String).annotations({
    description: "the fields that were taken over, by their names in requests"
  }),
  warnings: Schema.Array(Schema.String).annotations({ description: "what could not be taken over, in words" })
}).annotations({ identifier: "SyncedStrategy", description: "A copy after a sync." })
export type SyncedView = typeof SyncedView.Type
