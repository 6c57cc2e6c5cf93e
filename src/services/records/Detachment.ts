import * as Option from "effect/Option"
import type { SignalId } from "../../domain/Signal.ts"
import type { TimelineNote } from "../../domain/Timeline.ts"

/** What cuts strategies off from a signal: it is gone, or its owner keeps it to himself (other accounts' only). */
export type DetachCause = "deleted" | "private"

const TEXTS: Readonly<Record<DetachCause, string>> = {
  deleted: "The signal that this strategy followed was deleted: it follows none now.",
  private: "The signal that this strategy followed was made private by its owner: it follows none now."
}

/** What the timeline of such a strategy says. `at` in ms since the epoch. */
export const detachmentNote = (signal: SignalId, cause: DetachCause, at: number): TimelineNote => ({
  at,
  rule: "signal_detached",
  alertId: Option.none(),
  reason: Option.none(),
  text: TEXTS[cause],
  facts: { signal_id: signal }
})
