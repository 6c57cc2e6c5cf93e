// What a sweep says of the luck in its first place.
import { expect, test } from "bun:test"
import { luckJson, luckLines } from "../../src/cli/sweep/luckText.ts"
import type { Luck } from "../../src/trading/luck/Luck.ts"

const LUCK: Luck = {
  trials: 100,
  days: 255,
  trades: 96,
  sharpe: 1.904,
  expected: 1.7,
  deflated: 0.9504,
  leastDays: 400,
  overfitting: { probability: 0.34, halvings: 12_870 },
  resampled: { net: { low: -120.5, high: 430 }, drawdown: { low: -0.22, high: -0.04 } },
  verdict: "holds"
}

test("each measure is a sentence with its numbers and what is enough", () => {
  expect(luckLines(LUCK, "USDT")).toEqual([
    "The first has a Sharpe ratio of 1.9 a year over 255 days of train. The luckiest of 100 trials without any skill would have about 1.7.",
    "The probability that it is better than such luck is 95 % (deflated Sharpe ratio; 95 % is enough).",
    "On halves of the days, halved in 12870 ways, the first of one half is in the lower half of the ranking in the other in 34 % (probability of overfitting; at most 50 % is enough).",
    "A single record as this one is better than 0 with 95 % from 400 days on; it has 255.",
    "Its 96 trades, drawn anew at random, come in nine of ten cases to a net result from -120.5 to 430 USDT and a deepest drawdown from -4 to -22 %.",
    "So the first may be called the best of them, as far as this record can tell."
  ])
})

test("only a first that holds is called the best", () => {
  for (const verdict of ["tooFew", "mayBeLuck"] as const) {
    const text = luckLines({ ...LUCK, verdict }, "USDT").join(" ")
    expect(text.replace("is not called the best here", "")).not.toContain("best")
  }
})

test("too few trades or days are said instead of any figure, and a long ratio that is missing breaks nothing", () => {
  const few: Luck = { ...LUCK, trades: 1, days: 2, verdict: "tooFew" }
  expect(luckLines(few, "USDT")).toEqual([
    "Too few to tell what is luck: the first has 1 trade in 2 days of train. Luck is measured from 30 trades and 12 days on."
  ])
  const bare: Luck = {
    ...LUCK,
    sharpe: undefined,
    deflated: undefined,
    leastDays: undefined,
    overfitting: undefined,
    resampled: undefined,
    verdict: "mayBeLuck"
  }
  expect(luckLines(bare, "USDT")).toHaveLength(2)
  expect(luckLines({ ...bare, trials: 1 }, "USDT")).toHaveLength(1)
  expect(luckJson(bare)).toMatchObject({
    sharpe: null,
    overfitting: null,
    net_pnl: null,
    verdict: "may_be_luck"
  })
  expect(luckJson(LUCK)).toMatchObject({
    net_pnl: [-120.5, 430],
    max_drawdown_pct: [-22, -4],
    verdict: "holds"
  })
})
