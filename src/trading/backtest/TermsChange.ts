// What changes for a bot on the way through a back-test, besides prices and alerts.
import type { MarketId } from "../../domain/Market.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { Event } from "../Decision.ts"

/**
 * At a time (ms) the bot gets these settings, its entries are halted or no longer are, or its owner closes this
 * percentage of a position (over 0 to 100).
 */
export interface TermsChange {
  readonly at: number
  readonly settings?: Settings
  readonly halted?: boolean
  readonly closed?: { readonly market: MarketId; readonly percent: number }
}

/** The event of a change, as a running bot gets it. */
export const eventOf = ({ closed }: TermsChange): Event =>
  closed === undefined
    ? { _tag: "SettingsChanged" }
    : { _tag: "Manual", market: closed.market, act: { _tag: "Close", percent: closed.percent } }
