import { words } from "../parts/format.ts"

/** Reasons in a few words, where those of the interface say little to who does not know it. */
const TITLES: Readonly<Record<string, string>> = {
  opened: "Position opened",
  closed: "Position closed",
  trailing_buy_armed: "Waits for the price to turn",
  entry_cancelled: "Waiting entry given up",
  targets_updated: "New targets",
  already_open: "Open already",
  pending_entry: "Waits to enter already",
  no_position: "Nothing to close",
  opposite_position: "Open the other way",
  below_min_profit: "Profit too small to close",
  pair_not_listed: "Pair not in the strategy",
  quote_not_default: "Not the strategy’s currency",
  bad_target: "Target or stop on the wrong side",
  market_closed_for_buying: "Closed for buying",
  below_min_notional: "Order too small",
  insufficient_balance: "No free cash",
  cooldown: "Rests after a balance rule",
  strategy_inactive: "Strategy switched off",
  stale: "Came too late",
  zero_buy_percentage: "Buys for 0 %",
  perpetual_in_use: "Another strategy is on this perpetual",
  no_price: "No fresh price in time",
  halted: "Entries are halted",
  disarming: "Being disarmed",
  daily_loss: "Lost as much today as it may",
  over_max_order: "Larger than it was armed for",
  astray: "Gone from the exchange",
  set_aside: "The strategy’s bot is set aside",
  pending_exit: "Waits to close already",
  too_many: "Too many alerts today"
}

export const titleOf = (reason: string): string => TITLES[reason] ?? words(reason)
