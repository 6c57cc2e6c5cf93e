// The times of a rule: cron lines of five fields, each in a time zone.
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { errorAt, type RuleError } from "./RuleError.ts"
import type { RuleSchedule } from "./SignalRule.ts"

/** The most times of a rule. */
export const MAX_SCHEDULES = 20
/** The most characters of a cron line. */
const MAX_CRON = 100
/** The most characters of a time zone's name. */
const MAX_ZONE = 64

/** Errors of the times of a rule. */
export const errorsOf = (schedule: ReadonlyArray<RuleSchedule>): ReadonlyArray<RuleError> => {
  if (schedule.length > MAX_SCHEDULES)
    return [errorAt("schedule", `may have at most ${MAX_SCHEDULES} entries`)]
  return schedule.flatMap(({ cron, timezone }, index) => {
    const zone = zoneOf(timezone)
    if (zone === undefined) return [errorAt(`schedule[${index}].timezone`, ZONE)]
    return isCron(cron, zone) ? [] : [errorAt(`schedule[${index}].cron`, CRON)]
  })
}

const ZONE = "must be a time zone, such as UTC or Europe/Berlin"
const CRON =
  'must be five fields of cron that come true: minute, hour, day of month, month, day of week, such as "0 9 * * 1"'

const zoneOf = (name: string): DateTime.TimeZone | undefined =>
  name.length > MAX_ZONE ? undefined : Option.getOrUndefined(DateTime.zoneMakeNamed(name))

/** Some day on which to look for the next time. */
const DAY = DateTime.toDate(DateTime.unsafeMake("2024-01-01T00:00:00Z"))

const isCron = (text: string, zone: DateTime.TimeZone): boolean => {
  if (text.length > MAX_CRON || text.trim().split(/\s+/).length !== 5) return false
  const cron = Cron.parse(text, zone)
  if (Either.isLeft(cron)) return false
  try {
    Cron.next(cron.right, DAY)
    return true
  } catch {
    return false
  }
}
