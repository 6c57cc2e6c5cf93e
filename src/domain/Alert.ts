// An alert: the instruction to buy or sell that a caller sent, stored in the journal before it is answered. Every
// following strategy records exactly one outcome for it, with a reason from the lists here.
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AccountId, TokenId } from "./Account.ts"
import { optional } from "./internal/Optional.ts"
import { SignalId } from "./internal/SignalId.ts"
import { TargetStep } from "./position/Ladder.ts"
import { StrategyId } from "./StrategyId.ts"

/** The id of an alert: its number in the journal. */
export const AlertId = Schema.Int.pipe(Schema.positive(), Schema.brand("AlertId"))
export type AlertId = typeof AlertId.Type

/** The alert types, in the words of the API. */
export const ALERT_TYPES = ["buy", "sell", "long", "short", "close_long", "close_short"] as const
/** `buy` and `sell` act on spot; the others on the pair's linear perpetual. */
export const AlertType = Schema.Literal(...ALERT_TYPES)
export type AlertType = typeof AlertType.Type

const chartPositionFields = {
  side: Schema.Literal("long", "short", "flat"),
  size: optional(Schema.Finite)
}
/** The schema of a chart's position. */
export interface ChartPositionSchema extends Schema.Struct<typeof chartPositionFields> {}
/** The position of a chart's strategy in a message. `size` is in units of the chart; absent if the message has none. */
export const ChartPosition: ChartPositionSchema = Schema.Struct(chartPositionFields)
export type ChartPosition = typeof ChartPosition.Type

const chartChangeFields = { before: optional(ChartPosition), after: ChartPosition }
/** The schema of a change of a chart's position. */
export interface ChartChangeSchema extends Schema.Struct<typeof chartChangeFields> {}
/** A chart's position before an order and after it. `before` is absent if the message does not have it. */
export const ChartChange: ChartChangeSchema = Schema.Struct(chartChangeFields)
export type ChartChange = typeof ChartChange.Type

const extraFields = {
  closePercent: optional(Schema.Finite),
  reverse: optional(Schema.Boolean),
  tps: optional(Schema.Array(TargetStep)),
  buyPercentage: optional(Schema.Finite),
  growth: optional(Schema.Finite),
  eitherSide: optional(Schema.Literal(true)),
  stated: optional(ChartChange)
}
/** The schema of the optional fields of an alert. */
export interface ExtrasSchema extends Schema.Struct<typeof extraFields> {}
/**
 * The optional fields of an alert besides tp and sl. Alerts of older versions have none of them.
 *
 * `closePercent` is the part of the present quantity that a closing alert closes, in percent. `reverse`: an entry first
 * closes the other side (`false` forbids what the strategy's settings would do). `tps` is a ladder of targets.
 * `buyPercentage` replaces the strategy's own for this entry. Only messages of charts have the rest. `growth` is the share
 * of the slot's quantity by which the position grows: 0.5 adds half of it. `eitherSide`: a closing alert closes the side
 * that is held. `stated` is the change of the chart's position.
 */
export const Extras: ExtrasSchema = Schema.Struct(extraFields)
export type Extras = typeof Extras.Type

const EXTRAS = Object.keys(extraFields)

/** Whether an alert has any of the optional fields. */
export const hasExtras = (of: object): boolean => EXTRAS.some((name) => name in of)

/** The optional fields of an alert, without its other fields. */
export const extrasOf = (of: Extras): Extras => {
  if (!hasExtras(of)) return NO_EXTRAS
  const { buyPercentage, closePercent, eitherSide, growth, reverse, stated, tps } = of
  return {
    ...(closePercent === undefined ? {} : { closePercent }),
    ...(reverse === undefined ? {} : { reverse }),
    ...(tps === undefined ? {} : { tps }),
    ...(buyPercentage === undefined ? {} : { buyPercentage }),
    ...(growth === undefined ? {} : { growth }),
    ...(eitherSide === undefined ? {} : { eitherSide }),
    ...(stated === undefined ? {} : { stated })
  }
}

const NO_EXTRAS: Extras = {}

/** An alert's instruction, the same for every format. Codes are upper case; tp and sl are prices in quote. */
export const Instruction = Schema.Struct({
  signalId: SignalId,
  coin: Schema.String,
  quoteCurrency: Schema.String,
  type: AlertType,
  tp: Schema.OptionFromNullOr(Schema.Number),
  sl: Schema.OptionFromNullOr(Schema.Number),
  ...extraFields
})
export type Instruction = typeof Instruction.Type

