import * as Schema from "effect/Schema"

/** A strategy: a whole number from 1, never given twice. */
export const StrategyId = Schema.Int.pipe(Schema.positive(), Schema.brand("StrategyId"))
export type StrategyId = typeof StrategyId.Type
