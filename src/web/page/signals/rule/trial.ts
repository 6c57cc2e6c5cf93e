// The back-test of a signal's rule in one click: which candles it takes, and by which settings it trades. Pure.
import { millisOf, timeframeOf } from "../../../../domain/candles/Timeframe.ts"
import type { Recording } from "../../backtest/setup.ts"
import type { Draft } from "../../strategies/form.ts"
import type { Request } from "../../wire.ts"
import type { Market, RuleChart } from "./chart.ts"
import type { Rule } from "./draft.ts"

const DAY = 86_400
/** The days that are tested, by the length of the candles: enough of them to see something. */
const FEW_DAYS = 7
const USUAL_DAYS = 30
const MANY_DAYS = 90
/** The most days that are downloaded, with those that indicators need before. */
const MOST_DAYS = 400
/** Candles are missing where nothing was traded. */
const SPARE = 1.2

/** The days that are tested. */
export const daysOf = ({ timeframe }: Pick<Rule, "timeframe">): number => {
  const seconds = millisOf(timeframe) / 1000
  if (seconds < 1800) return FEW_DAYS
  return seconds <= 3600 ? USUAL_DAYS : MANY_DAYS
}

/** The days to download, so that indicators are warm at the first day that is tested. */
export const daysToFetch = (rule: Pick<Rule, "timeframe">, needs: RuleChart["needs"]): number => {
  const earlier = needs.map(
    ({ candles, timeframe }) => (candles * SPARE * millisOf(timeframeOf(timeframe) ?? "1d")) / 1000 / DAY
  )
  return Math.min(MOST_DAYS, daysOf(rule) + Math.ceil(Math.max(0, ...earlier)))
}

/** The stored candles of a market. */
export const storedOf = (
  recordings: ReadonlyArray<Recording>,
  { exchange, kind, pair }: Market
): Recording | undefined =>
  recordings.find((it) => it.exchange === exchange && it.kind === kind && it.pair === pair)

/** The settings of a trial without a strategy: the whole balance, in and out by the alerts alone. */
export const plainStrategy = ({ exchange, pair }: Market): Draft => ({
  name: "The rule alone",
  description: "",
  active: true,
  public: false,
  default_quote_currency: pair.split("/")[1] ?? "USDT",
  default_exchange_name: exchange,
  buy_percentage: 100,
  exchanges: [{ exchange_name: exchange, coin_pairs: [pair] }]
})

/** The request: the last days that are stored of the market. */
export const payloadOf = (
  strategy: Draft,
  rule: Rule,
  { exchange, from, kind, pair, to }: Recording
): Request<"backtests", "run">["payload"] => ({
  strategy: { ...strategy, active: true },
  candles: [{ pair, exchange, kind, from: Math.max(from, to - daysOf(rule) * DAY), to }],
  rule
})
