import * as Option from "effect/Option"
import type { StrategyId } from "../domain/StrategyId.ts"
import type { TimelineNote } from "../domain/Timeline.ts"
import * as Insert from "./Insert.ts"

/** Adds notes to timelines, in their order. */
export const insert = Insert.into("timeline (strategy_id, at, rule, alert_id, reason, text, facts)", 7)

export const row = (strategy: StrategyId, note: TimelineNote): Insert.Row => [
  strategy,
  note.at,
  note.rule,
  Option.getOrNull(note.alertId),
  Option.getOrNull(note.reason),
  note.text,
  JSON.stringify(note.facts)
]
