// The lists of a strategy in requests and views, and their schemas in the settings: its listings and its steps.
import * as Schema from "effect/Schema"
import { ExchangeName, Pair } from "../Market.ts"
import { MAX_STEPS } from "../position/Ladder.ts"
import * as S from "../Strategy.ts"

const ListedPairs = Schema.Array(
  Pair.annotations({
    description: "a pair of the form BASE/QUOTE, in capitals",
    examples: [Pair.make("BTC/USDT")]
  })
)

/** An exchange of a strategy, in requests and views. */
export const ListingView = Schema.Struct({ exchange_name: ExchangeName, coin_pairs: ListedPairs })
export type ListingView = typeof ListingView.Type

/** The same, decoded into a listing of the settings; `exchange` is the schema of its exchange. */
const storedListing = (exchange: Schema.Schema<ExchangeName>) =>
  Schema.Struct({
    exchange: Schema.propertySignature(exchange).pipe(Schema.fromKey("exchange_name")),
    pairs: Schema.propertySignature(ListedPairs).pipe(Schema.fromKey("coin_pairs"))
  })

/** A list that is not empty. */
export const oneAtLeast = <A, I>(listing: Schema.Schema<A, I>) =>
  Schema.Array(listing).pipe(
    Schema.filter((listings) => (listings.length > 0 ? undefined : "must list at least one exchange"), {
      jsonSchema: { minItems: 1 }
    })
  )

/** The listings of a request, decoded into those of the settings. */
export const storedListings = (exchange: Schema.Schema<ExchangeName>) => oneAtLeast(storedListing(exchange))

/** A step of a strategy's own, in requests and views. */
const StepView = Schema.Struct({
  profit_percent: S.Threshold.annotations({ description: "percent of profit, after fees, of what is left" }),
  close_percent: S.Part.annotations({ description: "percent of all that was entered" })
})
const STEPS_SHAPE = { jsonSchema: { minItems: 1, maxItems: MAX_STEPS } }
/** The steps of a strategy, as views show them. */
export const StepsView = Schema.Array(StepView).annotations(STEPS_SHAPE)

/** The same as a request may have it, decoded into the steps of the settings. */
export const storedSteps = Schema.NullOr(
  Schema.Array(
    Schema.Struct({
      profitPercent: Schema.propertySignature(S.Profit).pipe(Schema.fromKey("profit_percent")),
      closePercent: Schema.propertySignature(S.Part).pipe(Schema.fromKey("close_percent"))
    })
  ).pipe(Schema.filter(S.stepsError, STEPS_SHAPE))
)
