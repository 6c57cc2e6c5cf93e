// The English text of every recorded reason, as users read it on timelines and in back-tests.
import type { Reason } from "../domain/Alert.ts"

/** The text of a reason. */
export const wordsOf = (reason: Reason): string => WORDS[reason]

/** Why something was not done: the text of a reason without "ignored", or the name of a code that is none. */
export const causeOf = (code: string | undefined): string =>
  isReason(code) ? WORDS[code].replace(/^ignored, /, "") : (code ?? "").replaceAll("_", " ")

const isReason = (code: string | undefined): code is Reason =>
  code !== undefined && Object.hasOwn(WORDS, code)

const WORDS: Readonly<Record<Reason, string>> = {
  opened: "an entry is ordered",
  added: "another entry is ordered",
  turned: "the other side is being closed, and this one is opened",
  reduced: "a part of the position is being closed",
  trailing_buy_armed: "the entry waits for the price to turn",
  entry_cancelled: "the waiting entry is cancelled",
  closed: "the position is being closed",
  targets_updated: "the position has new targets",
  already_open: "ignored, a position is open already",
  pending_entry: "ignored, an entry is waiting already",
  no_position: "ignored, there is no position to close",
  opposite_position: "ignored, a position in the other direction is open",
  below_min_profit: "ignored, closing now would make less than the minimum profit",
  pair_not_listed: "ignored, the strategy does not list this pair, or its exchange has no such market",
  quote_not_default: "ignored, the pair is not quoted in the strategy's default currency",
  bad_target: "ignored, its tp or sl lies on the wrong side of the price",
  market_closed_for_buying: "ignored, the market is closed for buying",
  below_min_notional: "ignored, the order would be smaller than the market's minimum",
  insufficient_balance: "ignored, there is no free cash",
  cooldown: "ignored, the strategy is cooling down after a balance rule",
  strategy_inactive: "ignored, the strategy is not active",
  stale: "ignored, it came too long ago to enter now",
  zero_buy_percentage: "ignored, the strategy's buy percentage is 0",
  no_stop: "ignored, the strategy sizes entries by their stop, and this one has none",
  perpetual_in_use:
    "ignored, another armed strategy has a position or an order on this perpetual of the exchange account, and the two would net out there",
  no_price: "ignored, no fresh price came in time",
  halted: "ignored, entries are halted",
  disarming: "ignored, the strategy is being disarmed and enters nothing more",
  daily_loss: "ignored, the strategy has lost as much today as it may",
  over_max_order: "ignored, the order would be larger than the strategy was armed for",
  vetoed: "ignored, this server's own decisions are against it",
  astray: "ignored, the exchange holds less of it than the books say, and the strategy does nothing there",
  set_aside: "ignored, the strategy's bot is set aside until it has new settings",
  pending_exit: "ignored, a closing alert for the position waits already",
  too_many:
    "ignored, the account's strategies have had as many alerts today as they may; closing alerts go on"
}
