// The trades of a back-test, at most a thousand, sorted and paged in the browser.
import { useState } from "preact/hooks"
import * as Format from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { Pager } from "../parts/Pager.tsx"
import { Empty } from "../parts/States.tsx"
import { type Sorting, sorted } from "../parts/sort.ts"
import { Table } from "../parts/Table.tsx"
import { exitsBelow, tradeColumns } from "../strategy/TradeTable.tsx"
import type { Result } from "./setup.ts"

const ROWS = 25

export const Trades = ({
  trades,
  total,
  currency
}: {
  trades: Result["trades"]
  total: number
  currency: string
}) => {
  const [sorting, setSorting] = useState<Sorting>({ by: "closed_at", down: true })
  const [offset, setOffset] = useState(0)
  const columns = tradeColumns(() => currency)
  const shown = sorted(trades, columns, sorting).slice(offset, offset + ROWS)
  return (
    <Panel title="Trades">
      {total > trades.length ? (
        <p class="quiet">
          The last {Format.count(trades.length)} of {Format.count(total)}; the figures include all of them.
        </p>
      ) : null}
      <Table
        label="Trades of the back-test"
        columns={columns}
        rows={shown}
        id={({ id }) => id}
        below={exitsBelow}
        sorting={sorting}
        onSort={(next) => {
          setSorting(next)
          setOffset(0)
        }}
        empty={<Empty title="No trade was completed" />}
      />
      {trades.length <= ROWS ? null : (
        <Pager
          previous={offset > 0}
          next={offset + ROWS < trades.length}
          onPrevious={() => setOffset(Math.max(0, offset - ROWS))}
          onNext={() => setOffset(offset + ROWS)}
          words={["Previous", "Next"]}
        >
          {`${offset + 1} to ${offset + shown.length} of ${trades.length}`}
        </Pager>
      )}
    </Panel>
  )
}
