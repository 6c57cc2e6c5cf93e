// The report of a back-test: its result as the dashboard shows it, and everything that is needed to run it again.
import { factsOf, ResultPanels } from "../backtest/Result.tsx"
import * as Format from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Count } from "../parts/Value.tsx"
import type { BacktestData, Stretch } from "./report.ts"

export const Backtest = ({ data }: { data: BacktestData }) => (
  <>
    <p class="quiet">{factsOf(data.result)}</p>
    <ResultPanels result={data.result} />
    <Panel title="Settings in words">
      <p class="statement">{data.statement.join(" ")}</p>
    </Panel>
    <Panel title="Candles">
      <Table
        label="Candles of the back-test"
        columns={STRETCHES}
        rows={data.candles}
        id={({ exchange, pair }) => `${exchange} ${pair}`}
      />
    </Panel>
    <Panel title="Settings as JSON">
      <details class="settings">
        <summary>Show the strategy's file</summary>
        <pre>{JSON.stringify(data.settings, null, 2)}</pre>
      </details>
    </Panel>
  </>
)

const STRETCHES: ReadonlyArray<Column<Stretch>> = [
  { key: "market", title: "Market", cell: ({ exchange, pair }) => `${pair} on ${exchange}` },
  { key: "from", title: "First candle", cell: ({ from }) => Format.utc(from) },
  { key: "to", title: "Last candle", cell: ({ to }) => Format.utc(to) },
  { key: "candles", title: "Candles", align: "right", cell: ({ candles }) => <Count value={candles} /> }
]
