// What is needed to run a test again: the candles, and the settings as JSON.
import * as Format from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Count } from "../parts/Value.tsx"
import type { Stretch } from "./report.ts"

export const RunAgain = ({ candles, settings }: { candles: ReadonlyArray<Stretch>; settings: unknown }) => (
  <>
    <Panel title="Candles">
      <Table
        label="Candles"
        columns={STRETCHES}
        rows={candles}
        id={({ exchange, pair }) => `${exchange} ${pair}`}
      />
    </Panel>
    <Panel title="Settings as JSON">
      <details class="settings">
        <summary>Show the strategy's file</summary>
        <pre>{JSON.stringify(settings, null, 2)}</pre>
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
