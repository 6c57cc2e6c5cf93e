// Short titles of reasons; a reason without a title is shown by its own name.
import { words } from "../parts/format.ts"

const TITLES: Readonly<Record<string, string>> = {
  opened: "Position opened",
  added: "Added to the position",
  turned: "Turned to the other side",
  reduced: "Part of the position closed",
  closed: "Position closed",
  trailing_buy_armed: "Waits for the price to turn",
  entry_cancelled: "Waiting entry cancelled",
  targets_updated: "New targets",
  already_open: "Position already open",
  pending_entry: "Already waiting to enter",
  no_position: "Nothing to close",
  opposite_position: "Open in the opposite direction",
  below_min_profit: "Profit too small to close",
  pair_not_listed: "Pair not in the strategy",
  quote_not_default: "Not the strategy’s currency",
  bad_target: "Target or stop on the wrong side",
  market_closed_for_buying: "No buying on this market",
  below_min_notional: "Order too small",
  insufficient_balance: "No free cash",
  cooldown: "Cooling down after a balance rule",
  strategy_inactive: "Strategy switched off",
  stale: "Alert too old",
  zero_buy_percentage: "Buy percentage is 0",
  no_stop: "No stop to size the entry by",
  perpetual_in_use: "Another strategy uses this perpetual",
  no_price: "No fresh price in time",
  halted: "Entries are halted",
  disarming: "Being disarmed",
  daily_loss: "Daily loss limit reached",
  over_max_order: "Above the maximum order",
  vetoed: "Vetoed by own decisions",
  astray: "Not at the exchange any more",
  set_aside: "The strategy’s bot is set aside",
  pending_exit: "Already waits to close",
  too_many: "Too many alerts today"
}

export const titleOf = (reason: string): string => TITLES[reason] ?? words(reason)
