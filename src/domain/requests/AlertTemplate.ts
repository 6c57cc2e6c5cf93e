// The messages and the webhook URL to paste into a charting platform for a signal: one message per alert type, and one
// for all orders of a chart strategy.
import { ALERT_TYPES, type AlertType } from "../Alert.ts"
import type { SignalId } from "../Signal.ts"

/** The placeholder for the token in a template. */
export const KEY = "YOUR_TOKEN"

/** A message to paste, and what it does. */
export interface Message {
  readonly about: string
  readonly message: string
}

/** Everything to enter at the charting platform for a signal. */
export interface AlertTemplate {
  /** The webhook's address, without scheme and host. */
  readonly url: string
  /** The address with a whole alert in its query, for senders without a message body. */
  readonly urlAlone: string
  /** One message per type, for alerts of an indicator or a price. */
  readonly alerts: ReadonlyArray<Message & { readonly type: AlertType }>
  /** One message for all orders of a chart strategy. */
  readonly strategy: Message
}

/** Filled in by the platform. The time makes a re-sent alert recognizable. */
const SYMBOL = "{{ticker}}"
const TIME = "{{timenow}}"

const ABOUT: Readonly<Record<AlertType, string>> = {
  buy: "opens a position on the spot market",
  sell: "closes it",
  long: "opens a long on the pair's perpetual",
  short: "opens a short on the pair's perpetual",
  close_long: "closes the long",
  close_short: "closes the short"
}

const ALERTS = ALERT_TYPES.map((type) => ({
  type,
  about: ABOUT[type],
  message: JSON.stringify({ type, symbol: SYMBOL, time: TIME })
}))

const STRATEGY: Message = {
  about:
    "for every order of a strategy: its position before and after the order decides whether it opens, adds, closes all or a part, or turns, and the ticker's suffix (BTCUSDT.P) whether on the perpetual or on spot",
  message: JSON.stringify({
    symbol: SYMBOL,
    action: "{{strategy.order.action}}",
    market_position: "{{strategy.market_position}}",
    market_position_size: "{{strategy.market_position_size}}",
    prev_market_position: "{{strategy.prev_market_position}}",
    prev_market_position_size: "{{strategy.prev_market_position_size}}",
    time: TIME
  })
}

/** The template of a signal, with this token in the URL. */
export const make = (path: string, signal: SignalId, key: string): AlertTemplate => {
  const url = `${path}?key=${key}&signal_id=${signal}`
  return { url, urlAlone: `${url}&type=buy&symbol=BTCUSDT`, alerts: ALERTS, strategy: STRATEGY }
}
