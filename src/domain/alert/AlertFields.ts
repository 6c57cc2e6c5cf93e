// The fields of an alert by the names of the API, as the reference documents them. Aliases and other leniencies are in
// AlertBody.
import * as Schema from "effect/Schema"
import { AlertType } from "../Alert.ts"
import { optional } from "../internal/Optional.ts"
import { MAX_STEPS } from "../position/Ladder.ts"
import { isPrice, MAX_AMOUNT } from "../requests/Bounds.ts"
import { SignalId } from "../Signal.ts"
import { Part, Share } from "../Strategy.ts"

/** An asset code: letters and digits, in any case on the wire, upper case inside. */
export const ASSET_CODE = /^[A-Za-z0-9]{1,20}$/

const code = (description: string, example: string) =>
  Schema.String.pipe(Schema.pattern(ASSET_CODE)).annotations({ description, examples: [example] })
const price = (description: string) =>
  Schema.Finite.pipe(Schema.filter(isPrice)).annotations({
    description,
    jsonSchema: { type: "number", exclusiveMinimum: 0, maximum: MAX_AMOUNT }
  })

const Step = Schema.Struct({
  price: price("in the direction of profit, each beyond the one before"),
  percent: Part.annotations({ description: "percent of the position that this target closes" })
})

/** The documented fields of the two alert operations. */
export const AlertFields = Schema.Struct({
  signal_id: SignalId.annotations({ description: "the signal that the alert belongs to" }),
  coin: code("base asset", "BTC"),
  quote_currency: code("quote asset", "USDT"),
  type: AlertType.annotations({
    description:
      "buy and sell act on spot; long, short, close_long and close_short on the perpetual. Where market_position is sent, the type follows from it"
  }),
  tp: optional(price("take-profit price: replaces the strategy's own exits")),
  sl: optional(price("stop-loss price: replaces the strategy's own stop loss")),
  tps: optional(
    Schema.Array(Step).annotations({
      description: `a ladder of 1 to ${MAX_STEPS} targets in place of tp, with buy, long and short; together they close at most 100 percent`,
      jsonSchema: { minItems: 1, maxItems: MAX_STEPS }
    })
  ),
  close_percent: optional(
    Part.annotations({
      description:
        "with sell, close_long and close_short: closes this part of what is held now; all without it"
    })
  ),
  reverse: optional(
    Schema.Boolean.annotations({
      description:
        "with long and short: a position of the other side is closed first, or its waiting entry cancelled; false forbids what the strategy's on_opposite would do"
    })
  ),
  buy_percentage: optional(
    Share.annotations({
      description:
        "with buy, long and short: in place of the strategy's own, for strategies of the signal's owner"
    })
  ),
  test: optional(
    Schema.Boolean.annotations({
      description: "only tells what every strategy would do: nothing is stored, ordered or changed"
    })
  ),
  id: optional(
    Schema.String.annotations({
      description: "names this alert among its signal's: sent again within 24 hours, it is the same alert"
    })
  )
})
export type AlertFields = typeof AlertFields.Type
