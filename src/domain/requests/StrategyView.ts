// The one table of a strategy's fields: response name, request name, place in the settings, schema and description. All
// dialects, views and the reference are derived from it.
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { DisplayName } from "../directory/DisplayName.ts"
import { ExchangeName, QuoteCurrency } from "../Market.ts"
import { Performance } from "../Performance.ts"
import { SignalId } from "../Signal.ts"
import * as S from "../Strategy.ts"
import { StrategyId } from "../StrategyId.ts"
import { ListingView, oneAtLeast, StepsView, storedListings, storedSteps } from "./StrategyLists.ts"

/** The features that a switch turns on and off. */
export type Feature =
  | "trailingBuy"
  | "dca"
  | "trailingSell"
  | "stopLoss"
  | "balanceTakeProfit"
  | "balanceStopLoss"
  | "autoClose"

/**
 * One row of the table. `request` is the request's name if it differs from the response's; `path` is the place in
 * `Settings`. `takes` is the stricter schema of requests, if stored values may exceed it; `stored` decodes a request's
 * value into that of the settings, if they differ. `otherwise` says what holds where an optional field is left out.
 */
export interface Field {
  readonly role: "required" | "optional" | "flag" | "switch" | "value"
  readonly request?: string
  readonly path: readonly [string, string?]
  readonly feature?: Feature
  readonly takes?: Schema.Schema.AnyNoContext
  readonly stored?: Schema.Schema.AnyNoContext
  readonly otherwise?: string
}

const FieldId: unique symbol = Symbol.for("signalbox/domain/StrategyView/Field")

const field = <A, I>(schema: Schema.Schema<A, I>, of: Field, description: string): Schema.Schema<A, I> =>
  schema.annotations({ [FieldId]: of, description })
/** A setting with a value: its place in `Settings`, and its name in requests. */
interface Valued {
  readonly feature: Feature
  readonly key: string
  readonly request: string
}
const value = <A, I>(
  schema: Schema.Schema<A, I>,
  { feature, key, request }: Valued,
  words: string,
  takes: Schema.Schema<A, I> = schema
) => {
  const of = { role: "value", request, feature, path: [feature, key], takes: Schema.NullOr(takes) } as const
  return field(Schema.NullOr(schema), of, words)
}
const toggle = (feature: Feature, request: string, description: string) =>
  field(Schema.Boolean, { role: "switch", request, feature, path: [feature] }, description)

