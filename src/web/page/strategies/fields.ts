// Every strategy setting as the form shows it: label, explanation, unit and bounds. Plain data, so that the page does
// not carry the server's schemas; test/web/fields.test.ts compares it with their table.
import { EXCHANGE_NAMES } from "../../../domain/internal/ExchangeFacts.ts"
import type { StrategyDraft } from "../../../domain/requests/StrategyDraft.ts"
import { type Field, number, toggle } from "./kinds.ts"

const PERCENT = "%"
const MINUTES = "minutes"
/** A distance from a price. */
const DISTANCE = { above: 0, below: 100 } as const
const PROFIT = { above: 0, most: 1_000_000 } as const
const RISE = { least: 0.01, most: 1_000_000 } as const
const FALL = { least: 0.01, below: 100 } as const
const FEE = { least: 0, most: 10 } as const
const WAIT = { least: 0, most: 525_600, whole: true } as const
const MINUTE_SPAN = { least: 1, most: 525_600, whole: true } as const

const ENTRIES = { least: 1, most: 50, whole: true } as const
const STEP_COUNT = { least: 1, most: 5, whole: true } as const
/** The most steps of a strategy, and the bounds of a step's numbers. */
export const MOST_STEPS = 5
export const STEP = { profit_percent: PROFIT, close_percent: { above: 0, most: 100 } } as const

export const QUOTES = ["USDT", "BTC", "ETH", "USD"] as const
export const MOST_PAIRS = 200

