// The id of a strategy, in a file of its own because alerts and strategies both need it.
import * as Schema from "effect/Schema"

/** The id of a strategy: an integer from 1, never reused. */
export const StrategyId = Schema.Int.pipe(Schema.positive(), Schema.brand("StrategyId"))
export type StrategyId = typeof StrategyId.Type
