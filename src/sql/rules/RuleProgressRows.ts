// The rows of how far rules were looked at.
import * as Schema from "effect/Schema"
import { SignalId } from "../../domain/Signal.ts"
import * as Rows from "../rows/Rows.ts"

/** Reads rows of `COLUMNS`. */
export const progress = Rows.reader(
  Schema.Struct({
    signal: SignalId,
    version: Schema.Int,
    place: Schema.String,
    lookedAt: Schema.Int
  })
)

/** The columns of a row. */
export const COLUMNS = `signal_id AS signal, version, place, looked_at AS "lookedAt"`
