// A rule of a signal: conditions on candles, each with the alert that it raises. It is checked as a whole; every error
// names its field, and the column within the expression.
import * as Either from "effect/Either"
import { ALERT_TYPES, type AlertType } from "../Alert.ts"
import type { Timeframe } from "../candles/Timeframe.ts"
import { RESERVED } from "../expression/Names.ts"
import { type Part, partsOf } from "../expression/Parts.ts"
import * as Expression from "./Expression.ts"

export type { Part }

/** A number, or an expression that gives one at the candle at which the alert is raised. */
export type Amount = number | string

/** A step of a ladder of targets: at `price` `percent` of the position is closed. */
export interface RuleStep {
  readonly price: Amount
  readonly percent: number
}

/** A condition and its alert. Prices are in quote, percentages as in an alert. */
export interface RuleEntry {
  readonly type: AlertType
  readonly when: string
  readonly tp?: Amount
  readonly sl?: Amount
  readonly tps?: ReadonlyArray<RuleStep>
  readonly closePercent?: Amount
  readonly buyPercentage?: Amount
  readonly reverse?: boolean
}

/** The conditions of a rule, over candles of one timeframe; `params` are the numbers that they name. */
export interface SignalRule {
  readonly timeframe: Timeframe
  readonly params: Readonly<Record<string, number>>
  readonly on: ReadonlyArray<RuleEntry>
}

/** What is wrong with a rule: its field, as `on[0].when`, and within an expression the column, counted from 1. */
export interface RuleError {
  readonly field: string
  readonly column?: number
  readonly text: string
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
    errors.push({ field: "on", text: `must have 1 to ${MAX_ENTRIES} entries` })
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
  if (all.length > MAX_PARAMS) return [{ field: "params", text: `may have at most ${MAX_PARAMS} names` }]
  return all.flatMap(([name, value]) => {
    const field = `params.${name.slice(0, MAX_PARAM_CHARACTERS)}`
    if (name.length > MAX_PARAM_CHARACTERS || !NAME.test(name))
      return [
        {
          field,
          text: `must be named by up to ${MAX_PARAM_CHARACTERS} letters, digits and _, no digit first`
        }
      ]
    if (RESERVED.has(name))
      return [{ field, text: "has the name of a price, a function or a word of the language" }]
    return Number.isFinite(value) ? [] : [{ field, text: "must be a finite number" }]
  })
}

const checkEntry = (
  entry: RuleEntry,
  place: string,
  surroundings: Expression.Surroundings
): Either.Either<CheckedEntry, ReadonlyArray<RuleError>> => {
  const errors: Array<RuleError> = []
  if (!ALERT_TYPES.includes(entry.type))
    errors.push({ field: `${place}.type`, text: `must be one of ${ALERT_TYPES.join(", ")}` })
  const when = Expression.read(entry.when, "boolean", surroundings)
  if (Either.isLeft(when)) errors.push({ field: `${place}.when`, ...when.left })
  const amounts = amountsOf(entry).flatMap(([field, amount]) => {
    const read = Expression.read(String(amount), "number", surroundings)
    if (Either.isRight(read)) return [{ field, value: read.right }]
    errors.push({ field: `${place}.${field}`, ...read.left })
    return []
  })
  if (Either.isLeft(when) || errors.length > 0) return Either.left(errors)
  return Either.right({ entry, when: when.right, parts: partsOf(entry.when, surroundings), amounts })
}

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