/** An instruction whose targets may be absent. */
export interface PlainInstruction extends Extras {
  readonly signalId: SignalId
  readonly coin: string
  readonly quoteCurrency: string
  readonly type: AlertType
  readonly tp?: number | undefined
  readonly sl?: number | undefined
}

/**
 * Builds an instruction from plain values, for code that sends alerts.
 *
 * @example
 * ```ts
 * import { instruction } from "signalbox/domain/Alert"
 * import { SignalId } from "signalbox/domain/Signal"
 *
 * const alert = instruction({
 *   signalId: SignalId.make(1),
 *   coin: "BTC",
 *   quoteCurrency: "USDT",
 *   type: "buy",
 *   tp: 65_000
 * })
 * ```
 */
export const instruction = ({ sl, tp, ...plain }: PlainInstruction): Instruction => ({
  ...plain,
  tp: Option.fromNullable(tp),
  sl: Option.fromNullable(sl)
})

/** A stored alert. `receivedAt` in ms since the epoch; `repeats` counts how often it was sent again. */
export const Alert = Schema.Struct({
  id: AlertId,
  account: AccountId,
  token: TokenId,
  ...Instruction.fields,
  receivedAt: Schema.Int,
  repeats: Schema.Int,
  warnings: Schema.Array(Schema.String)
})
export type Alert = typeof Alert.Type

/** Whether the type opens a position; the others close one. */
export const isEntry = (type: AlertType): boolean => type === "buy" || type === "long" || type === "short"

/** The reasons of alerts that changed something. */
export const ACTED = [
  "opened",
  "added",
  "turned",
  "reduced",
  "trailing_buy_armed",
  "entry_cancelled",
  "closed",
  "targets_updated"
] as const
/** The reasons of alerts that a strategy ignored. */
export const IGNORED = [
  "already_open",
  "pending_entry",
  "no_position",
  "opposite_position",
  "below_min_profit",
  "pair_not_listed",
  "quote_not_default",
  "bad_target",
  "market_closed_for_buying",
  "below_min_notional",
  "insufficient_balance",
  "cooldown",
  "strategy_inactive",
  "stale",
  "zero_buy_percentage",
  "no_stop",
  "perpetual_in_use",
  "no_price",
  "halted",
  "disarming",
  "daily_loss",
  "over_max_order",
  "vetoed",
  "astray",
  "set_aside",
  "pending_exit",
  "too_many"
] as const
/** Why a strategy acted on an alert or ignored it. */
export const Reason = Schema.Literal(...ACTED, ...IGNORED)
export type Reason = typeof Reason.Type
/** Why a strategy ignored an alert. */
export type IgnoredReason = (typeof IGNORED)[number]

const isActed = Schema.is(Schema.Literal(...ACTED))
/** Whether the reason is one of `ACTED`. */
export const outcomeOf = (reason: Reason): "acted" | "ignored" => (isActed(reason) ? "acted" : "ignored")

/** The numbers behind a reason, by name; times are in ms since the epoch, money in the strategy's currency. */
export const ReasonFacts = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Schema.Number, Schema.String)
})
export type ReasonFacts = typeof ReasonFacts.Type

/**
 * The outcome of one alert for one following strategy. `at` in ms since the epoch. `facts` are the numbers that decided,
 * absent where none did, and in outcomes of older versions.
 */
export const Outcome = Schema.Struct({
  alertId: AlertId,
  strategyId: StrategyId,
  account: AccountId,
  reason: Reason,
  at: Schema.Int,
  facts: optional(ReasonFacts)
})
export type Outcome = typeof Outcome.Type

/** No alert has this id, or it belongs to another account; the answer is the same. */
export class AlertNotFound extends Schema.TaggedError<AlertNotFound>()("AlertNotFound", {}) {
  override get message() {
    return "there is no such alert"
  }
}

/** The request holds no alert; `text` says what the sender must change. */
export class AlertUnreadable extends Schema.TaggedError<AlertUnreadable>()("AlertUnreadable", {
  text: Schema.String,
  /** The sender left a placeholder of its template unfilled. */
  isUnfilled: Schema.Boolean
}) {
  override get message() {
    return this.text
  }
}
