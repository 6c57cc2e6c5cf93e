// The instruction in an alert of a rule: its amounts as the fields of an alert, within the bounds that an alert from
// outside keeps. An entry never loses its stop, its targets or its size on the way: it is withheld.
import * as Either from "effect/Either"
import type { AlertType, Extras } from "../../domain/Alert.ts"
import { isPrice } from "../../domain/requests/Bounds.ts"
import type { RuleEntry } from "../../domain/signalRule/SignalRule.ts"
import type { RuleAlert } from "./RuleAlerts.ts"

/** What an alert of a rule instructs. Prices in quote, percentages as in an alert. */
export interface RuleInstruction extends Extras {
  readonly type: AlertType
  readonly tp?: number
  readonly sl?: number
}

const CLOSING: ReadonlySet<AlertType> = new Set(["sell", "close_long", "close_short"] as const)

/**
 * The instruction, or why the alert is withheld.
 *
 * 1. An entry is withheld where one of its amounts has no value, or one that an alert cannot have.
 * 2. A closing alert closes everything where its part has no value or is over 100 %, and is withheld where it is not
 *    above 0. Its targets are ignored.
 */
export const instructionOf = (entry: RuleEntry, alert: RuleAlert): Either.Either<RuleInstruction, string> =>
  CLOSING.has(entry.type) ? closing(entry, alert) : opening(entry, alert)

const closing = ({ type }: RuleEntry, { amounts }: RuleAlert): Either.Either<RuleInstruction, string> => {
  const percent = amounts.get("closePercent")
  if (percent === undefined || percent > 100) return Either.right({ type })
  return percent > 0
    ? Either.right({ type, closePercent: percent })
    : Either.left("its close_percent is not above 0")
}

const opening = (
  entry: RuleEntry,
  { amounts, missing }: RuleAlert
): Either.Either<RuleInstruction, string> => {
  const [lacking] = missing
  if (lacking !== undefined) return Either.left(`its ${wireOf(lacking)} has no value`)
  const [tp, sl, size] = [amounts.get("tp"), amounts.get("sl"), amounts.get("buyPercentage")]
  for (const [name, price] of amounts)
    if (name !== "buyPercentage" && !isPrice(price)) return Either.left(`its ${name} is not a price`)
  if (size !== undefined && !(size >= 0 && size <= 100))
    return Either.left("its buy_percentage is not from 0 to 100")
  const tps = entry.tps?.map(({ percent }, index) => ({
    price: amounts.get(`tps[${index}].price`) ?? Number.NaN,
    percent
  }))
  if (tps !== undefined && !isLadder(tps, entry.type))
    return Either.left("the prices of its tps do not go in the direction of profit")
  return Either.right({
    type: entry.type,
    ...(tp === undefined ? {} : { tp }),
    ...(sl === undefined ? {} : { sl }),
    ...(tps === undefined ? {} : { tps }),
    ...(entry.reverse === undefined ? {} : { reverse: entry.reverse }),
    ...(size === undefined ? {} : { buyPercentage: size })
  })
}

/** The field's name as a rule is written. */
const wireOf = (field: string): string => (field === "buyPercentage" ? "buy_percentage" : field)

const isLadder = (steps: ReadonlyArray<{ readonly price: number }>, type: AlertType): boolean =>
  steps.every(({ price }, index) => {
    const before = steps[index - 1]?.price
    return before === undefined || (type === "short" ? price < before : price > before)
  })
