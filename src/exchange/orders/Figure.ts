import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"

/** A number as the library tells it: as the exchange's text, and where it put it in itself, as a number. */
export const Figure = Schema.transformOrFail(
  Schema.Union(Schema.String, Schema.JsonNumber),
  Schema.typeSchema(Decimal.Text),
  {
    strict: true,
    decode: (value, _, ast) =>
      Either.fromOption(
        typeof value === "number" ? Option.some(Decimal.fromNumber(value)) : Decimal.fromText(value),
        () => new ParseResult.Type(ast, value, "not a number")
      ),
    encode: (value) => Either.right(Decimal.toText(value))
  }
)
