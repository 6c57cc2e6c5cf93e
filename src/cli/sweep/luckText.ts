// The luck in a sweep's first place, in sentences and as JSON.
import { LEAST_COMPARED_DAYS } from "../../trading/luck/Blocks.ts"
import type { Interval } from "../../trading/luck/Bootstrap.ts"
import {
  CONFIDENCE,
  LEAST_TRADES,
  type Luck,
  MOST_OVERFITTING,
  type Verdict
} from "../../trading/luck/Luck.ts"
import { valueText } from "../../trading/sweep/SweepGrid.ts"
import { MOST_COMPARED } from "./luck.ts"

/** What may be said of the first place. Only one that holds is called the best. */
export const luckLines = (luck: Luck, currency: string): ReadonlyArray<string> => {
  const { days, trades, verdict } = luck
  return verdict === "tooFew"
    ? [
        `Too few to tell what is luck: the first has ${counted(trades, "trade")} in ${counted(days, "day")} of train. Luck is measured from ${LEAST_TRADES} trades and ${LEAST_COMPARED_DAYS} days on.`
      ]
    : [
        ...deflatedLines(luck),
        ...overfittingLines(luck),
        ...lengthLines(luck),
        ...resampledLines(luck, currency),
        VERDICTS[verdict]
      ]
}

const VERDICTS: Readonly<Record<Exclude<Verdict, "tooFew">, string>> = {
  holds: "So the first may be called the best of them, as far as this record can tell.",
  mayBeLuck: "So nothing shows that the first is better than luck, and it is not called the best here."
}

const deflatedLines = ({ days, deflated, expected, sharpe, trials }: Luck): ReadonlyArray<string> =>
  deflated === undefined || sharpe === undefined
    ? []
    : [
        `The first has a Sharpe ratio of ${two(sharpe)} a year over ${counted(days, "day")} of train. The luckiest of ${counted(trials, "trial")} without any skill would have about ${two(expected)}.`,
        `The probability that it is better than such luck is ${percent(deflated)} % (deflated Sharpe ratio; ${percent(CONFIDENCE)} % is enough).`
      ]

const overfittingLines = ({ overfitting, trials }: Luck): ReadonlyArray<string> => {
  if (trials < 2) return []
  if (overfitting === undefined)
    return [
      `More than ${MOST_COMPARED} combinations are not compared on halves of the days: use --sample ${MOST_COMPARED}.`
    ]
  const { halvings, probability } = overfitting
  return [
    `On halves of the days, halved in ${halvings} ways, the first of one half is in the lower half of the ranking in the other in ${percent(probability)} % (probability of overfitting; at most ${percent(MOST_OVERFITTING)} % is enough).`
  ]
}

export const lengthLines = ({ days, leastDays }: Luck): ReadonlyArray<string> =>
  leastDays === undefined
    ? []
    : [
        `A single record as this one is better than 0 with ${percent(CONFIDENCE)} % from ${counted(leastDays, "day")} on; it has ${days}.`
      ]

export const resampledLines = ({ resampled, trades }: Luck, currency: string): ReadonlyArray<string> =>
  resampled === undefined
    ? []
    : [
        `Its ${counted(trades, "trade")}, drawn anew at random, come in nine of ten cases to a net result from ${two(resampled.net.low)} to ${two(resampled.net.high)} ${currency} and a deepest drawdown from ${percent(resampled.drawdown.high)} to ${percent(resampled.drawdown.low)} %.`
      ]

/** The JSON under `luck`. Probabilities are from 0 to 1; null where nothing can be said. */
export const luckJson = (luck: Luck) => {
  const { overfitting, resampled } = luck
  return {
    trials: luck.trials,
    days: luck.days,
    trades: luck.trades,
    sharpe: rounded(luck.sharpe),
    expected_best_sharpe: rounded(luck.expected),
    deflated_sharpe: rounded(luck.deflated),
    overfitting: rounded(overfitting?.probability),
    halvings: overfitting?.halvings ?? 0,
    least_days: luck.leastDays ?? null,
    net_pnl: resampled === undefined ? null : ends(resampled.net, 1),
    max_drawdown_pct: resampled === undefined ? null : ends(resampled.drawdown, 100),
    verdict: NAMES[luck.verdict]
  }
}

const NAMES: Readonly<Record<Verdict, string>> = {
  holds: "holds",
  mayBeLuck: "may_be_luck",
  tooFew: "too_few"
}

const ends = ({ high, low }: Interval, factor: number) => [rounded(low * factor), rounded(high * factor)]
const rounded = (value: number | undefined) => (value === undefined ? null : Number(value.toFixed(4)))
export const two = (value: number): string => valueText(Number(value.toFixed(2)))
export const percent = (share: number): string => valueText(Number((share * 100).toFixed(1)))
export const counted = (count: number, noun: string, plural = "s"): string =>
  `${count} ${noun}${count === 1 ? "" : plural}`
