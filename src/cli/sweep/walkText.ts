// Prints a walk: a row for each stretch, how stable the choices are, and what the joined record says.
import type { Summary } from "../../domain/Performance.ts"
import * as EquityFold from "../../trading/equity/EquityFold.ts"
import { LEAST_COMPARED_DAYS } from "../../trading/luck/Blocks.ts"
import { LEAST_TRADES, MOST_OVERFITTING, type Verdict } from "../../trading/luck/Luck.ts"
import type { Figure } from "../../trading/sweep/SweepFigures.ts"
import { combination, valueText } from "../../trading/sweep/SweepGrid.ts"
import { WALK_CONFIDENCE } from "../../trading/sweep/WalkForward.ts"
import { wordsOf } from "../backtest/fills.ts"
import { columns, moment } from "../program/table.ts"
import { counted, lengthLines, percent, resampledLines, two } from "./luckText.ts"
import type { Step, WalkOutcome } from "./walk.ts"

/** The whole text. */
export const walkText = (outcome: WalkOutcome): string =>
  [stretches(outcome), stabilityTable(outcome), walkLines(outcome).join("\n")].join("\n\n")

const stretches = ({ grid, rank, steps }: WalkOutcome): string => {
  const names = grid.map(({ field }) => field)
  const head = [
    "#",
    "train from",
    "test from",
    "test to",
    ...names,
    `train_${rank}`,
    `test_${rank}`,
    "joined %",
    "equity"
  ]
  const rows = steps.map(({ choice, leg, stretch }, at) => [
    String(at + 1),
    ...[stretch.from, stretch.testFrom, stretch.to].map((time) => moment(time / 1000)),
    ...(choice === undefined
      ? names.map(() => "-")
      : combination(grid, choice.index).map((value) => valueText(value) || "-")),
    cell(choice?.train, rank),
    cell(choice?.test, rank),
    percent(gainOf({ leg })),
    two(leg.ending)
  ])
  return columns(head, rows)
}

const cell = (summary: Summary | undefined, figure: Figure): string =>
  (summary && valueText(summary[figure])) || "-"

/** The joined return of a stretch, as a fraction. */
export const gainOf = ({ leg }: Pick<Step, "leg">): number =>
  leg.starting > 0 ? leg.ending / leg.starting - 1 : 0

const stabilityTable = ({ stability }: WalkOutcome): string =>
  columns(
    ["setting", "most often", "in % of stretches", "different values", "changes"],
    stability.map(({ changes, field, share, value, values }) => [
      field,
      value || "-",
      percent(share),
      String(values),
      String(changes)
    ])
  )

/** What was done and what came of it, a sentence each. */
export const walkLines = (outcome: WalkOutcome): ReadonlyArray<string> => {
  const { currency, fillModel, luck } = outcome
  return [
    ...(fillModel === undefined ? [] : [wordsOf(fillModel)]),
    ...triedLines(outcome),
    ...joinedLines(outcome),
    efficiencyLine(outcome),
    ...(luck.verdict === "tooFew"
      ? [
          `Too few to tell what is luck: the joined record has ${counted(luck.trades, "trade")} in ${counted(luck.days, "day")}. Luck is measured from ${LEAST_TRADES} trades and ${LEAST_COMPARED_DAYS} days on.`
        ]
      : [
          ...ratioLines(outcome),
          ...lengthLines(luck),
          ...resampledLines(luck, currency),
          LOW_END,
          VERDICTS[luck.verdict]
        ]),
    "If you try other lengths or other grids after this walk, you choose among walks as well: that is not counted here."
  ]
}

const VERDICTS: Readonly<Record<Exclude<Verdict, "tooFew">, string>> = {
  holds: "So choosing settings in this way does better than luck, as far as this record can tell.",
  mayBeLuck: "So nothing shows that choosing settings in this way does better than luck."
}

const LOW_END = "The low end of that net result has to be above 0."

const triedLines = ({
  combinations,
  ran,
  rank,
  skipped,
  steps,
  walk
}: WalkOutcome): ReadonlyArray<string> => {
  const invalid = skipped === 0 ? "" : `, ${skipped} were invalid and skipped`
  const begin = walk.isAnchored
    ? `all that lies before it, ${walk.trainDays} days at least`
    : `the ${walk.trainDays} days before it`
  const unchosen = steps.filter(({ choice }) => choice === undefined).length
  const overran = steps.filter(({ leg }) => leg.overran).length
  return [
    `${ran} of ${combinations} combinations were tried on ${counted(steps.length, "stretch", "es")}${invalid}. Each test of ${walk.testDays} days was traded with the settings that rank first by ${rank} on ${begin}.`,
    ...(unchosen === 0
      ? []
      : [`On ${unchosen} of them no combination had a result: nothing was traded there.`]),
    ...(overran === 0
      ? []
      : [`In ${overran} of the tests the bot acted without end: they count as not traded.`])
  ]
}

const joinedLines = ({ currency, joined, steps }: WalkOutcome): ReadonlyArray<string> => {
  const { state } = joined
  const gained = steps.filter(({ leg }) => leg.ending > leg.starting).length
  return [
    `Joined, the tests make ${two(state.equity)} ${currency} of ${two(state.starting)} (${percent(EquityFold.totalReturn(state))} %) with ${counted(joined.results.length, "trade")} and a deepest drawdown of ${percent(state.drawdown)} %, open positions included; ${gained} of ${steps.length} gained. What is open at the end of a test is sold there.`
  ]
}

const efficiencyLine = ({ efficiency: { efficiency, test, train } }: WalkOutcome): string => {
  const both = `${perDay(test)} % a day in test, ${perDay(train)} % a day in train`
  return efficiency === undefined
    ? `The chosen settings made ${both}. They did not gain in train, so that there is no efficiency.`
    : `The chosen settings made ${both}: an efficiency of ${percent(efficiency)} %.`
}

const perDay = (share: number): string => valueText(Number((share * 100).toFixed(4)))

const ratioLines = ({ luck }: WalkOutcome): ReadonlyArray<string> => {
  const { deflated, overfitting, sharpe } = luck
  return [
    ...(deflated === undefined || sharpe === undefined
      ? []
      : [
          `The joined record has a Sharpe ratio of ${two(sharpe)} a year over ${counted(luck.days, "day")}. The probability that it is above 0 and not luck is ${percent(deflated)} % (${percent(WALK_CONFIDENCE)} % is enough).`
        ]),
    ...(overfitting === undefined
      ? []
      : [
          `In ${percent(overfitting.probability)} % of the stretches the chosen settings are in the lower half of the ranking in test (at most ${percent(MOST_OVERFITTING)} % is enough).`
        ])
  ]
}
