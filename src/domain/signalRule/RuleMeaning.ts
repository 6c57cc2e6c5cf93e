// What a rule means, as a text: two rules that raise the same alerts by the same conditions have the same one, however
// they are spaced and wherever their params stand.
import * as Either from "effect/Either"
import { marketKey } from "../Market.ts"
import * as Expression from "./Expression.ts"
import { type RuleDocument, ruleOf } from "./RuleDocument.ts"
import type { Amount } from "./RuleEntry.ts"

/** The meaning of a rule. Blanks, brackets that change nothing, and where markets and params stand in their lists do not matter. */
export const meaningOf = (document: RuleDocument): string => {
  const { markets, on, params, schedule, timeframe, witness } = ruleOf(document)
  return JSON.stringify([
    markets.map(marketKey).sort(),
    timeframe,
    Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1)),
    on.map(({ buyPercentage, closePercent, reverse, sl, tp, tps, type, when }) => [
      ...[
        type,
        plain(when),
        plain(tp),
        plain(sl),
        reverse ?? null,
        plain(closePercent),
        plain(buyPercentage)
      ],
      tps?.map(({ percent, price }) => [plain(price), percent]) ?? null
    ]),
    schedule.map(({ cron, timezone, type }) => [type, cron.trim().split(/\s+/), timezone]),
    ...(witness === undefined ? [] : [[witness.mode, witness.seconds]])
  ])
}

const plain = (amount: Amount | undefined): string | null => {
  if (amount === undefined) return null
  const tree = Expression.syntax(String(amount))
  return Either.isRight(tree) ? Expression.format(tree.right) : String(amount)
}
