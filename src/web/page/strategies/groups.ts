// The groups of the strategy form, in its sequence.
import type { FieldName } from "./fields.ts"

export interface Group {
  readonly title: string
  readonly lead?: string
  /** A switch also shows the fields that depend on it. */
  readonly fields: ReadonlyArray<FieldName>
}

export const GROUPS: ReadonlyArray<Group> = [
  {
    title: "Basics",
    fields: ["name", "description", "default_quote_currency", "default_exchange_name", "active", "public"]
  },
  { title: "What it trades", fields: ["exchanges"] },
  {
    title: "Signal",
    lead: "The source of its alerts.",
    fields: ["signal_id", "signal_ignores_sell_min_profit_percent"]
  },
  {
    title: "Entry",
    lead: "How it buys.",
    fields: ["buy_percentage", "risk_percent", "strategy_trailing_buy_switch", "max_entries", "on_opposite"]
  },
  {
    title: "Averaging (DCA)",
    lead: "What it does when the price falls first.",
    fields: ["strategy_dca_switch"]
  },
  {
    title: "Exits",
    lead: "How each position ends. An alert's own prices (tp or tps, sl) replace these.",
    fields: [
      "sell_minprofitpercent",
      "take_profit_steps",
      "break_even_after",
      "trailing_sell",
      "stop_loss",
      "auto_close_position_enabled"
    ]
  },
  {
    title: "Balance rules",
    lead: "What ends all positions at once.",
    fields: ["balance_take_profit", "balance_stop_loss"]
  },
  { title: "Fees", lead: "What paper trades pay.", fields: ["maker_fee", "taker_fee"] }
]
