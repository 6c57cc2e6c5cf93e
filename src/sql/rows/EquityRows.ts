// Rows of strategies' equity: the fold of each period, and the points of its curve.
import * as Schema from "effect/Schema"
import { EquityPoint } from "../../domain/equity/EquityFigures.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import * as Tracking from "../../trading/equity/Tracking.ts"
import * as Rows from "./Rows.ts"

const State = Schema.Struct({ strategy: StrategyId, tracked: Schema.parseJson(Tracking.Tracked) })
const Points = Schema.parseJson(Schema.Array(EquityPoint))

/** The points of one stretch of a strategy's curve; `span` is the index of its width. */
const OwnPoints = Schema.Struct({
  strategy: StrategyId,
  period: Schema.Int,
  span: Schema.Int,
  since: Schema.Int,
  points: Points
})
export type OwnPoints = typeof OwnPoints.Type

export const states = Rows.reader(State)
export const STATE = "strategy_id AS strategy, tracked"
export const points = Rows.reader(OwnPoints)
export const POINTS = "strategy_id AS strategy, period, span, since, points"

export const owners = Rows.reader(Schema.Struct({ strategy: StrategyId }))

/**
 * Strategy, period and state of each, the state as JSON of its own. They are numbers and texts as they are: a schema
 * would only take longer.
 */
export const stateValues = (
  states: ReadonlyArray<{ readonly strategy: StrategyId; readonly tracked: Tracking.Tracked }>
) => states.map(({ strategy, tracked }) => [strategy, tracked.period, JSON.stringify(tracked)])
/** Strategy, span, since and period of each: its key. */
export const keyValues = (rows: ReadonlyArray<Omit<OwnPoints, "points">>) =>
  rows.map(({ period, since, span, strategy }) => [strategy, span, since, period])
/** The key and the points of each, the points as JSON of their own. */
export const pointValues = (rows: ReadonlyArray<OwnPoints>) =>
  rows.map(({ period, points, since, span, strategy }) => [
    ...[strategy, span, since, period],
    JSON.stringify(points)
  ])
