// For which alerts a strategy follows a signal.
import type { Strategy } from "../../domain/Strategy.ts"

/**
 * A strategy that follows or followed a signal: it acts on alerts after `from`, up to and including `until` where it
 * has stopped. Both are ids of the last alert in the journal when the change was stored.
 */
export interface Following {
  readonly strategy: Strategy
  readonly from: number
  readonly until?: number
}

/** Whether the strategy followed the signal when this alert was stored. */
export const followed = ({ from, until }: Following, alert: number): boolean =>
  from < alert && (until === undefined || alert <= until)
