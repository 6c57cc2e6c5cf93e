// The detachment of a strategy from its signal: its causes, and its timeline entry.
import * as Option from "effect/Option"
import type { SignalId } from "../../domain/Signal.ts"
import type { TimelineNote } from "../../domain/Timeline.ts"

/**
 * The reason for a detachment: the signal was deleted, or its owner made it private (which detaches other accounts
 * only).
 */
export type DetachCause = "deleted" | "private"

const TEXTS: Readonly<Record<DetachCause, string>> = {
  deleted: "The signal that this strategy followed was deleted: it follows none now.",
  private: "The signal that this strategy followed was made private by its owner: it follows none now."
}

/** The timeline entry of a detached strategy. `at` in ms since the epoch. */
export const detachmentNote = (signal: SignalId, cause: DetachCause, at: number): TimelineNote => ({
  at,
  rule: "signal_detached",
  alertId: Option.none(),
  reason: Option.none(),
  text: TEXTS[cause],
  facts: { signal_id: signal }
})
