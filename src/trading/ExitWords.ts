// The English text of every reason to close a position, as users read it on timelines.

/** Why a position was closed, as a text. */
export const exitText = (reason: string | undefined): string => {
  switch (reason) {
    case "stop_loss":
      return "stop loss"
    case "sl":
      return "the alert's stop price"
    case "break_even":
      return "the stop at break even"
    case "take_profit":
      return "minimum profit reached"
    case "tp":
      return "the alert's target price"
    case "trailing_sell":
      return "the price fell back from its best"
    case "auto_close":
      return "held for the longest time allowed"
    case "own_exit":
      return "own decisions"
    case "signal":
      return "a closing alert"
    case "manual":
      return "closed by hand"
    case "liquidation":
      return "the loss used up the margin"
    default:
      return (reason ?? "").replaceAll("_", " ")
  }
}
