// The message that a chart sends for an order fill: the template of a strategy alert with its placeholders filled in.
import type { Fill } from "./Broker.ts"

const holdingOf = (size: number) => (size > 0 ? "long" : size < 0 ? "short" : "flat")

/** The body of the webhook's request. */
export const messageOf = (fill: Fill, ticker: string): Readonly<Record<string, string>> => ({
  symbol: ticker,
  action: fill.action,
  contracts: String(fill.contracts),
  order_id: fill.id,
  market_position: holdingOf(fill.after),
  market_position_size: String(Math.abs(fill.after)),
  prev_market_position: holdingOf(fill.before),
  prev_market_position_size: String(Math.abs(fill.before))
})
