// Ladders: targets of an alert at absolute prices, and a strategy's own steps at profits. Each step closes a percentage
// of a base quantity, and all of them together at most 100 percent, summed as decimals.
import * as Schema from "effect/Schema"
import * as Decimal from "../Decimal.ts"

/** The most steps of a ladder. */
export const MAX_STEPS = 5

/** The most that all steps together close, in percent. */
const WHOLE = Decimal.hundred

/** A sum of percentages as people add them: 33.3 + 33.3 + 33.4 is exactly 100. */
export const sumOfPercents = (percents: ReadonlyArray<number>): Decimal.Decimal =>
  percents.reduce((sum, percent) => Decimal.add(sum, Decimal.fromNumber(percent)), Decimal.zero)

/** What is wrong with the number of steps; undefined if nothing is. */
export const countError = (steps: ReadonlyArray<unknown>): string | undefined =>
  steps.length < 1 || steps.length > MAX_STEPS ? `must have 1 to ${MAX_STEPS} steps` : undefined

/** What is wrong with the percentages of all steps together; undefined if nothing is. */
export const percentsError = (percents: ReadonlyArray<number>): string | undefined =>
  Decimal.greaterThan(sumOfPercents(percents), WHOLE) ? "must close at most 100 percent in all" : undefined

/** Whether percentages add up to 100, so that nothing may be left over. */
export const isWhole = (percents: ReadonlyArray<number>): boolean =>
  Decimal.equals(sumOfPercents(percents), WHOLE)

const targetStepFields = { price: Schema.Finite, percent: Schema.Finite }
/** The schema of a target of a ladder. */
export interface TargetStepSchema extends Schema.Struct<typeof targetStepFields> {}
/** A target of an alert's ladder: at `price` (quote) `percent` of the base is closed. */
export const TargetStep: TargetStepSchema = Schema.Struct(targetStepFields)
export type TargetStep = typeof TargetStep.Type

const ladderFields = {
  steps: Schema.Array(TargetStep),
  base: Decimal.Text,
  done: Schema.Int
}
/** The schema of a held ladder. */
export interface LadderSchema extends Schema.Struct<typeof ladderFields> {}
/**
 * An alert's ladder as a position holds it. `base` is the quantity held when it was set, plus later entry fills; `done`
 * counts steps from the first, with those that were left out before one that filled.
 */
export const Ladder: LadderSchema = Schema.Struct(ladderFields)
export type Ladder = typeof Ladder.Type
