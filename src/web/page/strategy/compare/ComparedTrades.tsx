// The trades of a comparison: each side's result, why they differ, and where the timeline has it.
import { useState } from "preact/hooks"
import * as Format from "../../parts/format.ts"
import { Pager } from "../../parts/Pager.tsx"
import { times } from "../../parts/reader/time.ts"
import { Empty } from "../../parts/States.tsx"
import { type Sorting, sorted } from "../../parts/sort.ts"
import { type Column, Table } from "../../parts/Table.tsx"
import { Moment, Money } from "../../parts/Value.tsx"
import { href } from "../../routes.ts"
import { marketOf } from "../board.ts"
import { type ComparedTrade, type Comparison, openedAt, reasonsOf } from "./waterfall.ts"

const ROWS = 25

export const ComparedTrades = ({ of }: { of: Comparison }) => {
  const [sorting, setSorting] = useState<Sorting>({ by: "opened_at", down: true })
  const [offset, setOffset] = useState(0)
  const columns = columnsOf(of)
  const shown = sorted(of.trades, columns, sorting).slice(offset, offset + ROWS)
  return (
    <>
      <h3>Trade by trade</h3>
      {of.trades_total > of.trades.length ? (
        <p class="quiet">
          The last {Format.count(of.trades.length)} of {Format.count(of.trades_total)}; the sums have all of
          them.
        </p>
      ) : null}
      <Table
        label="Trades with their differences"
        columns={columns}
        rows={shown}
        id={({ alert_id, exchange, kind, pair }) => `${exchange} ${pair} ${kind} ${alert_id}`}
        sorting={sorting}
        onSort={(next) => {
          setSorting(next)
          setOffset(0)
        }}
        empty={
          <Empty title="No trade was completed">
            <p>Neither the strategy nor its test completed a trade in that time.</p>
          </Empty>
        }
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

const columnsOf = (of: Comparison): ReadonlyArray<Column<ComparedTrade>> => [
  {
    key: "opened_at",
    title: "Opened",
    sort: openedAt,
    cell: (trade) => (
      <a href={onTimeline(of.strategy_id, trade)}>
        <Moment at={openedAt(trade)} />
        <span class="hidden-words">, on the timeline</span>
      </a>
    )
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
  {
    key: "live",
    title: of.mode === "live" ? "Real" : "Paper",
    align: "right",
    sort: ({ live }) => live?.pnl,
    cell: ({ live }) => <Money value={live?.pnl} sign />
  },
  {
    key: "test",
    title: "Test",
    align: "right",
    sort: ({ test }) => test?.pnl,
    cell: ({ test }) => <Money value={test?.pnl} sign />
  },
  {
    key: "difference",
    title: "Difference",
    align: "right",
    sort: ({ difference }) => difference,
    cell: ({ difference }) => <Money value={difference} currency={of.currency} sign />
  },
  {
    key: "why",
    title: "Why",
    cell: (trade) => (
      <span class="reasons">
        {trade.why.charAt(0).toUpperCase() + trade.why.slice(1)}
        {reasonsOf(trade, of.parts).map(({ amount, label }) => (
          <span key={label} class="under">
            {label} <Money value={amount} sign />
          </span>
        ))}
      </span>
    )
  }
]

/** The timeline at the trade's day and pair. */
const onTimeline = (id: number, trade: ComparedTrade): string => {
  const end = trade.live?.closed_at ?? trade.test?.closed_at ?? openedAt(trade)
  return href("strategy", [id], {
    pair: trade.pair,
    from: times().dayOf(openedAt(trade)),
    to: times().dayOf(end)
  })
}
