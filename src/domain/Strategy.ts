// A strategy: the settings of a trading bot and their owner. Optional features are groups that are absent while off.
// Stored settings may exceed the bounds of requests, because bounds came later.
import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"
import { DisplayName } from "./directory/DisplayName.ts"
import { optional } from "./internal/Optional.ts"
import * as Text from "./internal/Text.ts"
import { ExchangeName, Pair, QuoteCurrency } from "./Market.ts"
import { countError, MAX_STEPS, percentsError } from "./position/Ladder.ts"
import { SignalId } from "./Signal.ts"
import { StrategyId } from "./StrategyId.ts"

/** The longest name, in code points. */
export const STRATEGY_NAME_MAX = 255
/** The longest description, in code points. */
export const STRATEGY_DESCRIPTION_MAX = 500
/** The default for the most pairs of a strategy, over all its exchanges. */
export const MAX_PAIRS = 200

const number = (error: (value: number) => string | undefined, jsonSchema: object) =>
  Schema.Finite.pipe(Schema.filter(error, { jsonSchema }))

/** A distance from a price in percent: above 0 and below 100. */
export const Distance = number(
  (value) => (value > 0 && value < 100 ? undefined : "must be above 0 and below 100"),
  {
    exclusiveMinimum: 0,
    exclusiveMaximum: 100
  }
)
/** A percentage above 0, as stored settings may hold it; requests must keep `Profit` or `Rise`. */
export const Threshold = number((value) => (value > 0 ? undefined : "must be above 0"), {
  exclusiveMinimum: 0
})
/** The largest profit or rise in a request, in percent. */
const MAX_PROFIT = 1_000_000
/** The smallest trigger of a balance rule in a request, in percent. */
const LEAST_TRIGGER = 0.01
/** A profit in a request, in percent: above 0, at most a million. */
export const Profit = number(
  (value) => (value > 0 && value <= MAX_PROFIT ? undefined : `must be above 0 and at most ${MAX_PROFIT}`),
  { exclusiveMinimum: 0, maximum: MAX_PROFIT }
)
/** A rise of the balance in a request, in percent: from 0.01 to a million. */
export const Rise = number(
  (value) =>
    value >= LEAST_TRIGGER && value <= MAX_PROFIT
      ? undefined
      : `must be from ${LEAST_TRIGGER} to ${MAX_PROFIT}`,
  { minimum: LEAST_TRIGGER, maximum: MAX_PROFIT }
)
/** A fall of the balance in a request, in percent: from 0.01 to below 100. */
export const Fall = number(
  (value) =>
    value >= LEAST_TRIGGER && value < 100 ? undefined : `must be at least ${LEAST_TRIGGER} and below 100`,
  { minimum: LEAST_TRIGGER, exclusiveMaximum: 100 }
)
/** A share in percent: from 0 to 100. */
export const Share = number((value) => (value >= 0 && value <= 100 ? undefined : "must be from 0 to 100"), {
  minimum: 0,
  maximum: 100
})
/** A part in percent: above 0, at most 100. */
export const Part = number(
  (value) => (value > 0 && value <= 100 ? undefined : "must be above 0 and at most 100"),
  { exclusiveMinimum: 0, maximum: 100 }
)
/** An order size in percent: above 0, at most 1000. */
export const OrderSize = number(
  (value) => (value > 0 && value <= 1000 ? undefined : "must be above 0 and at most 1000"),
  {
    exclusiveMinimum: 0,
    maximum: 1000
  }
)
/** A fee in percent: from 0 to 10; 0.1 means 0.1 %. */
export const Fee = number((value) => (value >= 0 && value <= 10 ? undefined : "must be from 0 to 10"), {
  minimum: 0,
  maximum: 10
})

const whole = (least: number, most: number) =>
  Schema.Int.pipe(
    Schema.filter(
      (value) => (value >= least && value <= most ? undefined : `must be from ${least} to ${most}`),
      {
        jsonSchema: { minimum: least, maximum: most }
      }
    )
  )
