// The tree of an expression after its check: every part has a type, and nothing is left out.
import type { Timeframe } from "../candles/Timeframe.ts"
import type { IndicatorName } from "./Functions.ts"
import type { PriceName } from "./Prices.ts"
import type { BinaryOperator } from "./Syntax.ts"

/** What an expression gives at each candle. */
export type Type = "number" | "boolean"

interface Typed {
  readonly type: Type
  /** Where it was written. */
  readonly column: number
  /** Candles before the present one that it needs for a value, at most, each of its own timeframe. */
  readonly lookback: number
}

/** A part of a checked expression. A constant condition is 1 (true) or 0. */
export type Checked = Typed &
  (
    | { readonly _tag: "Constant"; readonly value: number }
    | { readonly _tag: "Price"; readonly name: PriceName }
    | { readonly _tag: "Negative"; readonly of: Checked }
    | { readonly _tag: "Not"; readonly of: Checked }
    | {
        readonly _tag: "Binary"
        readonly operator: BinaryOperator
        readonly left: Checked
        readonly right: Checked
      }
    | {
        readonly _tag: "Conditional"
        readonly condition: Checked
        readonly then: Checked
        readonly other: Checked
      }
    | { readonly _tag: "History"; readonly of: Checked; readonly rows: number }
    | {
        readonly _tag: "Call"
        readonly function: IndicatorName
        readonly output: string | undefined
        readonly inputs: ReadonlyArray<Checked>
      }
    | { readonly _tag: "Request"; readonly timeframe: Timeframe; readonly of: Checked }
  )

/** Where an expression stands: the values of its parameters, and the timeframe of its candles. */
export interface Surroundings {
  readonly params: ReadonlyMap<string, number>
  readonly timeframe: Timeframe
}
