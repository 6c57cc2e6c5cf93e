// How an alert arrived, as it is kept: the operation, and the redacted text that was sent.
import { redact } from "../internal/Redaction.ts"

/** The two alert operations. */
export const DOORS = ["charting", "alert"] as const
/** The operation that received an alert: `charting` for charting platforms, `alert` for the API's own form. */
export type Door = (typeof DOORS)[number]

/** The operation and the redacted text of a received alert. */
export interface Incoming {
  readonly door: Door
  readonly body: string
}

/**
 * Builds the record of a received alert: the URL's query (without its key) on its own line, then the body, redacted.
 */
export const incoming = (door: Door, body: string, query: string): Incoming => ({
  door,
  body: redact(query === "" ? body : body === "" ? `?${query}` : `?${query}\n${body}`)
})
