// An entry of a rule: a condition, and the alert that it raises.
import type { AlertType } from "../Alert.ts"

/** A number, or an expression that gives one at the candle at which the alert is raised. */
export type Amount = number | string

/** A step of a ladder of targets: at `price` `percent` of the position is closed. */
export interface RuleStep {
  readonly price: Amount
  readonly percent: number
}

/** A condition and its alert. Prices are in quote, percentages as in an alert. */
export interface RuleEntry {
  readonly type: AlertType
  readonly when: string
  readonly tp?: Amount
  readonly sl?: Amount
  readonly tps?: ReadonlyArray<RuleStep>
  readonly closePercent?: Amount
  readonly buyPercentage?: Amount
  readonly reverse?: boolean
}
