// What a candle costs in a back-test: looking past it, and deciding at the few that matter.
import { CANDLES, prepared, walkOf } from "../backtest.ts"
import type { Costs } from "./Costs.ts"
import { byTurns, type Rules, scaled } from "./Samples.ts"

const WARM_UPS = 10
const TURNS = 8
const ROUNDS = 10

const RULES: Rules = [
  ["looked at: candles that change nothing", /watch\/Scan\.ts/],
  ["looked at: the window of a slot, made anew after each event", /trading\/Watch\.ts|backtest\/Tracks\.ts/],
  ["looked at: the path of a candle that matters", /backtest\/(?:Walk|CandlePath|DueAlert)\.ts/],
  ["looked at: levels of the rules", /trading\/rules\/|trading\/Prices\.ts/],
  [
    "decided: alerts, sizes and orders",
    /trading\/(?:bot\/|Bot|Routing|Sizing|Risk|Decision|EntryOutlook|AlertPatience)/
  ],
  ["written: fills, fees, positions, ledger", /trading\/books\/|domain\/(?:Fill|Order|Position|Trade)\.ts/],
  ["exact decimals", /domain\/Decimal\.ts|BigDecimal|bigDecimal/],
  ["written: figures of the trades", /trading\/(?:Performance|FoldingFigure)/],
  ["the run itself: state, context, lists", /trading\/(?:Backtest\.ts|backtest\/)|domain\//]
]

export const candle = async (): Promise<Costs> => {
  const { engine } = prepared(walkOf(CANDLES), CANDLES)
  for (let round = 0; round < WARM_UPS; round++) engine()
  const found = await byTurns(RULES, TURNS, () => () => {
    for (let round = 0; round < ROUNDS; round++) engine()
    return ROUNDS * CANDLES
  })
  return {
    name: "backtest",
    what: "one candle of 1,000,000, all rules on",
    unit: "ns",
    ...scaled(found, 1e6)
  }
}
