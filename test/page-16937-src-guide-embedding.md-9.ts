import { Option } from "effect"
import { Memory, Validation } from "signalbox"
import { violation } from "signalbox/domain/requests/Violations"
import type { Rule } from "signalbox/trading/StrategyRules"

const stopLossRequired: Rule = ({ reading }) =>
  Option.exists(reading.settings, ({ stopLoss }) => stopLoss === undefined)
    ? [violation("stop_loss", "must be switched on: this house trades with a net")]
    : []

export const server = Memory.layerWith(Validation.with(stopLossRequired))
