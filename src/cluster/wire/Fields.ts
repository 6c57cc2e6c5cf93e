// Fields that messages between nodes share.
import * as Schema from "effect/Schema"
import { marketFields } from "../../domain/Order.ts"

/** A field that may be undefined: null on the wire. */
export const orUndefined = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.transform(Schema.NullOr(schema), Schema.UndefinedOr(Schema.typeSchema(schema)), {
    strict: true,
    decode: (value) => value ?? undefined,
    encode: (value) => value ?? null
  })

/** A market by exchange, pair and kind. */
export const Market = Schema.Struct(marketFields)
