// A rule as it is written: in requests, in files and in the database alike.
import * as Schema from "effect/Schema"
import { AlertType } from "../Alert.ts"
import { TIMEFRAMES } from "../candles/Timeframe.ts"
import { optional } from "../internal/Optional.ts"
import { ExchangeName, MarketKind, Pair } from "../Market.ts"
import type { RuleEntry } from "./RuleEntry.ts"
import type { FullRule } from "./SignalRule.ts"
import { witnessFields, witnessOf } from "./Witness.ts"

const about = (description: string) => ({ description })

const Amount = Schema.Union(Schema.Finite, Schema.String).annotations(
  about("a number, or an expression that gives one at the candle of the alert")
)

const stepFields = { price: Amount, percent: Schema.Finite }
const entryFields = {
  type: AlertType,
  when: Schema.String.annotations(about("a condition on candles")),
  tp: optional(Amount),
  sl: optional(Amount),
  tps: optional(Schema.Array(Schema.Struct(stepFields))),
  close_percent: optional(Amount),
  reverse: optional(Schema.Boolean),
  buy_percentage: optional(Amount)
}
const marketFields = { exchange: ExchangeName, kind: optional(MarketKind), pairs: Schema.Array(Pair) }
const scheduleFields = {
  type: AlertType,
  cron: Schema.String.annotations(about("minute, hour, day of month, month, day of week")),
  timezone: Schema.String.annotations(about("such as UTC or Europe/Berlin"))
}
const documentFields = {
  markets: Schema.Array(Schema.Struct(marketFields)),
  timeframe: Schema.Literal(...TIMEFRAMES),
  params: optional(Schema.Record({ key: Schema.String, value: Schema.Finite })),
  on: Schema.Array(Schema.Struct(entryFields)),
  schedule: optional(Schema.Array(Schema.Struct(scheduleFields))),
  ...witnessFields
}

/** The schema of a rule as it is written. */
export interface RuleDocumentSchema extends Schema.Struct<typeof documentFields> {}
/** A rule as it is written. `RuleReading.read` checks what no schema can: expressions, bounds, time zones. */
export const RuleDocument: RuleDocumentSchema = Schema.Struct(documentFields).annotations({
  identifier: "SignalRule",
  description: "Conditions on candles, each with the alert that it raises.",
  arbitrary: () => (fc) => fc.constantFrom<RuleDocument>(...SAMPLES)
})
export type RuleDocument = typeof RuleDocument.Type

/** Small rules, for properties over records that have one. */
const SAMPLES: ReadonlyArray<RuleDocument> = ["close > open", "rsi(close, n) < 30"].map((when) => ({
  markets: [{ exchange: "binance", kind: "spot", pairs: [Pair.make("BTC/USDT")] }],
  timeframe: "1h",
  params: { n: 14 },
  on: [{ type: "buy", when, sl: "close - 2 * atr(14)" }],
  schedule: []
}))

/** The fields of each of its objects, to name one that is misspelt. */
export const FIELDS = {
  rule: Object.keys(documentFields),
  market: Object.keys(marketFields),
  entry: Object.keys(entryFields),
  step: Object.keys(stepFields),
  schedule: Object.keys(scheduleFields)
} as const

/** The rule of a document. */
export const ruleOf = ({
  markets,
  on,
  params = {},
  schedule = [],
  timeframe,
  ...fields
}: RuleDocument): FullRule => ({
  markets: markets.flatMap(({ exchange, kind = "spot", pairs }) =>
    pairs.map((pair) => ({ exchange, kind, pair }))
  ),
  timeframe,
  params,
  on: on.map(entryOf),
  schedule,
  ...withWitness(witnessOf(fields))
})

const withWitness = (witness: FullRule["witness"]) => (witness === undefined ? {} : { witness })

const entryOf = ({ buy_percentage, close_percent, ...entry }: RuleDocument["on"][number]): RuleEntry => ({
  ...entry,
  ...(close_percent === undefined ? {} : { closePercent: close_percent }),
  ...(buy_percentage === undefined ? {} : { buyPercentage: buy_percentage })
})
