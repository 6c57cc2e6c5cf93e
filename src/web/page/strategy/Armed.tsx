// The entries that wait for the price to turn.
import { CancelButton } from "../byHand/HandButtons.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Price, Time } from "../parts/Value.tsx"
import type { Waiting } from "./board.ts"
import { MarketCell } from "./MarketCell.tsx"

interface Props {
  readonly id: number
  readonly armed: ReadonlyArray<Waiting>
  readonly refetch: () => void
}

export const Armed = ({ id, armed, refetch }: Props) =>
  armed.length === 0 ? null : (
    <Panel title="Waiting to enter">
      <Table
        label="Entries that wait for the price to turn"
        columns={[...COLUMNS, byHand(id, refetch)]}
        rows={armed}
        id={({ exchange, kind, pair }) => `${exchange} ${pair} ${kind}`}
      />
    </Panel>
  )

const COLUMNS: ReadonlyArray<Column<Waiting>> = [
  {
    key: "market",
    title: "Market",
    cell: (row) => <MarketCell {...row} />
  },
  { key: "extreme", title: "Best so far", align: "right", cell: ({ extreme }) => <Price value={extreme} /> },
  { key: "level", title: "Enters at", align: "right", cell: ({ level }) => <Price value={level} /> },
  { key: "tp", title: "Target", align: "right", wide: true, cell: ({ tp }) => <Price value={tp} /> },
  { key: "sl", title: "Stop", align: "right", wide: true, cell: ({ sl }) => <Price value={sl} /> },
  { key: "armed", title: "Since", align: "right", cell: ({ armed_at }) => <Time at={armed_at} relative /> }
]

const byHand = (id: number, refetch: () => void): Column<Waiting> => ({
  key: "hand",
  title: "By hand",
  cell: ({ exchange, kind, pair }) => (
    <CancelButton market={{ strategy_id: id, exchange, pair, kind }} onDone={refetch} />
  )
})
