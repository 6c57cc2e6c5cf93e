// A rule of a signal: conditions on candles, each with the alert that it raises. It is checked as a whole; every error
// names its field, and the column within the expression.
import * as Either from "effect/Either"
import { ALERT_TYPES, type AlertType } from "../Alert.ts"
import type { Timeframe } from "../candles/Timeframe.ts"
import { RESERVED } from "../expression/Names.ts"
import { type Part, partsOf } from "../expression/Parts.ts"
import type { MarketId } from "../Market.ts"
import * as Expression from "./Expression.ts"
import { amountError, fieldErrors } from "./RuleAmounts.ts"
import type { Amount, RuleEntry, RuleStep } from "./RuleEntry.ts"
import { errorAt, type RuleError } from "./RuleError.ts"
import type { Witness } from "./Witness.ts"

export type { Amount, Part, RuleEntry, RuleError, RuleStep }

/** The conditions of a rule, over candles of one timeframe; `params` are the numbers that they name. */
export interface SignalRule {
  readonly timeframe: Timeframe
  readonly params: Readonly<Record<string, number>>
  readonly on: ReadonlyArray<RuleEntry>
}

/** A time at which an alert is raised, whatever candles say: a cron line of five fields in a time zone. */
export interface RuleSchedule {
  readonly type: AlertType
  readonly cron: string
  readonly timezone: string
}

/**
 * A rule with its markets, for each of which it is looked at by itself, and its times. One with a `witness` watches for
 * alerts from outside, and raises none by itself.
 */
export interface FullRule extends SignalRule {
  readonly markets: ReadonlyArray<MarketId>
  readonly schedule: ReadonlyArray<RuleSchedule>
  readonly witness?: Witness
}

/** An amount of a checked rule; `field` is its name in an alert, as `sl` or `tps[0].price`. */
export interface CheckedAmount {
  readonly field: string
  readonly value: Expression.Checked
}

/** A checked entry. `parts` are the numbers whose values say why the condition holds. */
export interface CheckedEntry {
  readonly entry: RuleEntry
  readonly when: Expression.Checked
  readonly parts: ReadonlyArray<Part>
  readonly amounts: ReadonlyArray<CheckedAmount>
}

/** A rule without errors. */
export interface CheckedRule {
  readonly timeframe: Timeframe
  readonly entries: ReadonlyArray<CheckedEntry>
}

/** The bounds of a rule. */
export const MAX_ENTRIES = 20
/** The most numbers that a rule names. */
export const MAX_PARAMS = 50
/** The most characters of the name of one. */
export const MAX_PARAM_CHARACTERS = 40

/** Checks a rule, with all of its errors at once. */
export const check = (rule: SignalRule): Either.Either<CheckedRule, ReadonlyArray<RuleError>> => {
  const errors: Array<RuleError> = [...paramErrors(rule.params)]
  if (rule.on.length < 1 || rule.on.length > MAX_ENTRIES)
    errors.push(errorAt("on", `must have 1 to ${MAX_ENTRIES} entries`))
  const surroundings = { params: new Map(Object.entries(rule.params)), timeframe: rule.timeframe }
  const entries = rule.on.slice(0, MAX_ENTRIES).flatMap((entry, index) => {
    const found = checkEntry(entry, `on[${index}]`, surroundings)
    if (Either.isRight(found)) return [found.right]
    errors.push(...found.left)
    return []
  })
  return errors.length === 0 ? Either.right({ timeframe: rule.timeframe, entries }) : Either.left(errors)
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

const paramErrors = (params: SignalRule["params"]): ReadonlyArray<RuleError> => {
  const all = Object.entries(params)
  if (all.length > MAX_PARAMS) return [errorAt("params", `may have at most ${MAX_PARAMS} names`)]
  return all.flatMap(([name, value]) => {
    const field = `params.${name.slice(0, MAX_PARAM_CHARACTERS)}`
    if (name.length > MAX_PARAM_CHARACTERS || !NAME.test(name))
      return [
        errorAt(field, `must be named by up to ${MAX_PARAM_CHARACTERS} letters, digits and _, no digit first`)
      ]
    if (RESERVED.has(name) || name === "__proto__")
      return [errorAt(field, "has the name of a price, a function or a word of the language")]
    return Number.isFinite(value) ? [] : [errorAt(field, "must be a finite number")]
  })
}

const checkEntry = (
  entry: RuleEntry,
  place: string,
  surroundings: Expression.Surroundings
): Either.Either<CheckedEntry, ReadonlyArray<RuleError>> => {
  if (!ALERT_TYPES.includes(entry.type))
    return Either.left([errorAt(`${place}.type`, `must be one of ${ALERT_TYPES.join(", ")}`)])
  const errors: Array<RuleError> = [...fieldErrors(entry, place)]
  const when = Expression.read(entry.when, "boolean", surroundings)
  if (Either.isLeft(when)) errors.push({ field: `${place}.when`, ...when.left })
  const amounts = amountsOf(entry).flatMap(([field, amount]) => {
    const name = WIRE.get(field) ?? field
    const read = Expression.read(String(amount), "number", surroundings)
    if (Either.isLeft(read)) {
      errors.push({ field: `${place}.${name}`, ...read.left })
      return []
    }
    const value = read.right
    const wrong = value._tag === "Constant" ? amountError(name, value.value, entry.type) : undefined
    if (wrong !== undefined) errors.push(errorAt(`${place}.${name}`, wrong))
    return [{ field, value }]
  })
  if (Either.isLeft(when) || errors.length > 0) return Either.left(errors)
  return Either.right({ entry, when: when.right, parts: partsOf(entry.when, surroundings), amounts })
}

/** Names of amounts as a rule is written, where they differ. */
const WIRE: ReadonlyMap<string, string> = new Map([
  ["closePercent", "close_percent"],
  ["buyPercentage", "buy_percentage"]
])

/** What an alert has besides its type: the names of its fields, and what gives their values. */
const amountsOf = (entry: RuleEntry): ReadonlyArray<readonly [field: string, amount: Amount]> => {
  const plain = [
    ["tp", entry.tp],
    ["sl", entry.sl],
    ["closePercent", entry.closePercent],
    ["buyPercentage", entry.buyPercentage]
  ] as const
  const steps = (entry.tps ?? []).map(({ price }, index) => [`tps[${index}].price`, price] as const)
  return [
    ...plain.flatMap(([field, amount]) => (amount === undefined ? [] : [[field, amount] as const])),
    ...steps
  ]
}
