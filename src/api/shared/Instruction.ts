// The fields of an alert's instruction (signal, pair, type, targets) in answers.
import * as Schema from "effect/Schema"
import { AlertType } from "../../domain/Alert.ts"
import { SignalId } from "../../domain/Signal.ts"

export const InstructionView = {
  signal_id: SignalId,
  coin: Schema.String,
  quote_currency: Schema.String,
  type: AlertType,
  tp: Schema.NullOr(Schema.Number),
  sl: Schema.NullOr(Schema.Number)
}
