import { ALERT_TYPES, type AlertType } from "../Alert.ts"
import type { SignalId } from "../Signal.ts"

/** What stands in a template where the token goes. */
export const KEY = "YOUR_TOKEN"

/** A message to paste, and what it does. */
export interface Message {
  readonly about: string
  readonly message: string
}

/** All that a charting platform has to be told of a signal. */
export interface AlertTemplate {
  /** The webhook's address, from its path on. */
  readonly url: string
  /** The same with a whole alert in it, for senders that cannot be given a message. */
  readonly urlAlone: string
  /** A message for each type, for alerts of an indicator or a price. */
  readonly alerts: ReadonlyArray<Message & { readonly type: AlertType }>
  /** One message for all orders of a strategy. */
  readonly strategy: Message
}

/** Filled in by the platform. The time lets a re-sent alert be recognised. */
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
    "for every order of a strategy: what it held before and holds now tells whether it opens or closes, and the ticker's suffix (BTCUSDT.P) whether on the perpetual or on spot",
  message: JSON.stringify({
    symbol: SYMBOL,
    action: "{{strategy.order.action}}",
    market_position: "{{strategy.market_position}}",
    prev_market_position: "{{strategy.prev_market_position}}",
    time: TIME
  })
}

/** What to paste for a signal, with this token in the address. */
export const make = (path: string, signal: SignalId, key: string): AlertTemplate => {
  const url = `${path}?key=${key}&signal_id=${signal}`
  return { url, urlAlone: `${url}&type=buy&symbol=BTCUSDT`, alerts: ALERTS, strategy: STRATEGY }
}
