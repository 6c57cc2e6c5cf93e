// Why a rule raised an alert: which rule, at which candle, and the values that decided. It is stored as the text of the
// alert, where one from outside has its body.
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { TIMEFRAMES } from "../candles/Timeframe.ts"
import { lazily } from "../internal/Lazily.ts"
import { ExchangeName, MarketKind, Pair } from "../Market.ts"

const valueFields = { text: Schema.String, value: Schema.NullOr(Schema.Finite) }
const fields = {
  version: Schema.Int,
  by: Schema.String,
  exchange: ExchangeName,
  kind: MarketKind,
  pair: Pair,
  timeframe: Schema.Literal(...TIMEFRAMES),
  at: Schema.Int,
  close: Schema.NullOr(Schema.Finite),
  values: Schema.Array(Schema.Struct(valueFields))
}

/** The schema of the origin. */
export interface RuleOriginSchema extends Schema.Struct<typeof fields> {}
/**
 * Where an alert of a rule comes from. `version` is the rule's, `by` its entry, such as `on[0]` or `schedule[0]`, and the
 * market the one whose candles it looked at. `at` is the close of the candle (ms), and `close` its closing price; null for
 * an alert of a schedule. `values` are the parts of the condition as they are written, null where one had no value.
 */
export const RuleOrigin: RuleOriginSchema = Schema.Struct(fields)
export type RuleOrigin = typeof RuleOrigin.Type

/** The most values of an alert, and the most characters of a part's text. */
export const MAX_VALUES = 40
export const MAX_VALUE_CHARACTERS = 200

const text = Schema.parseJson(RuleOrigin)
const encode = lazily(() => Schema.encodeSync(text))
const decode = lazily(() => Schema.decodeUnknownOption(text))

/** The text of an origin, with at most `MAX_VALUES` values. */
export const textOf = ({ values, ...origin }: RuleOrigin): string =>
  encode({
    ...origin,
    values: values
      .slice(0, MAX_VALUES)
      .map(({ text, value }) => ({ text: text.slice(0, MAX_VALUE_CHARACTERS), value }))
  })

/** The origin of a text; none where it is none. */
export const originOf = (text: string): Option.Option<RuleOrigin> => decode(text)