/** The full view of a strategy, which is the table. */
export const FullView = Schema.Struct({
  strategy_id: StrategyId.annotations({ description: "unique identifier" }),
  name: field(S.StrategyName, { role: "required", path: ["name"] }, "name"),
  description: field(
    S.StrategyDescription,
    { role: "required", path: ["description"] },
    "a note of its owner"
  ),
  active: field(Schema.Boolean, { role: "required", path: ["active"] }, "whether the bot opens positions"),
  public: field(Schema.Boolean, { role: "required", path: ["public"] }, "whether other users may read it"),
  display_name: field(
    Schema.NullOr(DisplayName),
    { role: "optional", path: ["displayName"], otherwise: "none" },
    "the name of its owner that the public directory shows; without one it is not listed there"
  ),
  default_quote_currency: field(
    QuoteCurrency,
    { role: "required", path: ["quote"] },
    "the currency that the bot's balance is counted in"
  ),
  default_exchange_name: field(
    ExchangeName,
    { role: "required", path: ["defaultExchange"] },
    "the exchange preferred where several list a pair; a request may write its name in any case"
  ),
  maker_fee: field(
    Schema.NullOr(S.Fee),
    { role: "optional", path: ["makerFeePercent"] },
    "percent paid by an order that rests, as a take profit does on paper (0.1 means 0.1 %); the exchange's own where left out"
  ),
  taker_fee: field(
    Schema.NullOr(S.Fee),
    { role: "optional", path: ["takerFeePercent"] },
    "percent paid by every other order, and reckoned with for all with real money (0.1 means 0.1 %); the exchange's own where left out"
  ),
  buy_percentage: field(
    S.Share,
    { role: "required", path: ["buyPercent"] },
    "percent of the strategy's equity that an entry buys for"
  ),
  min_profit_percent: field(
    Schema.NullOr(S.Threshold),
    {
      role: "optional",
      request: "sell_minprofitpercent",
      path: ["minProfitPercent"],
      takes: Schema.NullOr(S.Profit),
      otherwise: "none"
    },
    "percent of profit, after fees, that closes a position and that a closing alert has to reach"
  ),
  dca_enabled: toggle("dca", "strategy_dca_switch", "whether a falling position is bought into again"),
  dca_after_time: value(
    S.Wait,
    { feature: "dca", key: "waitMinutes", request: "dca_aftertime" },
    "minutes to wait after an entry fill"
  ),
  dca_max_retries: value(
    S.Retries,
    { feature: "dca", key: "maxRetries", request: "dca_maxretries" },
    "how many extra entries at most"
  ),
  dca_percentage_trigger: value(
    S.Distance,
    { feature: "dca", key: "triggerPercent", request: "dca_percentagetrigger" },
    "percent under the average price that triggers an extra entry"
  ),
  dca_order_size: value(
    S.OrderSize,
    { feature: "dca", key: "orderSizePercent", request: "dca_ordersize" },
    "size of an extra entry in percent of the position's cost"
  ),
  buy_trailing_enabled: toggle(
    "trailingBuy",
    "strategy_trailing_buy_switch",
    "whether an entry waits for a turn"
  ),
  buy_trailing_percent: value(
    S.Distance,
    { feature: "trailingBuy", key: "percent", request: "trailing_buy_percentage" },
    "percent above the lowest price since the alert that triggers the entry"
  ),
  sell_trailing_enabled: toggle(
    "trailingSell",
    "trailing_sell",
    "whether profits are let run behind a trail"
  ),
  sell_trailing_arm: value(
    S.Threshold,
    { feature: "trailingSell", key: "armPercent", request: "trailing_sell_arm" },
    "percent of profit that arms the trail",
    S.Profit
  ),
  sell_trailing_percent: value(
    S.Distance,
    { feature: "trailingSell", key: "percent", request: "trailing_sell_percentage" },
    "percent under the peak that closes the position"
  ),
  stop_loss_enabled: toggle("stopLoss", "stop_loss", "whether losses are cut"),
  stop_loss_percent: value(
    S.Distance,
    { feature: "stopLoss", key: "percent", request: "stop_loss_percentage" },
    "percent under the average price that closes the position"
  ),
  balance_takeprofit_enabled: toggle(
    "balanceTakeProfit",
    "balance_take_profit",
    "whether everything is closed when the balance has risen enough"
  ),
  balance_takeprofit_trigger: value(
    S.Threshold,
    { feature: "balanceTakeProfit", key: "triggerPercent", request: "balance_take_profit_trigger" },
    "percent above the baseline",
    S.Rise
  ),
  balance_takeprofit_cooldown: value(
    S.Wait,
    { feature: "balanceTakeProfit", key: "cooldownMinutes", request: "balance_take_profit_cooldown" },
    "minutes without entries afterwards"
  ),
  balance_stoploss_enabled: toggle(
    "balanceStopLoss",
    "balance_stop_loss",
    "whether everything is closed when the balance has fallen too far"
  ),
  balance_stoploss_trigger: value(
    S.Distance,
    { feature: "balanceStopLoss", key: "triggerPercent", request: "balance_stop_loss_trigger" },
    "percent under the baseline",
    S.Fall
  ),
  balance_stoploss_cooldown: value(
    S.Wait,
    { feature: "balanceStopLoss", key: "cooldownMinutes", request: "balance_stop_loss_cooldown" },
    "minutes without entries afterwards"
  ),
  auto_close_position_enabled: toggle(
    "autoClose",
    "auto_close_position_enabled",
    "whether a position is closed after a time"
  ),
  auto_close_position_value: value(
    S.Minutes,
    { feature: "autoClose", key: "minutes", request: "auto_close_position_value" },
    "minutes after the first entry fill"
  ),
  max_entries: field(
    Schema.NullOr(S.Entries),
    { role: "optional", path: ["maxEntries"], otherwise: "1" },
    "how many entries by alert a position may have; DCA entries do not count"
  ),
  on_opposite: field(
    Schema.NullOr(S.OnOpposite),
    { role: "optional", path: ["onOpposite"], otherwise: "ignore" },
    "what long does to a short that is open or waiting, and short to a long, where the alert does not say reverse: ignore, close or reverse"
  ),
  take_profit_steps: field(
    Schema.NullOr(StepsView),
    { role: "optional", path: ["takeProfitSteps"], stored: storedSteps, otherwise: "none" },
    "parts of a position that are sold at rising profits, in place of the automatic take profit"
  ),
  break_even_after: field(
    Schema.NullOr(S.Steps),
    { role: "optional", path: ["breakEvenAfter"], otherwise: "none" },
    "how many steps, or targets of an alert, are done before the stop moves to where closing the rest nets zero"
  ),
  risk_percent: field(
    Schema.NullOr(S.Part),
    { role: "optional", path: ["riskPercent"], otherwise: "none" },
    "percent of the strategy's equity that an entry loses where its stop is met, fees aside; an entry without a stop is ignored"
  ),
  signal_id: field(
    Schema.NullOr(SignalId),
    { role: "optional", path: ["signalId"], otherwise: "none" },
    "the signal whose alerts the bot acts on"
  ),
  signal_ignores_sell_min_profit_percent: field(
    Schema.Boolean,
    { role: "flag", path: ["signalIgnoresMinProfit"] },
    "whether a closing alert closes below the minimum profit too"
  ),
  exchanges: field(
    oneAtLeast(ListingView),
    { role: "required", path: ["exchanges"], stored: storedListings(ExchangeName) },
    "the markets that the bot trades; an update replaces the whole list"
  ),
  copied_from: Schema.NullOr(StrategyId).annotations({
    description: "the strategy that it was copied from; null where it was not"
  }),
  performance: Performance,
  created_at: Schema.Int.annotations({ description: "seconds since the Unix epoch" }),
  updated_at: Schema.Int.annotations({ description: "seconds since the Unix epoch" })
})
export type FullView = typeof FullView.Type

