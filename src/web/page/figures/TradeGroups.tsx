// Completed trades by month, by pair and by the reason of their exit, each with a bar of its net result.
import { Panel } from "../parts/PageHead.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Count, Money, Percent } from "../parts/Value.tsx"
import { exitTitle, marketOf } from "../strategy/board.ts"
import type { Answer } from "../wire.ts"

type Completed = Answer<"backtests", "run">["figures"]["completed"]

/** A row of any of the tables. */
interface Group {
  readonly name: string
  readonly trades: number
  readonly wins: number
  readonly net_pnl: number
  readonly fees: number
}

export const TradeGroups = ({ completed, currency }: { completed: Completed; currency: string }) => {
  const groups: ReadonlyArray<readonly [title: string, head: string, rows: ReadonlyArray<Group>]> = [
    ["By month", "Month (UTC)", completed.by_month.map((it) => ({ ...it, name: it.month }))],
    ["By pair", "Market", completed.by_pair.map((it) => ({ ...it, name: marketOf(it) }))],
    [
      "By exit",
      "Closed by",
      completed.by_exit_reason.map((it) => ({ ...it, name: exitTitle(it.exit_reason) }))
    ]
  ]
  return (
    <>
      {groups.map(([title, head, rows]) =>
        rows.length === 0 ? null : (
          <Panel key={title} title={`${title}, completed trades`}>
            <Table
              label={`${title}, completed trades`}
              columns={columnsOf(head, currency, rows)}
              rows={rows}
              id={({ name }) => name}
              most={MOST}
            />
          </Panel>
        )
      )}
    </>
  )
}

const MOST = 24

const columnsOf = (
  head: string,
  currency: string,
  rows: ReadonlyArray<Group>
): ReadonlyArray<Column<Group>> => {
  const largest = rows.reduce((most, { net_pnl }) => Math.max(most, Math.abs(net_pnl)), 0)
  return [
    { key: "name", title: head, sort: ({ name }) => name, cell: ({ name }) => name },
    {
      key: "trades",
      title: "Trades",
      align: "right",
      sort: ({ trades }) => trades,
      cell: ({ trades }) => <Count value={trades} />
    },
    {
      key: "wins",
      title: "Won",
      align: "right",
      sort: ({ trades, wins }) => wins / trades,
      cell: ({ trades, wins }) => <Percent value={(wins / trades) * 100} digits={1} />
    },
    {
      key: "fees",
      title: "Fees",
      align: "right",
      wide: true,
      sort: ({ fees }) => fees,
      cell: ({ fees }) => <Money value={fees} currency={currency} />
    },
    {
      key: "net_pnl",
      title: "Net P&L",
      align: "right",
      sort: ({ net_pnl }) => net_pnl,
      cell: ({ net_pnl }) => <Money value={net_pnl} currency={currency} sign />
    },
    {
      key: "bar",
      title: "Gain or loss",
      wide: true,
      cell: ({ net_pnl }) => <Bar share={largest === 0 ? 0 : net_pnl / largest} />
    }
  ]
}

/** A bar from the middle: to the right for a gain, to the left for a loss. The figure beside it says the same. */
const Bar = ({ share }: { share: number }) => {
  const width = Math.abs(share) * 50
  return (
    <svg class="share-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class={share < 0 ? "bad" : "good"} x={share < 0 ? 50 - width : 50} width={width} height="10" />
      <rect class="middle" x="49.75" width="0.5" height="10" />
    </svg>
  )
}
