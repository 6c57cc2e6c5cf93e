// Saves a result as a report, the page that `signalbox backtest --html` writes. Its template is fetched when it is
// wanted, and the report is put together in the browser.
import { statementOf } from "../../../domain/requests/StrategyStatement.ts"
import { documentOf } from "../../ReportDocument.ts"
import { after, now } from "../clock.ts"
import { toast } from "../parts/Toast.tsx"
import type { BacktestReport, Stretch } from "../report/report.ts"
import type { Draft } from "../strategies/form.ts"
import { fileNameOf } from "./fileName.ts"
import type { Result } from "./setup.ts"

/** Gives the browser the report of a back-test of these settings to keep as a file. */
export const saveReport = async (result: Result, strategy: Draft): Promise<void> => {
  try {
    const answer = await fetch(__REPORT__)
    if (!answer.ok) throw new Error("no template")
    const html = documentOf(await answer.text(), reportOf(result, strategy, now()))
    download(html, `${fileNameOf(strategy.name)}.html`)
  } catch {
    toast(
      "The report could not be made: the server is unreachable or has a new version. Reload the page.",
      "bad"
    )
  }
}

/** The report's content; `at` in ms. */
export const reportOf = (result: Result, strategy: Draft, at: number): BacktestReport => ({
  page: "backtest",
  title: `${strategy.name}: back-test`,
  made_at: Math.floor(at / 1000),
  version: __VERSION__,
  data: { result, statement: statementOf(strategy), settings: strategy, candles: stretchesOf(result) }
})

/** The stretches of the charts, which may show a market's spot and its perpetual with the same candles. */
const stretchesOf = ({ charts }: Result): ReadonlyArray<Stretch> =>
  charts.flatMap(({ chart: { candles }, exchange, pair }, index) => {
    const isFirst = charts.findIndex((it) => it.exchange === exchange && it.pair === pair) === index
    const [first, last] = [candles[0], candles.at(-1)]
    return !isFirst || first === undefined || last === undefined
      ? []
      : [{ exchange, pair, from: first[0], to: last[0] }]
  })

/** A browser may begin to write the file a while after the click. */
const KEPT_MS = 60_000

const download = (html: string, name: string): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([html], { type: "text/html" }))
  link.download = name
  link.click()
  after(KEPT_MS, () => URL.revokeObjectURL(link.href))
}
