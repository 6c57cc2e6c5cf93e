// The callbacks of a streaming session: quotes, trades and messages about its health.
import type { FeedMessage } from "./Wire.ts"

/** Where a session reports. */
export interface SessionCallbacks {
  readonly quote: (number: number, bid: number, ask: number, last: number, at: number) => void
  readonly trade: (number: number, price: number, amount: number, at: number) => void
  readonly tell: (told: FeedMessage) => void
  /** The time (ms since the epoch). */
  readonly now: () => number
}
