// An alert that falls due within a candle, as a walk that is stored keeps it.
import * as Schema from "effect/Schema"
import * as Alert from "../../domain/Alert.ts"
import { Pair } from "../../domain/Market.ts"

/** The schema of such an alert: a `BotAlert` as plain data. */
export const DueAlert = Schema.Struct({
  id: Schema.Int,
  type: Alert.AlertType,
  pair: Pair,
  tp: Schema.optionalWith(Schema.Number, { exact: true }),
  sl: Schema.optionalWith(Schema.Number, { exact: true }),
  ...Alert.Extras.fields,
  foreign: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  at: Schema.Int
})
