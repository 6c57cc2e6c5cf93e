import { redact } from "../internal/Redaction.ts"

/** The two alert operations, by where they take alerts in. */
export const DOORS = ["charting", "alert"] as const
/** The door an alert came by: `charting`, for what charting platforms send, or `alert`, for the interface's own form. */
export type Door = (typeof DOORS)[number]

/** How an alert came: by which door, and what was sent there, redacted. */
export interface Incoming {
  readonly door: Door
  readonly body: string
}

/** What was sent, as it may be kept: the query of the address (without its key) on a line of its own, then the body. */
export const incoming = (door: Door, body: string, query: string): Incoming => ({
  door,
  body: redact(query === "" ? body : body === "" ? `?${query}` : `?${query}\n${body}`)
})