/** A duration in minutes, from one to a year. */
export const Minutes = whole(1, 525_600)
/** A wait in minutes, from zero to a year. */
export const Wait = whole(0, 525_600)
/** A number of retries: 1 to 200. */
export const Retries = whole(1, 200)
/** A number of entries by alert that a position may have: 1 to 50. */
export const Entries = whole(1, 50)
/** A number of steps: 1 to `MAX_STEPS`. */
export const Steps = whole(1, MAX_STEPS)
/** What `long` does to an open or waiting short, and `short` to a long. */
export const OnOpposite = Schema.Literal("ignore", "close", "reverse")
export type OnOpposite = typeof OnOpposite.Type

/** Text of 1 to `STRATEGY_NAME_MAX` code points. */
export const StrategyName = Text.bounded(STRATEGY_NAME_MAX, { empty: false })
/** Text of at most `STRATEGY_DESCRIPTION_MAX` code points; may be empty. */
export const StrategyDescription = Text.bounded(STRATEGY_DESCRIPTION_MAX, { empty: true })

const listingFields = { exchange: ExchangeName, pairs: Schema.Array(Pair) }
/** The schema of a listing. */
export interface ListingSchema extends Schema.Struct<typeof listingFields> {}
/** The markets of a strategy: the spot markets of these pairs, and their perpetuals for futures alerts. */
export const Listing: ListingSchema = Schema.Struct(listingFields)
export type Listing = typeof Listing.Type

const dcaFields = {
  waitMinutes: Wait,
  maxRetries: Retries,
  triggerPercent: Distance,
  orderSizePercent: OrderSize
}
/** The schema of buying into a falling position again. */
export interface DcaSchema extends Schema.Struct<typeof dcaFields> {}
/** How a falling position is bought into again. */
export const Dca: DcaSchema = Schema.Struct(dcaFields)
export type Dca = typeof Dca.Type

const profitStepFields = { profitPercent: Threshold, closePercent: Part }
/** The schema of a step of a strategy's own. */
export interface ProfitStepSchema extends Schema.Struct<typeof profitStepFields> {}
/** A step of a strategy's own: at this profit, that percentage of all that was entered is closed. */
export const ProfitStep: ProfitStepSchema = Schema.Struct(profitStepFields)
export type ProfitStep = typeof ProfitStep.Type

/** What is wrong with steps taken together; undefined if nothing is. */
export const stepsError = (steps: ReadonlyArray<ProfitStep>): string | undefined => {
  const miscount = countError(steps)
  if (miscount !== undefined) return miscount
  const late = steps.findIndex(
    ({ profitPercent }, index) => profitPercent <= (steps[index - 1]?.profitPercent ?? 0)
  )
  if (late > 0) return `[${late}].profit_percent must be above that of the step before`
  return percentsError(steps.map(({ closePercent }) => closePercent))
}

/** How a bot follows a chart: entries added, positions turned, parts sold. */
const followingFields = {
  maxEntries: optional(Entries),
  onOpposite: optional(OnOpposite),
  takeProfitSteps: optional(Schema.Array(ProfitStep).pipe(Schema.minItems(1), Schema.maxItems(MAX_STEPS))),
  breakEvenAfter: optional(Steps),
  riskPercent: optional(Part)
}
const ownFields = {
  name: StrategyName,
  description: StrategyDescription,
  active: Schema.Boolean,
  public: Schema.Boolean,
  displayName: optional(DisplayName),
  quote: QuoteCurrency,
  defaultExchange: ExchangeName,
  makerFeePercent: optional(Fee),
  takerFeePercent: optional(Fee),
  buyPercent: Share,
  minProfitPercent: optional(Threshold),
  trailingBuy: optional(Schema.Struct({ percent: Distance })),
  dca: optional(Dca),
  trailingSell: optional(Schema.Struct({ armPercent: Threshold, percent: Distance })),
  stopLoss: optional(Schema.Struct({ percent: Distance })),
  balanceTakeProfit: optional(Schema.Struct({ triggerPercent: Threshold, cooldownMinutes: Wait })),
  balanceStopLoss: optional(Schema.Struct({ triggerPercent: Distance, cooldownMinutes: Wait })),
  autoClose: optional(Schema.Struct({ minutes: Minutes })),
  signalId: optional(SignalId),
  signalIgnoresMinProfit: Schema.Boolean,
  exchanges: Schema.Array(Listing)
}
const settingsFields: typeof ownFields & typeof followingFields = { ...ownFields, ...followingFields }
/** The schema of settings. */
export interface SettingsSchema extends Schema.Struct<typeof settingsFields> {}
/**
 * The settings of a bot as stored, including values that requests may no longer contain. A feature that is off is
 * absent. Percentages as people write them (5 means 5 %), durations in minutes.
 */
