import * as Schema from "effect/Schema"

export const StrategyId = Schema.Int.pipe(Schema.positive(), Schema.brand("StrategyId"))
export type StrategyId = typeof StrategyId.Type
