// The times of a rule's schedule. A time of day that does not exist on a day, since clocks are put forward, comes once,
// moved by as much; one that comes twice comes once, at the first.
import * as Cron from "effect/Cron"
import * as Either from "effect/Either"
import type { RuleSchedule } from "../../domain/signalRule/SignalRule.ts"

const HOUR_MS = 3_600_000
/** Clocks are moved by at most this. Searching begins earlier by it, so that a time depends on nothing but itself. */
const MARGIN_MS = 48 * HOUR_MS

/** The times (ms) of a checked schedule from `from` up to and with `to`, at most `most` of them, ascending. */
export const timesOf = (
  { cron, timezone }: Pick<RuleSchedule, "cron" | "timezone">,
  { from, most, to }: { readonly from: number; readonly to: number; readonly most: number }
): ReadonlyArray<number> => {
  const parsed = Either.getOrThrow(Cron.parse(cron, timezone))
  const times: Array<number> = []
  let at = follows(parsed, Math.floor(from - MARGIN_MS))
  while (at !== undefined && at <= to && times.length < most) {
    if (at >= from) times.push(at)
    at = follows(parsed, at)
  }
  return times
}

/**
 * The next time after one. In the hour that comes twice Effect's Cron finds times of its first pass, which are not after:
 * then the search begins an hour later.
 */
const follows = (cron: Cron.Cron, after: number): number | undefined => {
  for (let from = after; from <= after + MARGIN_MS; from += HOUR_MS) {
    const found = Either.try(() => Cron.next(cron, from).getTime())
    if (Either.isLeft(found)) return undefined
    if (found.right > after) return found.right
  }
  return undefined
}
