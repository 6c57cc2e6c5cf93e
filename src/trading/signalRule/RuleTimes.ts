// The times of a rule's schedule. A time of day that does not exist on a day, since clocks are put forward, comes once,
// moved by as much; one that comes twice comes once, at the first.
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import type { RuleSchedule } from "../../domain/signalRule/SignalRule.ts"

const HOUR_MS = 3_600_000
/** Clocks are moved by at most this. Searching begins earlier by it, so that a time depends on nothing but itself. */
const MARGIN_MS = 48 * HOUR_MS

/** The times (ms) of a checked schedule from `from` up to and with `to`, at most `most` of them, ascending. */
export const timesOf = (
  schedule: Pick<RuleSchedule, "cron" | "timezone">,
  { from, most, to }: { readonly from: number; readonly to: number; readonly most: number }
): ReadonlyArray<number> => {
  const times: Array<number> = []
  if (most > 0)
    for (const at of timesFrom(schedule, from)) {
      if (at > to) break
      times.push(at)
      if (times.length >= most) break
    }
  return times
}

/** All times (ms) of a checked schedule from `from` on, ascending: each is found when it is asked for. */
export function* timesFrom(
  { cron, timezone }: Pick<RuleSchedule, "cron" | "timezone">,
  from: number
): Generator<number, void> {
  const parsed = Either.getOrThrow(Cron.parse(cron, timezone))
  // Where clocks were not moved lately, the margin would only cost: a line of each minute has 2,880 times in it.
  const isSteady = offsetAt(timezone, from - MARGIN_MS) === offsetAt(timezone, from)
  let at = follows(parsed, isSteady ? Math.ceil(from) - 1 : Math.floor(from - MARGIN_MS))
  for (; at !== undefined; at = follows(parsed, at)) if (at >= from) yield at
}

/** The last times of a checked schedule from `from` up to and with `to`, at most `most` of them, ascending. */
export const lastTimesOf = (
  schedule: Pick<RuleSchedule, "cron" | "timezone">,
  { from, most, to }: { readonly from: number; readonly to: number; readonly most: number }
): ReadonlyArray<number> => {
  for (let begin = from; ; begin = Math.ceil((begin + to) / 2)) {
    const times = timesOf(schedule, { from: begin, to, most: SEARCHED + most })
    if (times.length < SEARCHED + most || begin >= to) return times.slice(-most)
  }
}

/** Times beyond those that are wanted, which are looked at before the search begins later. */
const SEARCHED = 200

/** What the clocks of a time zone show more than UTC at a time (both ms). */
const offsetAt = (timezone: string, at: number): number =>
  DateTime.zonedOffset(DateTime.unsafeMakeZoned(at, { timeZone: timezone }))

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
