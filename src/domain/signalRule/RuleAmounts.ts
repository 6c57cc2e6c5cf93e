// What an entry of a rule may say besides its type: which fields go with which alert, and the bounds of those that never
// change.
import type { AlertType } from "../Alert.ts"
import { type ExtraName, goesWith, typesOf } from "../alert/AlertExtras.ts"
import { countError, percentsError } from "../position/Ladder.ts"
import { isPrice, PRICE_WORDS } from "../requests/Bounds.ts"
import type { RuleEntry } from "./RuleEntry.ts"
import { errorAt, type RuleError } from "./RuleError.ts"

/** Errors of an entry's fields, their expressions apart. `place` is that of the entry, as `on[0]`. */
export const fieldErrors = (entry: RuleEntry, place: string): ReadonlyArray<RuleError> => {
  const given: ReadonlyArray<readonly [ExtraName, unknown]> = [
    ["close_percent", entry.closePercent],
    ["reverse", entry.reverse],
    ["tps", entry.tps],
    ["buy_percentage", entry.buyPercentage]
  ]
  const errors = given.flatMap(([name, value]) =>
    value === undefined || goesWith(name, entry.type)
      ? []
      : [errorAt(`${place}.${name}`, `goes with ${typesOf(name)}: leave it out of a ${entry.type}`)]
  )
  if (entry.tps === undefined) return errors
  if (entry.tp !== undefined)
    errors.push(errorAt(`${place}.tps`, "is a ladder in place of tp: give one of the two"))
  const wrong = countError(entry.tps) ?? stepsError(entry.tps, `${place}.tps`)
  if (wrong !== undefined) errors.push(typeof wrong === "string" ? errorAt(`${place}.tps`, wrong) : wrong)
  return errors
}

const stepsError = (steps: NonNullable<RuleEntry["tps"]>, place: string): RuleError | string | undefined => {
  const wrong = steps.findIndex(({ percent }) => !(percent > 0 && percent <= 100))
  if (wrong >= 0) return errorAt(`${place}[${wrong}].percent`, "must be above 0 and at most 100")
  return percentsError(steps.map(({ percent }) => percent))
}

/** What is wrong with an amount that never changes; undefined if nothing is. */
export const amountError = (field: string, value: number, type: AlertType): string | undefined => {
  if (field === "close_percent")
    return value > 0 && value <= 100 ? undefined : "must be a percentage above 0 and at most 100"
  if (field === "buy_percentage")
    return value >= 0 && value <= 100 ? undefined : "must be a percentage from 0 to 100"
  if (CLOSING.has(type)) return undefined
  return isPrice(value) ? undefined : `must be ${PRICE_WORDS}`
}

/** Alerts that close: their targets are ignored. */
const CLOSING: ReadonlySet<AlertType> = new Set(["sell", "close_long", "close_short"] as const)