export const Settings: SettingsSchema = Schema.Struct(settingsFields)
export type Settings = typeof Settings.Type

/** The most past settings that are kept of a strategy; older ones are forgotten. */
export const MAX_PAST_SETTINGS = 500

/** Settings that others replaced at a time (ms since the epoch). */
export interface PastSettings {
  readonly settings: Settings
  readonly until: number
}

const strategyFields = {
  id: StrategyId,
  account: AccountId,
  settings: Settings,
  copiedFrom: optional(StrategyId),
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
  revision: Schema.Int
}
/** The schema of a strategy. */
export interface StrategySchema extends Schema.Struct<typeof strategyFields> {}
/**
 * A strategy and its owner. `copiedFrom` is the strategy that it was made of, which may be gone. Times in whole seconds since the Unix epoch. `revision` rises by one with each change,
 * since several changes may share a second.
 */
export const Strategy: StrategySchema = Schema.Struct(strategyFields)
export type Strategy = typeof Strategy.Type

/** A strategy's id with its owner, which tells the partition of its bot. */
export interface OwnedStrategy extends Pick<Strategy, "account" | "id"> {}

/** No strategy has this id, or it is another account's private one; the answer is the same. */
export class StrategyNotFound extends Schema.TaggedError<StrategyNotFound>()("StrategyNotFound", {}) {
  override get message() {
    return "there is no such strategy"
  }
}

/** The strategy has changed since it was read, or is gone; or the name of a new one is taken. Nothing was changed. */
export class StrategyChanged extends Schema.TaggedError<StrategyChanged>()("StrategyChanged", {}) {
  override get message() {
    return "strategies have changed meanwhile: try again"
  }
}

/**
 * The bot cannot take over new settings as it stands; nothing was changed. `index` is the place of the change among those
 * that were to be made together, `errors` has texts by field.
 */
export class SettingsRefused extends Schema.TaggedError<SettingsRefused>()("SettingsRefused", {
  index: Schema.Int,
  errors: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })
}) {
  override get message() {
    return Object.entries(this.errors)
      .flatMap(([field, texts]) => texts.map((text) => `${field} ${text}`))
      .join("; ")
  }
}

/** The bot has an order at the exchange, or could not be closed. `isLive`: with real money. */
export class StrategyBusy extends Schema.TaggedError<StrategyBusy>()("StrategyBusy", {
  isLive: Schema.optionalWith(Schema.Boolean, { default: () => false })
}) {
  override get message() {
    return this.isLive
      ? "this strategy trades with real money: disarm it first, and try again when it is on paper"
      : "this strategy still holds positions or has an order at the exchange: try again when all is closed"
  }
}

/** Alerts arrived while the strategy was being deleted and must be judged first; nothing was deleted. */
export class AlertsUnjudged extends Schema.TaggedError<AlertsUnjudged>()("AlertsUnjudged", {}) {
  override get message() {
    return "alerts for this strategy have not been decided yet: try again"
  }
}

/** The account already has `limit` strategies. */
export class TooManyStrategies extends Schema.TaggedError<TooManyStrategies>()("TooManyStrategies", {
  limit: Schema.Int
}) {
  override get message() {
    return `an account holds at most ${this.limit} strategies: delete one first`
  }
}
