// The trades of a what-if side by side: those that the same alert opened stand in one row.
import { useState } from "preact/hooks"
import * as Format from "../../parts/format.ts"
import { Pager } from "../../parts/Pager.tsx"
import { Empty } from "../../parts/States.tsx"
import { type Sorting, sorted } from "../../parts/sort.ts"
import { type Column, Table } from "../../parts/Table.tsx"
import { Moment, Money } from "../../parts/Value.tsx"
import { exitTitle, marketOf } from "../board.ts"
import { type MatchedTrade, SIDES, type SideName, type Tried, titleOf } from "./tried.ts"

const ROWS = 25

export const MatchedTrades = ({ of }: { of: Tried }) => {
  const [sorting, setSorting] = useState<Sorting>({ by: "opened_at", down: true })
  const [offset, setOffset] = useState(0)
  const columns = columnsOf(of)
  const shown = sorted(of.trades, columns, sorting).slice(offset, offset + ROWS)
  return (
    <>
      <h3>Trades side by side</h3>
      {of.trades_total > of.trades.length ? (
        <p class="quiet">
          The last {Format.count(of.trades.length)} of {Format.count(of.trades_total)}; the sums have all of
          them.
        </p>
      ) : null}
      <Table
        label="Trades side by side"
        columns={columns}
        rows={shown}
        id={({ alert_id, exchange, kind, pair }) => `${exchange} ${pair} ${kind} ${alert_id}`}
        sorting={sorting}
        onSort={(next) => {
          setSorting(next)
          setOffset(0)
        }}
        empty={<Empty title="No trade was completed, really or in a test" />}
      />
      {of.trades.length <= ROWS ? null : (
        <Pager
          previous={offset > 0}
          next={offset + ROWS < of.trades.length}
          onPrevious={() => setOffset(Math.max(0, offset - ROWS))}
          onNext={() => setOffset(offset + ROWS)}
          words={["Previous", "Next"]}
        >
          {`${offset + 1} to ${offset + shown.length} of ${of.trades.length}`}
        </Pager>
      )}
    </>
  )
}

const columnsOf = (of: Tried): ReadonlyArray<Column<MatchedTrade>> => [
  {
    key: "opened_at",
    title: "Opened",
    sort: ({ opened_at }) => opened_at,
    cell: ({ opened_at }) => <Moment at={opened_at} />
  },
  {
    key: "pair",
    title: "Market",
    sort: ({ pair }) => pair,
    cell: (trade) => (
      <span class="whole-words">
        {trade.side}
        <span class="under">{marketOf(trade)}</span>
      </span>
    )
  },
  ...SIDES.map(
    (side: SideName): Column<MatchedTrade> => ({
      key: side,
      title: titleOf(side, of),
      align: "right",
      sort: (trade) => trade[side]?.pnl,
      cell: (trade) => <Outcome of={trade[side]} />
    })
  )
]

const Outcome = ({ of }: { of: MatchedTrade[SideName] }) =>
  of === null ? (
    <span class="quiet">–</span>
  ) : (
    <span>
      <Money value={of.pnl} sign />
      <span class="under">{exitTitle(of.exit_reason)}</span>
    </span>
  )
