// The fields of an alert's instruction (signal, pair, type, targets) in answers.
import * as Schema from "effect/Schema"
import { AlertType, type Extras } from "../../domain/Alert.ts"
import { TargetStep } from "../../domain/position/Ladder.ts"
import { SignalId } from "../../domain/Signal.ts"

/** The schemas of the optional fields of an alert in a response. */
export const ExtrasView = {
  close_percent: Schema.NullOr(Schema.Number),
  reverse: Schema.NullOr(Schema.Boolean),
  tps: Schema.NullOr(Schema.Array(TargetStep)),
  buy_percentage: Schema.NullOr(Schema.Number)
}

export const InstructionView = {
  signal_id: SignalId,
  coin: Schema.String,
  quote_currency: Schema.String,
  type: AlertType,
  tp: Schema.NullOr(Schema.Number),
  sl: Schema.NullOr(Schema.Number),
  ...ExtrasView
}

/** The optional fields of an alert in a response; null if the alert does not have the field. */
export const extrasView = ({ buyPercentage, closePercent, reverse, tps }: Extras) => ({
  close_percent: closePercent ?? null,
  reverse: reverse ?? null,
  tps: tps ?? null,
  buy_percentage: buyPercentage ?? null
})
