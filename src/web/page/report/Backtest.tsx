// The report of a back-test: its result as the dashboard shows it, and everything that is needed to run it again.
import { factsOf, ResultPanels } from "../backtest/Result.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { RunAgain } from "./RunAgain.tsx"
import type { BacktestData } from "./report.ts"

export const Backtest = ({ data }: { data: BacktestData }) => (
  <>
    <p class="quiet">{factsOf(data.result)}</p>
    <ResultPanels result={data.result} />
    <Panel title="Settings in words">
      <p class="statement">{data.statement.join(" ")}</p>
    </Panel>
    <RunAgain settings={data.settings} candles={data.candles} />
  </>
)
