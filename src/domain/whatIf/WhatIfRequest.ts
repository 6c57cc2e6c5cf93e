// A request to try a strategy's life with other settings: what changes, and on which stretch of it. All violations of the
// request are reported together.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { optional } from "../internal/Optional.ts"
import { INTERFACE, type VenueList } from "../market/VenueList.ts"
import { type Fields, isFields } from "../requests/Form.ts"
import { StrategyPatch } from "../requests/StrategyDraft.ts"
import { read as readSettings } from "../requests/StrategyRequest.ts"
import { unknownFields } from "../requests/UnknownFields.ts"
import { type Violation, violation } from "../requests/Violations.ts"
import type { Settings } from "../Strategy.ts"

/** Seconds; beyond the year 5000. */
const MAX_SECONDS = 100_000_000_000

/** The request on the wire. */
export const Body = Schema.Struct({
  changes: StrategyPatch.annotations({
    description:
      "the settings that change, as in a change of the strategy; its signal and its currency stay, as the recorded alerts and results are of these"
  }),
  from: optional(
    Schema.Int.annotations({
      description: "seconds since the Unix epoch; where it is left out, since the bot began or was recorded"
    })
  ),
  to: optional(
    Schema.Int.annotations({ description: "seconds since the Unix epoch; now where it is left out" })
  )
})

/** A request without violations: the changed settings, and the stretch (ms) where it is named. */
export interface WhatIfRequest {
  readonly settings: Settings
  readonly from?: number
  readonly until?: number
}

/** Reads a request over the stored settings, or returns all its violations. */
export const read = (
  { changes, from, to }: Fields,
  stored: Settings,
  venues: VenueList = INTERFACE
): Either.Either<WhatIfRequest, ReadonlyArray<Violation>> => {
  const violations: Array<Violation> = []
  const settings = settingsOf(changes, stored, venues, violations)
  for (const [field, value] of Object.entries({ from, to }))
    if (value !== undefined && !isTime(value))
      violations.push(violation(field, "must be whole seconds since the Unix epoch"))
  if (isTime(from) && isTime(to) && from > to) violations.push(violation("from", "must not be after to"))
  if (settings === undefined || violations.length > 0) return Either.left(violations)
  return Either.right({
    settings,
    ...(isTime(from) ? { from: from * 1000 } : {}),
    // The whole second.
    ...(isTime(to) ? { until: to * 1000 + 999 } : {})
  })
}

const isTime = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_SECONDS

const settingsOf = (
  changes: unknown,
  stored: Settings,
  venues: VenueList,
  violations: Array<Violation>
): Settings | undefined => {
  if (!isFields(changes)) {
    violations.push(violation("changes", changes === undefined ? "is required" : "must be an object"))
    return undefined
  }
  const { settings, violations: found } = readSettings(changes, Option.some(stored), venues)
  const wrong = [...unknownFields(changes), ...found]
  violations.push(...wrong.map(({ field, text }) => violation(`changes.${field}`, text)))
  const changed = Option.getOrUndefined(settings)
  if (changed !== undefined) violations.push(...unmovable(stored, changed))
  return changed
}

/** What the record is of, and therefore stays. */
const unmovable = (stored: Settings, changed: Settings): ReadonlyArray<Violation> => [
  ...(stored.signalId === changed.signalId
    ? []
    : [
        violation(
          "changes.signal_id",
          "must stay: the recorded alerts are those of its signal; a back-test takes the alerts of another one"
        )
      ]),
  ...(stored.quote === changed.quote
    ? []
    : [violation("changes.default_quote_currency", "must stay: balance and results are in it")])
]
