// The callbacks of a streaming session: quotes, trades and messages about its health.
import type { FeedMessage, QuoteRow, TradeRow } from "./Wire.ts"

/** The receivers of a session's quotes, trades and messages. */
export interface SessionCallbacks {
  /** A row of `QUOTE_ROW` or `TRADE_ROW` numbers (see Wire). */
  readonly quote: (row: QuoteRow) => void
  readonly trade: (row: TradeRow) => void
  readonly send: (message: FeedMessage) => void
  /** The time (ms since the epoch). */
  readonly now: () => number
}
