// The id of a signal, in a file of its own because alerts and signals both need it.
import * as Schema from "effect/Schema"

/** The id of a signal: an integer from 1, never reused. */
export const SignalId = Schema.Int.pipe(Schema.positive(), Schema.brand("SignalId"))
export type SignalId = typeof SignalId.Type
