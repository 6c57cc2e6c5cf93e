// The request in which an alert arrives at one of the two operations, and the redacted part of it that is stored.
import { redact } from "../internal/Redaction.ts"
import type { AlertSource } from "./AlertBody.ts"

/** The two alert operations. */
export const DOORS = ["charting", "alert"] as const
/** The operation that received an alert: `charting` for charting platforms, `alert` for the API's own form. */
export type Door = (typeof DOORS)[number]

/** A request at an alert door, with its whole body. */
export interface AlertPost extends AlertSource {
  readonly door: Door
  /** The body as text: of a multipart form, too. */
  readonly text: string
  /** The header, as it came. */
  readonly idempotencyKey: string | null
  /** Warnings of the door's own for the sender. */
  readonly warnings: ReadonlyArray<string>
}

/** Where alerts come from: the two operations, or a signal's own rule. */
export const ORIGINS = [...DOORS, "rule"] as const
export type Origin = (typeof ORIGINS)[number]

/** Where an alert came from, and its redacted text; of one that a rule raised the text is a `RuleOrigin`. */
export interface Incoming {
  readonly door: Origin
  readonly body: string
}

/**
 * Builds the record of a received alert: the URL's query (without its key) on its own line, then the body, redacted.
 */
export const incoming = (door: Door, body: string, query: string): Incoming => ({
  door,
  body: redact(query === "" ? body : body === "" ? `?${query}` : `?${query}\n${body}`)
})
