import * as Schema from "effect/Schema"

/** A time on the wire: whole seconds. */
export const moment = (description: string) =>
  Schema.Int.annotations({ description: `${description}, seconds since the Unix epoch` })
