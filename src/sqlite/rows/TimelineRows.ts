import * as Option from "effect/Option"
import type { TimelineNote } from "../../domain/Timeline.ts"
import * as Insert from "./Insert.ts"

/** Adds notes to timelines, in their order. */
export const insert = Insert.into(
  "timeline (account, strategy_id, at, rule, alert_id, reason, text, facts)",
  8
)

/** `account` and `strategy` are 0 where it is everybody's, and about none. */
export const row = (account: number, strategy: number, note: TimelineNote): Insert.Row => [
  account,
  strategy,
  note.at,
  note.rule,
  Option.getOrNull(note.alertId),
  Option.getOrNull(note.reason),
  note.text,
  JSON.stringify(note.facts)
]
