// The rules of a sweep: one for each combination of the numbers `params.NAME` of its grid. Combinations are tried in
// groups with few different rules, so that what those rules compute is computed once and shared.
import * as Either from "effect/Either"
import { type Violation, violation } from "../../domain/requests/Violations.ts"
import type { RuleDocument } from "../../domain/signalRule/RuleDocument.ts"
import { heldBy } from "../../domain/signalRule/RuleMemory.ts"
import * as RuleReading from "../../domain/signalRule/RuleReading.ts"
import {
  MAX_RAISED,
  type RuleGround,
  type RuleRun,
  runsOf,
  type TestedRule,
  timedAlerts
} from "../signalRule/RuleRecording.ts"
import { fields, type Grid } from "./SweepGrid.ts"
import type { Recording } from "./SweepSplit.ts"

/** What the name of a field begins with that is a number of the rule. */
export const PARAMS = "params."

/** A rule as it is written, and the grid whose fields replace its numbers. */
export interface RuleFamily {
  readonly rule: RuleDocument
  readonly grid: Grid
}

/** The rule of a combination, or its violations. */
export const ruleOf = (
  { grid, rule }: RuleFamily,
  index: number
): Either.Either<TestedRule, ReadonlyArray<Violation>> => {
  const swept = Object.entries(fields(grid, index)).flatMap(([field, value]) =>
    field.startsWith(PARAMS) ? [[field.slice(PARAMS.length), value] as const] : []
  )
  const read = RuleReading.read({ ...rule, params: { ...rule.params, ...Object.fromEntries(swept) } })
  return Either.mapLeft(read, (errors) =>
    errors.map(({ column, field, text }) =>
      violation(field, column === undefined ? text : `column ${column}: ${text}`)
    )
  )
}

/** The number of a combination's rule among those of the grid: combinations with one rule have one. */
export const ruleNumber = (grid: Grid, index: number): number => {
  let number = 0
  let factor = 1
  let rest = index
  for (const { field, values } of grid.toReversed()) {
    const size = values.length
    if (field.startsWith(PARAMS)) {
      number += (rest % size) * factor
      factor *= size
    }
    rest = Math.floor(rest / size)
  }
  return number
}

/** Places in the sequence in which they are tried: group `n` begins at `starts[n]`, and ends where the next begins. */
export interface Groups {
  readonly order: Uint32Array
  readonly starts: Uint32Array
}

/** Every place alone. */
export const alone = (count: number): Groups => ({
  order: Uint32Array.from({ length: count }, (_, place) => place),
  starts: Uint32Array.from({ length: count + 1 }, (_, place) => place)
})

/** Groups of places with at most `most` different rules each. */
export const grouped = (grid: Grid, indexes: ArrayLike<number>, most: number): Groups => {
  const numbers = Float64Array.from(indexes, (index) => ruleNumber(grid, index))
  const order = Uint32Array.from(indexes, (_, place) => place).sort(
    (one, other) => (numbers[one] ?? 0) - (numbers[other] ?? 0) || one - other
  )
  const starts: Array<number> = []
  let rules = most
  for (const [at, place] of order.entries()) {
    const before = order[at - 1]
    if (before !== undefined && numbers[before] === numbers[place]) continue
    if (rules++ < most) continue
    starts.push(at)
    rules = 1
  }
  return { order, starts: Uint32Array.of(...starts, order.length) }
}

/** Rules that share a plan, candles of all of them together, and numbers that they keep: some 100 MB. */
const MOST_RULES = 64
const MOST_ROWS = 16_000_000
const MOST_HELD = 200_000

/** How many rules share a plan, where `workers` of them run at a time and `rules` are to be tried. */
export const rulesPerGroup = (
  rule: TestedRule,
  { markets }: RuleGround,
  { rules, workers }: { readonly rules: number; readonly workers: number }
): number => {
  const rows = markets.reduce((sum, { bars }) => sum + bars.length, 1)
  const room = Math.min(MOST_RULES, MOST_ROWS / rows, MOST_HELD / Math.max(heldBy(rule.checked), 1))
  return Math.max(1, Math.floor(Math.min(room, rules / (2 * workers))))
}

/** What the rules of some combinations raise, by the number of the rule. Combinations without a rule are left out. */
export const runsByNumber = (
  family: RuleFamily,
  indexes: Iterable<number>,
  ground: RuleGround
): ReadonlyMap<number, RuleRun> => {
  const rules = new Map<number, TestedRule>()
  for (const index of indexes) {
    const number = ruleNumber(family.grid, index)
    if (rules.has(number)) continue
    const rule = ruleOf(family, index)
    if (Either.isRight(rule)) rules.set(number, rule.right)
  }
  const runs = runsOf([...rules.values()], ground)
  return new Map(
    [...rules.keys()].flatMap((number, at) => {
      const run = runs[at]
      return run === undefined ? [] : [[number, run] as const]
    })
  )
}

/** A recording with the alerts of a rule in place of its own. */
export const withAlerts = (recording: Recording, run: RuleRun): Recording => {
  if (run.isCut) throw new Error(`the rule raises more than ${MAX_RAISED} alerts`)
  return { ...recording, alerts: timedAlerts(run) }
}
