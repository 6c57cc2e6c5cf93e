// How fills of paper trading and of back-tests are made nearer to those of a real exchange. Without a model an order
// fills whole, at once, at the price of its decision.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { optional } from "../internal/Optional.ts"
import {
  isLatency,
  isOn,
  isPercent,
  isTicks,
  LATENCY_WORDS,
  PERCENT_WORDS,
  rounded,
  TICKS_WORDS
} from "./FillWords.ts"

const bounded = (accepts: (value: number) => boolean, words: string, description: string) =>
  optional(Schema.Finite.pipe(Schema.filter((value) => accepts(value) || words))).annotations({ description })

/** The model on the wire; a field that is absent, 0 or false is off. */
export const FillModelDocument = Schema.Struct({
  slippage_percent: bounded(
    isPercent,
    PERCENT_WORDS,
    "how much worse than its price a market order fills, in percent of the price"
  ),
  slippage_ticks: bounded(
    isTicks,
    TICKS_WORDS,
    "the same in steps of the market's price, in place of a percentage"
  ),
  spread_percent: bounded(
    isPercent,
    PERCENT_WORDS,
    "the spread between bid and ask in percent of the price: half of it counts against each market order"
  ),
  spread: optional(Schema.Literal("recorded")).annotations({
    description: "the spread of each minute as the server recorded it, in place of a percentage"
  }),
  latency_ms: bounded(
    isLatency,
    LATENCY_WORDS,
    "how much later a market order fills, in ms, at the price of then"
  ),
  limits: optional(Schema.Literal("touched", "through")).annotations({
    description:
      "when a resting limit order fills: once the price touches it, or only once the price is one step beyond it"
  }),
  funding: optional(Schema.Boolean).annotations({
    description: "whether perpetuals pay and receive funding, at the recorded rates"
  })
})
export type FillModelDocument = typeof FillModelDocument.Type

/**
 * What is nearer to life: at least one field, and slippage in one unit only. `slippagePercent` and `spreadPercent` are
 * percentages of the price, `slippageTicks` steps of the market's price, `latencyMs` ms. `spread`: that of each minute as
 * recorded, in back-tests. `limits`: a resting limit order fills only where the price goes through it. `funding`: perpetuals
 * pay and receive it, in back-tests.
 */
export interface FillModel {
  readonly slippagePercent?: number
  readonly slippageTicks?: number
  readonly spreadPercent?: number
  readonly spread?: "recorded"
  readonly latencyMs?: number
  readonly limits?: "through"
  readonly funding?: true
}

/** A document that contradicts itself: the field, and what is wrong with it. */
export interface Contradiction {
  readonly field: "slippage_percent" | "spread_percent"
  readonly text: string
}

/** The model of a document, none if everything in it is off. */
export const ofDocument = (
  document: FillModelDocument
): Either.Either<FillModel | undefined, Contradiction> => {
  const { funding, latency_ms, limits, slippage_ticks, spread } = document
  const slippage_percent = rounded(document.slippage_percent ?? 0)
  const spread_percent = rounded(document.spread_percent ?? 0)
  if (isOn(slippage_percent) && isOn(slippage_ticks))
    return twice("slippage_percent", "slippage is given in percent and in ticks")
  if (isOn(spread_percent) && spread !== undefined)
    return twice("spread_percent", "the spread is given in percent and as recorded")
  const model: FillModel = {
    ...(isOn(slippage_percent) ? { slippagePercent: slippage_percent } : {}),
    ...(isOn(slippage_ticks) ? { slippageTicks: slippage_ticks } : {}),
    ...(isOn(spread_percent) ? { spreadPercent: spread_percent } : {}),
    ...(spread === undefined ? {} : { spread }),
    ...(isOn(latency_ms) ? { latencyMs: latency_ms } : {}),
    ...(limits === "through" ? { limits } : {}),
    ...(funding === true ? { funding } : {})
  }
  return Either.right(Object.keys(model).length === 0 ? undefined : model)
}

const twice = (field: Contradiction["field"], text: string) =>
  Either.left({ field, text: `${text}: give one of the two` })

/** The document of a model: only what is on. */
export const documentOf = (model: FillModel): FillModelDocument => {
  const { funding, latencyMs, limits, slippagePercent, slippageTicks, spread, spreadPercent } = model
  return {
    ...(slippagePercent === undefined ? {} : { slippage_percent: slippagePercent }),
    ...(slippageTicks === undefined ? {} : { slippage_ticks: slippageTicks }),
    ...(spreadPercent === undefined ? {} : { spread_percent: spreadPercent }),
    ...(spread === undefined ? {} : { spread }),
    ...(latencyMs === undefined ? {} : { latency_ms: latencyMs }),
    ...(limits === undefined ? {} : { limits }),
    ...(funding === undefined ? {} : { funding })
  }
}
