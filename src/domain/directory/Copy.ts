// A copy of a strategy: what its original was when it was copied or last synced, and what its owner chose instead.
import * as Schema from "effect/Schema"
import { Settings } from "../Strategy.ts"
import { StrategyId } from "../StrategyId.ts"

/**
 * What a copy remembers. `base` are the original's settings at `takenAt` (seconds); `kept` are fields that the copy's
 * owner chose, by their names in requests: no sync touches them.
 */
export const Copy = Schema.Struct({
  origin: StrategyId,
  base: Settings,
  kept: Schema.Array(Schema.String),
  takenAt: Schema.Int
})
export type Copy = typeof Copy.Type

/** The most changes of its original that a copy is told of before it is synced. */
export const MAX_TOLD = 5

/** The strategy was not copied from another. */
export class NotACopy extends Schema.TaggedError<NotACopy>()("NotACopy", {}) {
  override get message() {
    return "this strategy is not a copy of another: there is nothing to take over"
  }
}

/** The original was deleted or made private; the answer is the same. */
export class OriginalGone extends Schema.TaggedError<OriginalGone>()("OriginalGone", {}) {
  override get message() {
    return "the original of this copy is deleted or private: the copy stays as it is"
  }
}
