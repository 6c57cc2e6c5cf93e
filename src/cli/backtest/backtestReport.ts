// Makes the data of a back-test's report from its run: the answer of the HTTP interface with more candles and trades, and
// the settings in words and as JSON.
import { statedOf, statementOf } from "../../domain/requests/StrategyStatement.ts"
import { rows } from "../../domain/requests/StrategyView.ts"
import { type Outcome, shownInReport, viewOf } from "../../trading/backtest/BacktestView.ts"
import type { BacktestReport, Stretch } from "../../web/page/report/report.ts"
import type { StrategyRead } from "./files.ts"

/** The fields of requests. Other fields of a strategy's file change nothing. */
const KNOWN: ReadonlySet<string> = new Set(rows.map(({ request }) => request))

/** The page's name, title and data. `body` is the strategy's file. */
export const reportOf = (
  outcome: Outcome,
  body: StrategyRead["body"]
): Pick<BacktestReport, "page" | "title" | "data"> => ({
  page: "backtest",
  title: `${outcome.settings.name}: back-test`,
  data: {
    result: viewOf(outcome, shownInReport(outcome.series.length)),
    statement: statementOf(statedOf(outcome.settings)),
    settings: settingsShown(body),
    candles: stretchesOf(outcome.series)
  }
})

/** The settings of a strategy's file. */
export const settingsShown = (body: StrategyRead["body"]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => KNOWN.has(name)))

/** The candles of each market. */
export const stretchesOf = (series: Outcome["series"]): ReadonlyArray<Stretch> =>
  series.map(({ columns: { at, length }, exchange, pair }) => ({
    exchange,
    pair,
    from: Math.floor((at[0] ?? 0) / 1000),
    to: Math.floor((at[length - 1] ?? 0) / 1000),
    candles: length
  }))
