// What an order by hand did, or would do, in a sentence with its numbers.
import * as Decimal from "../../domain/Decimal.ts"
import { baseOf, type MarketId, quoteOf } from "../../domain/Market.ts"
import type { ManualOutcome } from "../../domain/position/ManualOrder.ts"
import type { ClosePlan, ManualAnswer } from "./ManualAnswer.ts"

/** The sentence; without an outcome it is a preview's. */
export const wordsOf = (answer: ManualAnswer, id: MarketId, outcome: ManualOutcome | undefined): string => {
  const isPreview = outcome === undefined
  switch (answer._tag) {
    case "Closing":
      return `${closing(answer, outcome)}${amounts(answer.plan, id, outcome)}.`
    case "EntryCancelled":
      return isPreview
        ? `Would cancel the waiting entry in ${id.pair}.`
        : `The waiting entry in ${id.pair} is cancelled.`
    case "Cancelling":
      return isPreview
        ? `Would ask the exchange to cancel the entry order ${answer.order} for ${id.pair}; what has filled of it stays.`
        : `The exchange is asked to cancel the entry order ${answer.order} for ${id.pair}; what has filled of it stays.`
    case "Retargeted":
      return isPreview
        ? `Would set new targets for the position in ${id.pair}.`
        : `The position in ${id.pair} has new targets.`
    case "Refused":
      return answer.detail
    case "Unfit":
      return [answer.tp, answer.sl].filter((text) => text !== undefined).join("; ")
  }
}

const closing = (
  { isWaiting, plan: { side } }: Extract<ManualAnswer, { readonly _tag: "Closing" }>,
  outcome: ManualOutcome | undefined
): string => {
  const [verb, past] = side === "long" ? ["sell", "Sold"] : ["buy back", "Bought back"]
  if (outcome === "closed" || outcome === "reduced") return past
  if (outcome === undefined) return `Would ${verb}`
  return isWaiting ? `As soon as the stop at the exchange is cancelled, will ${verb}` : `Ordered to ${verb}`
}

const amounts = (plan: ClosePlan, { pair }: MarketId, outcome: ManualOutcome | undefined): string => {
  const [base, quote] = [baseOf(pair), quoteOf(pair)]
  const isDone = outcome === "closed" || outcome === "reduced"
  const share = plan.closesAll ? "all of the position" : `${percent(plan.percent)} % of the position`
  const gain = Decimal.isNegative(plan.pnl) ? "loss" : "profit"
  const rest = plan.isRestTooSmall
    ? "; all is closed, because the rest would be under the market's minimum"
    : plan.closesAll
      ? ""
      : `; ${figure(plan.left)} ${base} are left`
  return ` ${figure(plan.quantity)} ${base}, ${share}, at ${isDone ? "" : "about "}${plan.price}: ${figure(plan.proceeds)} ${quote} after a fee of ${figure(plan.fee)}, a ${gain} of ${figure(Decimal.isNegative(plan.pnl) ? Decimal.negate(plan.pnl) : plan.pnl)} (${percent(plan.profitPercent)} %)${rest}`
}

const percent = (value: number): string => String(Number(value.toFixed(2)))
const figure = (value: Decimal.Decimal): string => String(Number(Decimal.approximate(value).toPrecision(10)))
