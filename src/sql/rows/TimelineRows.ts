// The rows of timelines.
import * as Option from "effect/Option"
import type { TimelineNote } from "../../domain/Timeline.ts"
import * as Insert from "./Insert.ts"

/**
 * Appends notes to timelines, in sequence. The database gives the ids: on SQLite, transactions commit in the sequence of
 * their ids; on Postgres they may not, and `signalbox_events` tells how far a reader may read.
 */
export const insert = Insert.into(
  "timeline (account, strategy_id, at, rule, alert_id, reason, text, facts)",
  8
)

/** A note as a row: `account` 0 is everybody's, `strategy` 0 concerns none. */
export const row = (account: number, strategy: number, note: TimelineNote): Insert.PlainRow => [
  account,
  strategy,
  note.at,
  note.rule,
  Option.getOrNull(note.alertId),
  Option.getOrNull(note.reason),
  note.text,
  JSON.stringify(note.facts)
]
