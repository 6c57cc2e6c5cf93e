// How much of a what-if may be luck, in sentences for people.
import * as Decimal from "../../domain/Decimal.ts"
import { LEAST_COMPARED_DAYS } from "../luck/Blocks.ts"
import { CONFIDENCE, LEAST_TRADES } from "../luck/Luck.ts"
import type { TryLuck } from "./TryLuck.ts"

/** The sentences. Money is in `currency`. */
export const luckLines = (luck: TryLuck, currency: string): ReadonlyArray<string> => [
  countLine(luck, currency),
  ...(luck.verdict === "tooFew" ? [] : deflatedLine(luck)),
  ...intervalLine(luck, currency),
  verdictLine(luck)
]

const countLine = ({ luckyNet, tries, verdict }: TryLuck, currency: string): string => {
  if (tries === 1)
    return "One what-if was tried on this stretch. One try is not proof: the past that it fits does not come again."
  const tried = `${tries} what-ifs were tried on this stretch.`
  return verdict === "tooFew"
    ? `${tried} The best of ${tries} is lucky; by how much, so little cannot tell.`
    : `${tried} The best of ${tries} is lucky by about ${rounded(luckyNet, 2)} ${currency}: so much would it show if none of them were any better.`
}

const deflatedLine = ({ deflated, expected, sharpe }: TryLuck): ReadonlyArray<string> =>
  deflated === undefined || sharpe === undefined
    ? []
    : [
        `Its Sharpe ratio is ${rounded(sharpe, 2)} a year, that of the luckiest without any skill about ${rounded(expected, 2)}. The probability that it is better than such luck is ${rounded(deflated * 100, 1)} % (deflated Sharpe ratio; ${CONFIDENCE * 100} % is enough).`
      ]

const intervalLine = ({ interval, trades }: TryLuck, currency: string): ReadonlyArray<string> =>
  interval === undefined
    ? []
    : [
        `Its ${counted(trades, "trade")}, drawn anew at random, come in nine of ten cases to a net result from ${rounded(interval.low, 2)} to ${rounded(interval.high, 2)} ${currency}.`
      ]

const verdictLine = ({ days, trades, verdict }: TryLuck): string => {
  switch (verdict) {
    case "tooFew":
      return `Too few to tell what is luck: ${counted(trades, "trade")} in ${counted(days, "day")}. Luck is measured from ${LEAST_TRADES} trades and ${LEAST_COMPARED_DAYS} days on.`
    case "mayBeLuck":
      return "So nothing shows that the changed settings are better than luck."
    case "holds":
      return "So this is more than luck, as far as this record can tell. It still is the past."
  }
}

const rounded = (value: number, places: number): string =>
  Decimal.toText(Decimal.fromNumber(Number(value.toFixed(places))))

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`
