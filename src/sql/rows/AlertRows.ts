// The rows of alerts.
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { Alert, Extras, extrasOf } from "../../domain/Alert.ts"
import * as Rows from "./Rows.ts"

/** A row. The optional fields of an alert are one column of JSON, null if it has none. */
const Row = Schema.Struct({
  ...Alert.omit(...Record.keys(Extras.fields)).fields,
  warnings: Schema.parseJson(Alert.fields.warnings),
  extras: Schema.NullOr(Schema.parseJson(Extras))
})

/** Reads alerts of `COLUMNS`. */
export const alerts = Rows.reader(
  Schema.transform(Row, Schema.typeSchema(Alert), {
    strict: true,
    decode: ({ extras, ...alert }) => (extras === null ? alert : { ...alert, ...extras }),
    encode: (alert) => ({ ...alert, extras: extrasOf(alert) })
  })
)

/** The columns of an alert. */
export const COLUMNS = `id, account, token, signal_id AS "signalId", coin, quote AS "quoteCurrency", type, tp, sl,
  received_at AS "receivedAt", repeats, warnings, extras`