/** The answer to an update. */
export const UpdateView = FullView.pick(
  "strategy_id",
  "name",
  "description",
  "active",
  "public",
  "default_quote_currency",
  "buy_percentage",
  "min_profit_percent",
  "exchanges",
  "performance",
  "created_at",
  "updated_at"
)
export type UpdateView = typeof UpdateView.Type

/** The answer to a creation, and one item of the list. */
export const ListView = Schema.Struct({
  ...UpdateView.fields,
  ...FullView.pick("default_exchange_name", "maker_fee", "taker_fee").fields
})
export type ListView = typeof ListView.Type

/** A row with both names, and the schema of requests. */
export interface Row extends Field {
  readonly model: string
  readonly request: string
  readonly schema: Schema.Schema.AnyNoContext
  readonly description: string
}

const isField = (value: unknown): value is Field =>
  typeof value === "object" && value !== null && "role" in value

/** The rows of the settings, in the sequence of the view. */
export const rows: ReadonlyArray<Row> = Record.toEntries(FullView.fields).flatMap(([model, schema]) => {
  const of = schema.ast.annotations[FieldId]
  if (!isField(of)) return []
  const description = Option.getOrElse(AST.getDescriptionAnnotation(schema.ast), () => model)
  return [{ ...of, model, request: of.request ?? model, schema: of.takes ?? schema, description }]
})
