// A field that may be absent. It is never undefined: stored states have no such value.
import * as Schema from "effect/Schema"

/** The field of a schema, absent or with a value. Types of it keep the schema's name. */
export const optional = <S extends Schema.Schema.AnyNoContext>(schema: S) =>
  Schema.optionalWith(schema, { exact: true })
