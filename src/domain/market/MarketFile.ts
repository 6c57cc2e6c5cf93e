// A market as a file for back-tests, in the format of `market show --json`.
import * as Schema from "effect/Schema"
import * as Decimal from "../Decimal.ts"
import { optional } from "../internal/Optional.ts"
import type { Market, MarketId } from "../Market.ts"
import { MAX_AMOUNT } from "../requests/Bounds.ts"

const Amount = Schema.NonNegative.pipe(Schema.lessThanOrEqualTo(MAX_AMOUNT))
const Step = Schema.Positive.pipe(Schema.lessThanOrEqualTo(MAX_AMOUNT))

/** The file: steps and minimums as numbers, fees in percent. */
export const MarketFile = Schema.Struct({
  price_step: Step,
  amount_step: Step,
  min_amount: optional(Amount),
  min_cost: optional(Amount),
  maker_fee: optional(Schema.Number.pipe(Schema.between(0, 10))),
  taker_fee: optional(Schema.Number.pipe(Schema.between(0, 10))),
  active: optional(Schema.Boolean),
  buy_enabled: optional(Schema.Boolean)
})
export type MarketFile = typeof MarketFile.Type

/** The market that the file describes, for the given id; the file names none. */
export const marketOf = (file: MarketFile, id: MarketId): Market => ({
  exchange: id.exchange,
  pair: id.pair,
  kind: id.kind,
  active: file.active ?? true,
  buyEnabled: file.buy_enabled ?? true,
  priceStep: Decimal.fromNumber(file.price_step),
  amountStep: Decimal.fromNumber(file.amount_step),
  minAmount: Decimal.fromNumber(file.min_amount ?? 0),
  minCost: Decimal.fromNumber(file.min_cost ?? 0)
})
