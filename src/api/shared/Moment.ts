// Times on the wire are whole seconds since the Unix epoch.
import * as Schema from "effect/Schema"

/** A time field, with a description. */
export const moment = (description: string) =>
  Schema.Int.annotations({ description: `${description}, seconds since the Unix epoch` })