/** By the names of the request, in the form's order. */
export const FIELDS = {
  name: {
    kind: "text",
    label: "Name",
    longest: 255,
    needed: true,
    explain: "What the strategy is called in lists, on its timeline and in notifications."
  },
  description: {
    kind: "area",
    label: "Description",
    longest: 500,
    needed: false,
    explain: "A note to yourself, such as the idea behind it."
  },
  active: toggle(
    "Active",
    "While it is off there are no entries; open positions are still closed by their rules."
  ),
  public: toggle(
    "Public",
    "Others then find it on Discover and may copy it: they see its name, description, settings and results, but no tokens, alerts, timeline or accounts."
  ),
  display_name: {
    kind: "text",
    label: "Display name",
    longest: 40,
    needed: false,
    with: "public",
    explain: "Who publishes it, as everybody reads it; without one it is not listed on Discover."
  },
  default_quote_currency: {
    kind: "choice",
    label: "Currency",
    options: QUOTES,
    explain: "The currency of its balance; it trades only pairs quoted in this currency."
  },
  default_exchange_name: {
    kind: "choice",
    label: "Preferred exchange",
    options: EXCHANGE_NAMES,
    explain: "Used if several of its exchanges list the same pair; its fees are the default."
  },
  exchanges: {
    kind: "listings",
    label: "Exchanges and pairs",
    explain: `The markets whose alerts it acts on, up to ${MOST_PAIRS}; futures alerts use the same pair's perpetual.`
  },
  signal_id: {
    kind: "signal",
    label: "Signal",
    explain: "Its alerts tell the strategy when to enter and exit; without a signal there are no entries."
  },
  signal_ignores_sell_min_profit_percent: toggle(
    "Closing alerts ignore the minimum profit",
    "A closing alert then closes at any profit or loss; otherwise only from the minimum profit on."
  ),
  buy_percentage: number(
    "Buy percentage",
    { unit: PERCENT, bounds: { least: 0, most: 100 } },
    "The share of the strategy's equity (free cash and open positions) that each entry buys for."
  ),
  risk_percent: number(
    "Risk",
    { unit: PERCENT, bounds: { above: 0, most: 100 } },
    "An entry is sized so that its stop costs this share of the equity, and never above the buy percentage; empty for none.",
    { needed: false }
  ),
  max_entries: number(
    "Entries by alert",
    { unit: "at most", bounds: ENTRIES },
    "How many entries by alert one position may have: further entry alerts add to it; empty for one.",
    { needed: false }
  ),
  on_opposite: {
    kind: "choice",
    label: "Alerts for the other side",
    options: ["ignore", "close", "reverse"],
    titles: {
      ignore: "are ignored",
      close: "close the position",
      reverse: "close it and open the other side"
    },
    unset: "ignore",
    explain: "What a long alert does to an open short of a perpetual, and a short alert to a long."
  },
  strategy_trailing_buy_switch: toggle(
    "Trailing buy",
    "An entry waits for the price to fall and turn, instead of buying at once."
  ),
  trailing_buy_percentage: number(
    "Turn",
    { unit: PERCENT, bounds: DISTANCE },
    "It buys when the price is this far above its lowest since the alert.",
    { with: "strategy_trailing_buy_switch" }
  ),
  strategy_dca_switch: toggle(
    "Averaging (DCA)",
    "Buys more when the price falls, so that a smaller rise brings the whole position into profit."
  ),
  dca_percentagetrigger: number(
    "Fall",
    { unit: PERCENT, bounds: DISTANCE },
    "It buys more when the price is this far below the position's average price.",
    { with: "strategy_dca_switch" }
  ),
  dca_ordersize: number(
    "Order size",
    { unit: PERCENT, bounds: { above: 0, most: 1000 } },
    "The size of each extra entry, in percent of what the position has cost so far: 100 doubles it.",
    { with: "strategy_dca_switch" }
  ),
  dca_maxretries: number(
    "Extra entries",
    { unit: "at most", bounds: { least: 1, most: 200, whole: true } },
    "How many extra entries one position may get.",
    { with: "strategy_dca_switch" }
  ),
  dca_aftertime: number(
    "Wait",
    { unit: MINUTES, bounds: WAIT },
    "The shortest time between two entries; 0 for none.",
    {
      with: "strategy_dca_switch"
    }
  ),
  sell_minprofitpercent: number(
    "Minimum profit",
    { unit: PERCENT, bounds: PROFIT },
    "The profit after fees at which a position is closed, and the least for closing alerts; empty for none.",
    { needed: false }
  ),
  take_profit_steps: {
    kind: "steps",
    label: "Steps",
    explain:
      "Sells a position in parts, each at its profit after fees, in place of the sale at the minimum profit. Percentages are of all that was bought."
  },
  break_even_after: number(
    "Break even after",
    { unit: "steps", bounds: STEP_COUNT },
    "After so many steps, or targets of an alert's ladder, the stop moves to where closing the rest makes no loss; empty for never.",
    { needed: false }
  ),
  trailing_sell: toggle(
    "Trailing sell",
    "Lets profits run: once armed, it closes only when the price falls back from its peak."
  ),
  trailing_sell_arm: number(
    "Arms at",
    { unit: PERCENT, bounds: PROFIT },
    "The profit after fees from which the peak is followed.",
    {
      with: "trailing_sell"
    }
  ),
  trailing_sell_percentage: number(
    "Trail",
    { unit: PERCENT, bounds: DISTANCE },
    "It closes when the price is this far below its peak.",
    { with: "trailing_sell" }
  ),
  stop_loss: toggle("Stop loss", "Closes a position at a loss before the loss grows."),
  stop_loss_percentage: number(
    "Stop",
    { unit: PERCENT, bounds: DISTANCE },
    "It closes when the price is this far below the position's average price.",
    { with: "stop_loss" }
  ),
  auto_close_position_enabled: toggle("Auto close", "Closes a position after a time, at any profit or loss."),
  auto_close_position_value: number(
    "Held for",
    { unit: MINUTES, bounds: MINUTE_SPAN },
    "How long a position may be held, from its first entry.",
    { with: "auto_close_position_enabled" }
  ),
  balance_take_profit: toggle(
    "Balance take profit",
    "Closes everything when the strategy's equity has risen enough, then starts counting again."
  ),
  balance_take_profit_trigger: number(
    "Rise",
    { unit: PERCENT, bounds: RISE },
    "The rise of equity since the start or the last balance rule.",
    { with: "balance_take_profit" }
  ),
  balance_take_profit_cooldown: number(
    "Cooldown",
    { unit: MINUTES, bounds: WAIT },
    "The time without entries afterwards; 0 for none.",
    {
      with: "balance_take_profit"
    }
  ),
  balance_stop_loss: toggle(
    "Balance stop loss",
    "Closes everything when the strategy's equity has fallen too far, then starts counting again."
  ),
  balance_stop_loss_trigger: number(
    "Fall",
    { unit: PERCENT, bounds: FALL },
    "The fall of equity since the start or the last balance rule.",
    { with: "balance_stop_loss" }
  ),
  balance_stop_loss_cooldown: number(
    "Cooldown",
    { unit: MINUTES, bounds: WAIT },
    "The time without entries afterwards; 0 for none.",
    {
      with: "balance_stop_loss"
    }
  ),
  maker_fee: number(
    "Maker fee",
    { unit: PERCENT, bounds: FEE },
    "Paid by an order that rests in the book, such as a take profit on paper; empty for the exchange's fee.",
    { needed: false }
  ),
  taker_fee: number(
    "Taker fee",
    { unit: PERCENT, bounds: FEE },
    "Paid by every other order, and assumed for all orders with real money; empty for the exchange's fee.",
    { needed: false }
  )
} as const satisfies Readonly<Partial<Record<keyof StrategyDraft, Field>>>

export type FieldName = keyof typeof FIELDS

export const isFieldName = (name: string): name is FieldName => Object.hasOwn(FIELDS, name)
export const NAMES: ReadonlyArray<FieldName> = Object.keys(FIELDS).filter(isFieldName)
/** A field by name, as the general type. */
export const fieldOf = (name: FieldName): Field => FIELDS[name]
/** The names of the fields of one kind. */
export type NamesOf<Kind extends Field["kind"]> = {
  readonly [Name in FieldName]: (typeof FIELDS)[Name]["kind"] extends Kind ? Name : never
}[FieldName]
/** Whether a field is of a kind. */
export const isKind = <const Kind extends Field["kind"]>(
  name: FieldName,
  kind: Kind
): name is NamesOf<Kind> => fieldOf(name).kind === kind
/** The fields that depend on a switch, in the form's order. */
export const dependents = (name: FieldName): ReadonlyArray<FieldName> =>
  NAMES.filter((other) => fieldOf(other).with === name)
/** A label that is unique within the form. */
export const fullLabel = (name: FieldName): string => {
  const field = fieldOf(name)
  return field.with === undefined || !isFieldName(field.with)
    ? field.label
    : `${fieldOf(field.with).label}: ${field.label.toLowerCase()}`
}
