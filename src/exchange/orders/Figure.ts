// A number from ccxt as an exact decimal: the exchange's own text, or a double that ccxt itself filled in.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"

/** The schema of such a number. */
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
